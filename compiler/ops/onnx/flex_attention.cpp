// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ai.onnx.preview.FlexAttention: attention whose scores (before the softmax) and probabilities (behind it) go through
// the model's own subgraphs. Without one it is ONNX's Attention. Softmax, probabilities and their product with the
// values are in softmax_precision.
#include "ops/contraction.h"
#include "ops/meeting.h"
#include "ops/norms.h"
#include "ops/subgraphs.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

/// What subgraph `name` makes of x, which must have x's shape and type; x where there is no such subgraph.
FailureOr<Tensor> modified(Op &op, StringRef name, Tensor x) {
  if (!subgraph(op, name))
    return x;
  auto region = subgraphOf(op, name, 1, 1);
  if (failed(region))
    return failure();
  auto made = op.conversion.convertRegion(**region, Converted{x, {}, false, false}, op.b);
  if (failed(made))
    return failure();
  Tensor y = made->front().tensor;
  if (!y)
    return op.unsupported("'" + name + "' that makes a sequence or an optional");
  if (failed(checkSameElement(op, "what '" + name + "' is given and makes", x, y)))
    return failure();
  if (y.rank() != x.rank() || failed(verifyCompatibleShape(x.type(), y.type())))
    return op.fail(Code::ShapeMismatch, "'" + name + "' changes the shape");
  return y;
}

ElementType softmaxPrecisionOf(const Op &op) {
  ElementType type = op.input(0).element;
  auto asked = static_cast<ElementType>(op.integer("softmax_precision", static_cast<int64_t>(computedAs(type))));
  return asked;
}

LogicalResult lowerFlexAttention(Op &op) {
  Tensor q = op.input(0), k = op.input(1), v = op.input(2);
  std::optional<int64_t> heads = constantOf(op.size(q, 1)), keyHeads = constantOf(op.size(k, 1)),
                         size = constantOf(op.size(q, 3));
  if (!heads || !keyHeads || !size)
    return op.fail(Code::ShapeNotConstant, "the number or the size of heads is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  double scale = op.hasAttribute("scale") ? op.real("scale") : 1 / std::sqrt(static_cast<double>(*size));
  ElementType precision = softmaxPrecisionOf(op);
  if (!isFloat(precision))
    return op.unsupported("a softmax_precision that is no float type");
  if (!subgraph(op, "score_mod") && !subgraph(op, "prob_mod") && precision == computedAs(q.element)) {
    auto y = op.call("Attention", 25, {q, k, v}, op.b.getNamedAttr("scale", op.b.getF32FloatAttr(scale)));
    return failed(y) ? failure() : op.results(*y);
  }
  Sizes all = op.sizes(q), rows = all;
  Size keys = op.size(k, 2);
  rows[1] = sizeOf(op.b, *keyHeads);
  rows[2] = mul(op.b, op.loc, sizeOf(op.b, *keyHeads == 0 ? 1 : *heads / *keyHeads), all[2]);
  auto grouped = [&](Tensor x, Size last) { return op.reshape(x, {rows[0], rows[1], rows[2], last}); };
  // The reference multiplies queries and keys by the root of the scale, in their type.
  auto scaled = [&](Tensor x) {
    return op.elementwise({x}, x.element,
                          [&](const Scalars &s, ValueRange v) { return s.mul(v[0], s.constant(std::sqrt(scale))); });
  };
  FailureOr<Tensor> product = matmul(op, grouped(scaled(q), all[3]), scaled(k), false, true);
  if (failed(product))
    return failure();
  FailureOr<Tensor> scores =
      modified(op, "score_mod", op.cast(op.reshape(*product, {all[0], all[1], all[2], keys}), precision));
  if (failed(scores))
    return failure();
  auto softmax = op.call("Softmax", 13, *scores, op.param("axis", int64_t(-1)));
  if (failed(softmax))
    return failure();
  FailureOr<Tensor> shares = modified(op, "prob_mod", (*softmax)[0]);
  if (failed(shares))
    return failure();
  FailureOr<Tensor> y = matmul(op, grouped(*shares, keys), op.cast(v, precision));
  if (failed(y))
    return failure();
  all[3] = op.size(v, 3);
  return op.result(op.cast(op.reshape(*y, all), v.element));
}
} // namespace

void register_flex_attention(Registry &registry) {
  registry.onOp("FlexAttention", {1}, "Q[N,A,S,E] K[N,G,T,E] V[N,G,T,F] A%G=0", lowerFlexAttention, "ai.onnx.preview");
}

} // namespace sinter
