// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's small operators around attention and the streams of a net: norms by the root of a mean of squares
// (GatedRMSNorm, BranchwiseRMSNorm), gates (LinearAttentionGate, ScaledSiLU, EngramGate), and weighted sums of parallel
// streams (HyperConnectionPreMix, HyperConnectionPostMix). They compute in float and round the result, as onnxruntime's
// reference of contributed operators says.
#include "ops/domains.h"
#include "ops/math.h"
#include "ops/moments.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {
constexpr ElementType FloatElement = ElementType::Float;

/// x / sqrt(mean of x^2 over the last dim + epsilon), in float.
Tensor byRootMeanSquare(Op &op, Tensor x, double epsilon) {
  Tensor wide = op.cast(x, FloatElement);
  Tensor squares =
      op.elementwise({wide}, FloatElement, [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); });
  return op.elementwise(
      {wide, meanOver(op, squares, {x.rank() - 1})}, FloatElement,
      [&](const Scalars &s, ValueRange v) { return s.div(v[0], sqrt(s, s.add(v[1], s.constant(epsilon)))); });
}

Tensor gateTimes(Op &op, Tensor x, Tensor y, ElementType out) {
  return op.elementwise({op.cast(x, FloatElement), op.cast(y, FloatElement)}, out,
                        [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
}

LogicalResult gatedRmsNorm(Op &op) {
  Tensor x = op.input(0), scale = op.input(1), gate = op.input(2);
  std::optional<int64_t> width = constantOf(op.size(x, x.rank() - 1)), size = constantOf(op.size(scale, 0));
  if (!width || !size || *size < 1)
    return op.fail(Code::ShapeNotConstant, "the last dim of 'X' or the size of 'scale' is not known");
  Sizes sizes = op.sizes(x), parts = sizes;
  parts.back() = sizeOf(op.b, *width / *size);
  parts.push_back(sizeOf(op.b, *size));
  Tensor y = gateTimes(op, byRootMeanSquare(op, op.reshape(x, parts), op.real("epsilon")), scale, FloatElement);
  bool isSigmoid = op.string("activation") == "sigmoid";
  return op.resultElementwise({op.reshape(y, sizes), op.cast(gate, FloatElement)}, x.element,
                              [&](const Scalars &s, ValueRange v) {
                                Value share = sigmoid(s, v[1]);
                                return s.mul(v[0], isSigmoid ? share : s.mul(v[1], share));
                              });
}

/// Streams [..., C, H]: the operand as it is, or its last dim C * H taken apart.
FailureOr<Tensor> streamsOf(Op &op, Tensor x, int64_t grouped) {
  int64_t branches = op.integer("num_branches");
  if (!branches) {
    if (x.rank() < grouped)
      return op.fail(Code::ShapeMismatch, "streams without num_branches have the dims [..., C, H]");
    return x;
  }
  Sizes sizes = op.sizes(x);
  sizes.back() = sizeOf(op.b, branches);
  sizes.push_back(floorDiv(op.b, op.loc, op.size(x, x.rank() - 1), branches));
  return op.reshape(x, sizes);
}

LogicalResult branchwiseRmsNorm(Op &op) {
  Tensor x = op.input(0);
  FailureOr<Tensor> streams = streamsOf(op, x, 2);
  if (failed(streams))
    return failure();
  Tensor y = byRootMeanSquare(op, *streams, op.real("epsilon"));
  if (op.has(1)) {
    Sizes sizes = op.sizes(y);
    Tensor scale = op.input(1);
    Size branches = sizes[sizes.size() - 2], size = sizes.back();
    // One dim is H, or C * H where that is not H.
    if (scale.rank() == 1 && !sameSize(op.size(scale, 0), size)) {
      std::optional<int64_t> own = constantOf(op.size(scale, 0)), c = constantOf(branches), h = constantOf(size);
      if (!own || !c || !h)
        return op.fail(Code::ShapeNotConstant, "whether 'scale' has C * H or H elements is not known");
      if (*own != *c * *h)
        return op.fail(Code::ShapeMismatch, "'scale' has " + Twine(*own) + " elements, which is neither H = " +
                                                Twine(*h) + " nor C * H with C = " + Twine(*c));
      scale = op.reshape(scale, {branches, size});
    }
    if (scale.rank() > 1 && failed(op.checkBroadcast({y, scale})))
      return failure();
    y = gateTimes(op, y, scale, x.element);
  }
  return op.result(op.cast(op.reshape(y, op.sizes(x)), x.element));
}

LogicalResult scaledSilu(Op &op) {
  Tensor x = op.input(0);
  double alpha = op.real("alpha", 1);
  Tensor factor = op.has(1) ? op.cast(op.reshape(op.input(1), ArrayRef<Size>()), FloatElement)
                            : Tensors{op.b, op.loc}.scalar(FloatElement, alpha);
  Tensor scaled = op.elementwise({op.cast(x, FloatElement), factor}, x.element,
                                 [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
  Tensor share = op.elementwise({op.cast(scaled, FloatElement)}, x.element,
                                [](const Scalars &s, ValueRange v) { return sigmoid(s, v[0]); });
  return op.result(gateTimes(op, scaled, share, x.element));
}

LogicalResult linearAttentionGate(Op &op) {
  Tensor a = op.input(0);
  if (op.wants(1) && !op.has(3))
    return op.fail(Code::ShapeMismatch, "the output 'beta' needs the operand 'b'");
  Tensor decay =
      op.elementwise({op.cast(a, FloatElement), op.input(1), op.input(2)}, a.element,
                     [](const Scalars &s, ValueRange v) { return s.mul(v[2], softplus(s, s.add(v[0], v[1]))); });
  Tensor beta;
  if (op.wants(1))
    beta = op.elementwise({op.input(3)}, op.input(3).element,
                          [](const Scalars &s, ValueRange v) { return sigmoid(s, v[0]); });
  SmallVector<Tensor> results{decay, beta};
  results.resize(op.outputCount());
  return op.results(results);
}

/// Sum of x over `axis`, which vanishes.
Tensor summedAlong(Op &op, Tensor x, int64_t axis) {
  return op.reduce(
      x, axis, false, FloatElement, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
}

LogicalResult engramGate(Op &op) {
  Tensor query = op.input(1), value = op.input(2);
  if (op.wants(1) && !op.has(5))
    return op.fail(Code::ShapeMismatch, "the output 'gated_value_normed' needs the operand 'conv_norm_scale'");
  double epsilon = op.real("epsilon");
  Tensor key = gateTimes(op, byRootMeanSquare(op, op.input(0), epsilon), op.input(3), FloatElement);
  Tensor asked = gateTimes(op, byRootMeanSquare(op, query, epsilon), op.input(4), FloatElement);
  Tensor dot = op.unsqueeze(summedAlong(op, gateTimes(op, key, asked, FloatElement), 3), 3);
  Tensor width = op.cast(op.reshape(op.fromSizes(op.size(query, 3)), ArrayRef<Size>()), FloatElement);
  Tensor gated = op.elementwise({dot, width, op.cast(op.unsqueeze(value, 2), FloatElement)}, FloatElement,
                                [](const Scalars &s, ValueRange v) {
                                  Value mean = s.div(v[0], sqrt(s, v[1])), zero = s.constant(0);
                                  Value root = sqrt(s, s.max(s.abs(mean), s.constant(1e-6)));
                                  Value sign = s.select(s.compare(Compare::Less, mean, zero), s.neg(root), root);
                                  Value argument = s.select(s.compare(Compare::Equal, mean, zero), zero, sign);
                                  return s.mul(sigmoid(s, argument), v[2]);
                                });
  Tensor normed;
  if (op.wants(1))
    normed = gateTimes(op, byRootMeanSquare(op, gated, epsilon), op.input(5), query.element);
  SmallVector<Tensor> results{op.cast(gated, query.element), normed};
  results.resize(op.outputCount());
  return op.results(results);
}

/// Gates as [..., C, H or 1], from [..., C], [..., C, 1], [..., C, H], or where streams lie flat [..., C * H].
FailureOr<Tensor> gatesOf(Op &op, Tensor gates, Tensor streams, bool flat) {
  int64_t rank = streams.rank();
  Sizes sizes = op.sizes(streams);
  if (gates.rank() == rank - 1) {
    Size last = op.size(gates, rank - 2), branches = sizes[rank - 2];
    std::optional<int64_t> own = constantOf(last), c = constantOf(branches), h = constantOf(sizes.back());
    bool isFlat = flat && own && c && h && *own == *c * *h && *own != *c;
    gates = isFlat ? op.reshape(gates, sizes) : op.unsqueeze(gates, rank - 1);
  }
  if (gates.rank() != rank)
    return op.fail(Code::ShapeMismatch, "gates have neither one number for each stream nor one for each element");
  for (int64_t d = 0; d < rank; ++d) {
    Size own = op.size(gates, d);
    if (d == rank - 1 && constantOf(own) == 1)
      continue;
    if (failed(mustBeEqual(op, own, sizes[d], "gates and streams differ in dim " + Twine(d))))
      return failure();
  }
  return gates;
}

LogicalResult preMix(Op &op) {
  Tensor x = op.input(0);
  FailureOr<Tensor> streams = streamsOf(op, x, 2);
  FailureOr<Tensor> gates =
      failed(streams) ? FailureOr<Tensor>() : gatesOf(op, op.input(1), *streams, op.integer("num_branches") != 0);
  if (failed(gates))
    return failure();
  Tensor sum = summedAlong(op, gateTimes(op, *streams, *gates, FloatElement), streams->rank() - 2);
  double scale = op.real("reduction_scale", 1);
  return op.resultElementwise({sum}, x.element,
                              [&](const Scalars &s, ValueRange v) { return s.mul(v[0], s.constant(scale)); });
}

LogicalResult postMix(Op &op) {
  Tensor x = op.input(0), made = op.input(1);
  FailureOr<Tensor> streams = streamsOf(op, x, 2);
  FailureOr<Tensor> gates = failed(streams) ? FailureOr<Tensor>() : gatesOf(op, op.input(2), *streams, false);
  if (failed(gates))
    return failure();
  int64_t rank = streams->rank();
  Sizes sizes = op.sizes(*streams), rows = sizes;
  rows.erase(rows.begin() + (rank - 2));
  if (made.rank() != rank - 1)
    return op.fail(Code::ShapeMismatch, "'block_output' has the dims of the streams without that of the branches");
  for (int64_t d = 0; d < rank - 1; ++d)
    if (failed(mustBeEqual(op, op.size(made, d), rows[d], "'block_output' and streams differ in dim " + Twine(d))))
      return failure();
  Tensor kept = op.cast(*streams, FloatElement);
  if (op.has(3)) { // [..., source, target]
    Tensor mix = op.input(3);
    if (mix.rank() != rank)
      return op.fail(Code::ShapeMismatch, "'stream_mix' has the dims [..., C, C]");
    for (int64_t d = 0; d < rank; ++d)
      if (failed(mustBeEqual(op, op.size(mix, d), sizes[d == rank - 1 ? d - 1 : d],
                             "'stream_mix' and streams differ in dim " + Twine(d))))
        return failure();
    Tensor products = gateTimes(op, op.unsqueeze(*streams, rank - 1), op.unsqueeze(mix, rank), FloatElement);
    kept = summedAlong(op, products, rank - 2);
  }
  Tensor y = op.elementwise({kept, op.cast(*gates, FloatElement), op.cast(op.unsqueeze(made, rank - 2), FloatElement)},
                            x.element, [](const Scalars &s, ValueRange v) { return s.add(v[0], s.mul(v[1], v[2])); });
  return op.result(op.reshape(y, op.sizes(x)));
}
} // namespace

void register_contrib_gates(Registry &registry) {
  registry.onOp("GatedRMSNorm", {1}, "X[S*,W] scale[C] gate[S*,W] C>=1 W%C=0 activation=silu|swish|sigmoid",
                gatedRmsNorm, microsoftDomain);
  registry.onOp("BranchwiseRMSNorm", {1}, "X[_*,W] scale[_]|[_,_] num_branches>=0 {num_branches}W%num_branches=0",
                branchwiseRmsNorm, microsoftDomain);
  registry.onOp("ScaledSiLU", {1}, "X[_*] scale[]|[1]", scaledSilu, microsoftDomain);
  registry.onOp("LinearAttentionGate", {1}, "a[N,T,H] dt_bias[H] decay_scale[H] b[N,T,H]", linearAttentionGate,
                microsoftDomain);
  registry.onOp("EngramGate", {1},
                "key[N,S,G,H] query[N,S,G,H] value[N,S,H] key_norm_scale[G,H] query_norm_scale[G,H] "
                "conv_norm_scale[G,H]",
                engramGate, microsoftDomain);
  registry.onOp("HyperConnectionPreMix", {1},
                "streams[_*,W] pre_mix[_*,_] num_branches>=0 {num_branches}W%num_branches=0", preMix, microsoftDomain);
  registry.onOp("HyperConnectionPostMix", {1},
                "streams[_*,W] block_output[_*,_] post_mix[_*,_] stream_mix[_*,_,_] num_branches>=0 "
                "{num_branches}W%num_branches=0",
                postMix, microsoftDomain);
}

} // namespace sinter
