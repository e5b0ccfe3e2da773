// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LayerNormalization and RMSNormalization over all dims from `axis` on. Statistics in float for half types.
#include "ops/math.h"
#include "ops/moments.h"

using namespace mlir;

namespace sinter {

namespace {
FailureOr<SmallVector<int64_t>> axesFrom(Op &op) {
  int64_t rank = op.input(0).rank();
  FailureOr<int64_t> axis = op.axis(op.integer("axis", -1), rank);
  if (failed(axis))
    return failure();
  return llvm::to_vector(llvm::seq<int64_t>(*axis, rank));
}

/// The type of the first stage: stash_type, but no narrower than float.
ElementType stageType(Op &op) {
  auto stash = static_cast<ElementType>(op.integer("stash_type", 1));
  return stash == ElementType::Double || op.input(0).element == ElementType::Double ? ElementType::Double
                                                                                    : ElementType::Float;
}

LogicalResult layerNormalization(Op &op) {
  Tensor x = op.input(0), scale = op.input(1), bias = op.has(2) ? op.input(2) : Tensor();
  FailureOr<SmallVector<int64_t>> axes = axesFrom(op);
  if (failed(axes) || failed(op.checkBroadcast({x, scale})))
    return failure();
  Normalized n = normalize(op, op.cast(x, stageType(op)), *axes, op.real("epsilon"));
  auto stash = static_cast<ElementType>(op.integer("stash_type", 1));
  return op.results(
      {scaleAndShift(op, n.y, scale, bias, x.element), op.cast(n.mean, stash), op.cast(n.inverseDeviation, stash)});
}

LogicalResult rmsNormalization(Op &op) {
  Tensor given = op.input(0), scale = op.input(1);
  FailureOr<SmallVector<int64_t>> axes = axesFrom(op);
  if (failed(axes) || failed(op.checkBroadcast({given, scale})))
    return failure();
  Tensor x = op.cast(given, stageType(op));
  Tensor squares = op.elementwise({x}, x.element, [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); });
  Tensor mean = meanOver(op, squares, *axes);
  double epsilon = op.real("epsilon");
  Tensor inverse = op.elementwise({mean}, x.element, [&](const Scalars &s, ValueRange v) {
    return s.div(s.constant(1), sqrt(s, s.add(v[0], s.constant(epsilon))));
  });
  Tensor normalized =
      op.elementwise({x, inverse}, x.element, [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
  return op.result(scaleAndShift(op, normalized, scale, {}, scale.element));
}
} // namespace

void register_layer_normalization(Registry &registry) {
  registry.onOp("LayerNormalization", {17}, layerNormalization);
  registry.onOp("RMSNormalization", {23}, rmsNormalization);
}

} // namespace sinter
