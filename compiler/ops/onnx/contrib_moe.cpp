// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: MoE and QMoE, mixtures of experts. Each token goes through the k experts that its router likes best:
//   y[token] = sum over them of share * fc2(activation(fc1(x[token]))).
// A loop over (token, choice) reads the weights of one expert each, so that no expert runs for nothing. QMoE's weights
// are packed in blocks. Source: onnxruntime's reference of contributed operators, and its CPU kernels where that is
// silent.
#include "ops/block_quantized.h"
#include "ops/contraction.h"
#include "ops/gelu.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

/// One fully connected layer of all experts: weights [experts, out, in], bias [experts, out] or none.
struct Layer {
  Tensor weights, bias;
  explicit operator bool() const { return static_cast<bool>(weights); }
};

struct Experts {
  Layer fc1, fc2, fc3; ///< fc3 may be none
};

/// x [1, in] through the layer of one expert: [1, out].
FailureOr<Tensor> through(Op &op, const Layer &layer, Value expert, Tensor x) {
  FailureOr<Tensor> y = matmul(op, x, entryOf(op, layer.weights, 0, expert), false, true);
  return failed(y) || !layer.bias ? y : FailureOr<Tensor>(sumOf(op, {*y, entryOf(op, layer.bias, 0, expert)}));
}

/// gate * sigmoid(alpha * gate) * (linear + beta), both limited where the model says so.
Tensor gatedUnit(const Op &op, Tensor gate, Tensor linear) {
  double alpha = op.real("activation_alpha", 1), beta = op.real("activation_beta", 0);
  bool limited = op.hasAttribute("swiglu_limit");
  double limit = op.real("swiglu_limit", 0);
  return op.elementwise({gate, linear}, gate.element, [&](const Scalars &s, ValueRange v) {
    Value g = limited ? s.min(v[0], s.constant(limit)) : v[0], l = limited ? clamp(s, v[1], -limit, limit) : v[1];
    Value swished = s.mul(g, sigmoid(s, s.mul(s.constant(alpha), g)));
    return s.mul(swished, s.add(l, s.constant(beta)));
  });
}

Tensor activated(const Op &op, Tensor x) {
  StringRef name = op.string("activation_type");
  return op.elementwise({x}, x.element, [&](const Scalars &s, ValueRange v) -> Value {
    if (name == "relu")
      return s.max(v[0], s.constant(0));
    if (name == "silu")
      return s.mul(v[0], sigmoid(s, v[0]));
    if (name == "gelu")
      return geluByTanh(s, v[0]);
    return v[0];
  });
}

/// What an expert makes between its layers of x [1, in]: [1, hidden].
FailureOr<Tensor> hiddenOf(Op &op, const Experts &experts, Value expert, Tensor x) {
  FailureOr<Tensor> first = through(op, experts.fc1, expert, x);
  if (failed(first))
    return failure();
  FailureOr<Tensor> third = experts.fc3 ? through(op, experts.fc3, expert, x) : FailureOr<Tensor>(Tensor());
  if (failed(third))
    return failure();
  if (op.string("activation_type") != "swiglu") {
    Tensor y = activated(op, *first);
    return *third ? op.elementwise({y, *third}, y.element,
                                   [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); })
                  : y;
  }
  if (*third)
    return gatedUnit(op, *first, *third);
  Size half = floorDiv(op.b, op.loc, op.size(*first, 1), 2), one = sizeOf(op.b, 1), zero = sizeOf(op.b, 0);
  if (op.integer("swiglu_fusion") == 2)
    return gatedUnit(op, partOf(op, *first, 1, zero, half), partOf(op, *first, 1, half, half));
  auto every = [&](int64_t from) {
    return op.slice(*first, {zero, sizeOf(op.b, from)}, {one, half}, {one, sizeOf(op.b, 2)});
  };
  return gatedUnit(op, every(0), every(1));
}

/// [tokens, k] each: the experts of each token, and their shares.
struct Routes {
  Tensor experts, shares;
};

