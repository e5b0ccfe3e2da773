// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LinearAttention: a state [batch, key heads, key size, value size] goes from step to step,
//   state = exp(decay) * state + key (outer) written,   output = scale * query * state,
// where `written` is the value, or (delta rules) beta * (value - key * decayed state). All of it is in float. Query
// heads that share a key head are rows of one product.
#include "ops/contraction.h"
#include "ops/math.h"
#include "ops/meeting.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

/// The operands, heads apart: [batch, steps, heads, size] in float.
struct LinearAttention {
  Tensor q, k, v;
  Tensor decay, beta; ///< [batch, steps, key heads, 1 or key size] and [batch, steps, 1 or key heads, 1]; or none
  int64_t repeats;    ///< query heads per key head
  double scale;
};

FailureOr<LinearAttention> readLinearAttention(Op &op) {
  int64_t queryHeads = op.integer("q_num_heads"), keyHeads = op.integer("kv_num_heads");
  StringRef rule = op.string("update_rule");
  for (auto [index, applies] : {std::pair(4, rule.contains("gated")), {5, rule.contains("delta")}})
    if (op.has(index) != applies)
      return op.fail(Code::WrongOperandCount, "update_rule '" + rule + "' " + (applies ? "needs" : "does not take") +
                                                  " '" + (index == 4 ? "decay" : "beta") + "'");
  auto apart = [&](unsigned i, int64_t heads) {
    Sizes s = op.sizes(op.input(i));
    return op.cast(op.reshape(op.input(i), {s[0], s[1], sizeOf(op.b, heads), floorDiv(op.b, op.loc, s[2], heads)}),
                   ElementType::Float);
  };
  LinearAttention a{apart(0, queryHeads),  apart(1, keyHeads), apart(2, keyHeads), {}, {},
                    queryHeads / keyHeads, op.real("scale")};
  if (op.has(4))
    a.decay = apart(4, keyHeads);
  if (op.has(5)) {
    std::optional<int64_t> betas = constantOf(op.size(op.input(5), 2));
    if (!betas)
      return op.fail(Code::ShapeNotConstant, "the last dim of 'beta' is not known at compile time",
                     "give the dim that it depends on: --dim NAME=N");
    a.beta = apart(5, *betas);
  }
  std::optional<int64_t> size = constantOf(op.size(a.q, 3));
  if (a.scale == 0 && !size)
    return op.fail(Code::ShapeNotConstant, "the size of a head is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  if (a.scale == 0)
    a.scale = 1 / std::sqrt(static_cast<double>(*size));
  return a;
}

/// One step. All but the states lie in memory as [batch, heads, size].
struct AttentionStep {
  Tensor output, state; ///< [batch, key heads, repeats, value size], [batch, key heads, key size, value size]
};

FailureOr<AttentionStep> attentionStep(Op &op, const LinearAttention &a, Value index, Tensor state) {
  auto now = [&](Tensor x) { return entryOf(op, x, 1, index); };
  Tensor k = now(a.k), written = op.unsqueeze(now(a.v), 2), decay = a.decay ? op.unsqueeze(now(a.decay), 3) : Tensor();
  auto decayed = [&](const Scalars &s, Value x, Value by) { return s.mul(x, exp(s, by)); };
  if (decay)
    state = op.elementwise({state, decay}, state.element,
                           [&](const Scalars &s, ValueRange v) { return decayed(s, v[0], v[1]); });
  if (a.beta) {
    FailureOr<Tensor> held = matmul(op, op.unsqueeze(k, 2), state);
    if (failed(held))
      return failure();
    written = op.elementwise({written, *held, op.unsqueeze(now(a.beta), 3)}, written.element,
                             [](const Scalars &s, ValueRange v) { return s.mul(v[2], s.sub(v[0], v[1])); });
  }
  state = op.elementwise({state, op.unsqueeze(k, 3), written}, state.element,
                         [](const Scalars &s, ValueRange v) { return s.add(v[0], s.mul(v[1], v[2])); });
  Tensor q = now(a.q);
  Sizes rows = op.sizes(state);
  rows[3] = rows[2];
  rows[2] = sizeOf(op.b, a.repeats);
  FailureOr<Tensor> read = matmul(op, op.reshape(q, rows), state);
  if (failed(read))
    return failure();
  Tensor output = op.elementwise({*read}, read->element,
                                 [&](const Scalars &s, ValueRange v) { return s.mul(v[0], s.constant(a.scale)); });
  return AttentionStep{output, state};
}

LogicalResult lowerLinearAttention(Op &op) {
  FailureOr<LinearAttention> a = readLinearAttention(op);
  if (failed(a))
    return failure();
  OpBuilder &b = op.b;
  Sizes keys = op.sizes(a->k), out = op.sizes(a->q);
  out[3] = op.size(a->v, 3);
  ElementType stateElement = op.has(3) ? op.input(3).element : op.input(0).element;
  Tensor state = op.has(3) ? op.cast(op.input(3), ElementType::Float)
                           : op.filled({keys[0], keys[2], keys[3], out[3]}, ElementType::Float,
                                       Scalars{b, op.loc, ElementType::Float}.constant(0));
  Tensor y = op.empty(out, ElementType::Float);
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  auto loop = b.create<scf::ForOp>(op.loc, zero, toValue(b, op.loc, out[1]), one, ValueRange{y.value, state.value});
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  Op here(op.conversion, op.node, inside);
  Value index = loop.getInductionVar();
  FailureOr<AttentionStep> made = attentionStep(here, *a, index, {loop.getRegionIterArgs()[1], ElementType::Float});
  if (failed(made))
    return failure();
  Sizes offsets(4, sizeOf(inside, 0)), ones(4, sizeOf(inside, 1)), sizes = here.sizes(a->q);
  sizes[3] = here.size(a->v, 3);
  Tensor shown = here.reshape(made->output, {sizes[0], sizes[2], sizes[3]});
  offsets[1] = index;
  sizes[1] = sizeOf(inside, 1);
  Value collected =
      inside.create<tensor::InsertSliceOp>(op.loc, shown.value, loop.getRegionIterArgs().front(), offsets, sizes, ones);
  inside.create<scf::YieldOp>(op.loc,
                              ValueRange{collected, asType(inside, op.loc, made->state.value, state.value.getType())});
  Tensor result = op.reshape({loop.getResult(0), ElementType::Float}, {out[0], out[1], mul(b, op.loc, out[2], out[3])});
  SmallVector<Tensor> results{op.cast(result, op.input(0).element),
                              op.cast({loop.getResult(1), ElementType::Float}, stateElement)};
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

void register_linear_attention(Registry &registry) {
  const std::string rule =
      "query[N,T,Q] key[N,T,K] value[N,T,V] q_num_heads>=1 kv_num_heads>=1 q_num_heads%kv_num_heads=0 "
      "Q%q_num_heads=0 V%kv_num_heads=0 Q*kv_num_heads=K*q_num_heads "
      "past_state[N,kv_num_heads,Q/q_num_heads,V/kv_num_heads] decay[N,T,kv_num_heads|K] "
      "beta[N,T,kv_num_heads|1] update_rule=linear|gated|delta|gated_delta";
  registry.onOp("LinearAttention", {27}, rule, lowerLinearAttention);
  registry.onOp("LinearAttention", {1}, rule + " state_window=0", lowerLinearAttention, "com.microsoft");
}

} // namespace sinter