/// `weights` may be none: then they are the softmax of the router.
FailureOr<Routes> routesOf(Op &op, Tensor router, Tensor weights, bool areNormalized) {
  int64_t k = op.integer("k");
  Tensor logits = op.cast(router, ElementType::Float);
  // With weights of their own, routers only choose.
  auto shares = weights ? FailureOr<SmallVector<Tensor>>(SmallVector<Tensor>{logits})
                        : op.call("Softmax", 13, logits, op.param("axis", int64_t(-1)));
  if (failed(shares))
    return failure();
  auto best = op.call("TopK", 11, {(*shares)[0], op.integers({k})}, op.param("axis", int64_t(-1)), 2);
  if (failed(best))
    return failure();
  Routes routes{(*best)[1], (*best)[0]};
  if (weights) {
    auto own = op.call("GatherElements", 13, {op.cast(weights, ElementType::Float), routes.experts},
                       op.param("axis", int64_t(-1)));
    if (failed(own))
      return failure();
    routes.shares = (*own)[0];
  }
  if (areNormalized) {
    Tensor sum = op.reduce(
        routes.shares, {1}, true, ElementType::Float, [](const Scalars &s) { return s.constant(0); },
        [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
    routes.shares = op.elementwise({routes.shares, sum}, ElementType::Float,
                                   [](const Scalars &s, ValueRange v) { return s.div(v[0], v[1]); });
  }
  return routes;
}

LogicalResult mixture(Op &op, const Experts &experts, Tensor routerWeights, bool areNormalized) {
  if (op.integer("use_sparse_mixer"))
    return op.unsupported("use_sparse_mixer");
  Tensor x = op.input(0);
  OpBuilder &b = op.b;
  FailureOr<Routes> routes = routesOf(op, op.input(1), routerWeights, areNormalized);
  if (failed(routes))
    return failure();
  Size tokens = op.size(op.input(1), 0), width = op.size(x, x.rank() - 1), k = sizeOf(b, op.integer("k"));
  Tensor rows = op.reshape(x, {tokens, width}), shares = routes->shares;
  Value all = toValue(b, op.loc, op.size(experts.fc1.weights, 0));

  // [tokens, k, width]: what each choice gives.
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  Tensor made = op.empty({tokens, k, width}, x.element);
  auto overTokens = b.create<scf::ForOp>(op.loc, zero, toValue(b, op.loc, tokens), one, made.value);
  OpBuilder inTokens = OpBuilder::atBlockBegin(overTokens.getBody());
  auto overChoices =
      inTokens.create<scf::ForOp>(op.loc, zero, toValue(inTokens, op.loc, k), one, overTokens.getRegionIterArg(0));
  OpBuilder inside = OpBuilder::atBlockBegin(overChoices.getBody());
  Op here(op.conversion, op.node, inside);
  Value token = overTokens.getInductionVar(), choice = overChoices.getInductionVar();
  Value expert = inside.create<CheckIndexOp>(
      op.loc, inside.getIndexType(),
      inside.create<tensor::ExtractOp>(op.loc, routes->experts.value, ValueRange{token, choice}), all, false);
  FailureOr<Tensor> hidden = hiddenOf(here, experts, expert, here.unsqueeze(entryOf(here, rows, 0, token), 0));
  FailureOr<Tensor> y = failed(hidden) ? hidden : through(here, experts.fc2, expert, *hidden);
  if (failed(y))
    return failure();
  Sizes offsets{token, choice, sizeOf(inside, 0)},
      sizes{sizeOf(inside, 1), sizeOf(inside, 1), here.size(experts.fc2.weights, 1)}, ones(3, sizeOf(inside, 1));
  Value grown =
      inside.create<tensor::InsertSliceOp>(op.loc, y->value, overChoices.getRegionIterArg(0), offsets, sizes, ones);
  inside.create<scf::YieldOp>(op.loc, grown);
  inTokens.create<scf::YieldOp>(op.loc, overChoices.getResult(0));

  Tensor parts{overTokens.getResult(0), x.element};
  Tensor weighted = op.elementwise({op.cast(parts, ElementType::Float), op.unsqueeze(shares, 2)}, ElementType::Float,
                                   [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
  Tensor sum = op.reduce(
      weighted, {1}, false, ElementType::Float, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
  return op.result(op.reshape(op.cast(sum, x.element), op.sizes(x)));
}

LogicalResult mixtureOfFloats(Op &op) {
  auto layer = [&](unsigned i) { return Layer{op.inputOrNone(i), op.has(i + 1) ? op.input(i + 1) : Tensor()}; };
  return mixture(op, {layer(2), layer(4), layer(6)}, {}, op.integer("normalize_routing_weights"));
}

LogicalResult mixtureOfPacked(Op &op) {
  if (op.string("quant_type") != "int" || op.integer("weights_prepacked", -1) == 1)
    return op.unsupported("QMoE with floats of 4 or 8 bits, or with weights packed for a device",
                          "quantize the model with quant_type 'int'");
  for (unsigned i : {2, 5, 8}) {
    if (op.has(i) && !op.has(i + 1))
      return op.fail(Code::WrongOperandCount, "packed weights without scales");
    if (op.has(i) && !constantOf(op.size(op.input(i), 2)))
      return op.fail(Code::ShapeNotConstant, "the size of packed weights is not known at compile time");
  }
  auto layer = [&](unsigned i, unsigned zeros, StringRef name) -> Layer {
    if (!op.has(i))
      return {};
    int64_t bits = op.integer((name + "_expert_weight_bits").str(), op.integer("expert_weight_bits"));
    Tensor packed = op.input(i), scales = op.input(i + 1), zero = op.inputOrNone(zeros);
    Size columns = mul(op.b, op.loc, op.size(packed, 2), sizeOf(op.b, 8 / bits));
    int64_t block = op.integer("block_size", 0);
    if (scales.rank() == 2) { // a scale for each row, and zero points packed along the rows
      block = std::max<int64_t>(*constantOf(columns), 1);
      scales = op.unsqueeze(scales, 2);
      if (zero)
        zero = op.generate(op.sizes(scales), ElementType::UInt8, [&](OpBuilder &b, ValueRange at) {
          return unpackedBits(b, op.loc, zero, at[0], at[1], bits);
        });
      if (zero)
        zero = op.cast(zero, scales.element);
    }
    return {dequantized(op, BlockQuantized{packed, scales, zero, bits, block}, columns, op.input(0).element),
            op.has(i + 2) ? op.input(i + 2) : Tensor()};
  };
  // onnxruntime's CPU kernel normalises shares of its own making whatever the attribute says.
  bool hasWeights = op.has(14);
  return mixture(op, {layer(2, 11, "fc1"), layer(5, 12, "fc2"), layer(8, 13, "fc3")},
                 hasWeights ? op.input(14) : Tensor(), !hasWeights || op.integer("normalize_routing_weights"));
}
} // namespace

/// What fits of packed layer `n` with `out` rows of `in` numbers.
static std::string packedLayer(const Twine &n, StringRef out, StringRef in) {
  std::string fc = ("fc" + n).str(), bits = "or(" + fc + "_expert_weight_bits,expert_weight_bits)",
              rows = "[E," + out.str();
  return fc + "_experts_weights" + rows + ",_] " + fc + "_scales" + rows + "]|" + rows + ",S" + n.str() + "] " + //
         "dim(" + fc + "_experts_weights,2)*8=" + in.str() + "*" + bits + " {rank(" + fc + "_scales)=3}S" + n.str() +
         "*or(block_size,0)=" + in.str() + " " + fc + "_zero_points[E,ceil(" + out.str() + "*" + bits + ",8)]|" + rows +
         ",ceil(S" + n.str() + "*" + bits + ",8)] {has(" + fc + "_zero_points)}rank(" + fc + "_zero_points)=rank(" +
         fc + "_scales) " + fc + "_expert_weight_bits=2|4|8 ";
}

void register_contrib_moe(Registry &registry) {
  const std::string common = "input[T,H]|[_,_,H] router_probs[R,E] {rank(input)=2}R=T "
                             "{rank(input)=3}R=dim(input,0)*dim(input,1) k>=1 k<=E "
                             "activation_type=relu|gelu|silu|swiglu|identity swiglu_fusion=0|1|2 "
                             "{activation_type=swiglu}has(fc3_experts_weights)+min(swiglu_fusion,1)=1 ";
  auto biases = [](const std::string &inner) {
    return "fc1_experts_bias[E,F] fc2_experts_bias[E,H] fc3_experts_bias[E,G] G=" + inner +
           " {activation_type!=swiglu}F=" + inner + " {swiglu_fusion=0}F=" + inner +
           " {activation_type=swiglu}{swiglu_fusion>=1}F=2*" + inner;
  };
  registry.onOp("MoE", {1},
                common + "fc1_experts_weights[E,F,H] fc2_experts_weights[E,H,I] fc3_experts_weights[E,G,H] " +
                    biases("I"),
                mixtureOfFloats, "com.microsoft");
  const std::string inner = "dim(fc2_experts_weights,2)*8/or(fc2_expert_weight_bits,expert_weight_bits)";
  registry.onOp("QMoE", {1},
                common +
                    "router_weights[R,E] fc1_global_scale[_*] fc2_global_scale[_*] fc1_act_scale[_*] fc2_act_scale[_*] "
                    "fc1_act_block_scale[_*] fc2_act_block_scale[_*] expert_weight_bits=2|4|8 " +
                    packedLayer("1", "F", "H") + packedLayer("2", "H", inner) + packedLayer("3", "G", "H") +
                    biases(inner),
                mixtureOfPacked, "com.microsoft");
}

} // namespace sinter
