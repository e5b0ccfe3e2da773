// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LayerNormalization, RMSNormalization and onnxruntime's name for it, SimplifiedLayerNormalization, over all dims from
// `axis` on: the kernel "layer_norm", or loop nests where parameters broadcast or statistics are asked for. Statistics
// in float for half types.
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

/// Are the sizes of a parameter those of the normalized dims, with nothing to broadcast?
bool coversAxes(Op &op, Tensor parameter, ArrayRef<int64_t> axes) {
  if (parameter.rank() != static_cast<int64_t>(axes.size()) || parameter.element != op.input(0).element)
    return false;
  for (auto [i, axis] : llvm::enumerate(axes))
    if (!sameSize(op.size(parameter, i), op.size(op.input(0), axis)))
      return false;
  return true;
}

/// The common form as a kernel on rows, or nothing.
std::optional<Tensor> asKernel(Op &op, ArrayRef<Tensor> parameters, ArrayRef<int64_t> axes, bool centered) {
  Tensor x = op.input(0);
  if (axes.empty() || op.wants(1) || op.wants(2) ||
      stageType(op) != (x.element == ElementType::Double ? ElementType::Double : ElementType::Float))
    return std::nullopt;
  for (Tensor parameter : parameters)
    if (!coversAxes(op, parameter, axes))
      return std::nullopt;
  Sizes sizes = op.sizes(x);
  ArrayRef<Size> all(sizes);
  Size columns = product(op.b, op.loc, all.drop_front(axes.front()));
  Sizes rows{product(op.b, op.loc, all.take_front(axes.front())), columns};
  SmallVector<Tensor> operands{op.reshape(x, rows)};
  for (Tensor parameter : parameters)
    operands.push_back(op.reshape(parameter, columns));
  NamedAttribute params[] = {op.paramReal("epsilon", op.real("epsilon")), op.param("centered", centered)};
  return op.reshape(op.kernel("layer_norm", operands, {{rows, x.element}}, params)[0], sizes);
}

LogicalResult layerNormalization(Op &op) {
  Tensor x = op.input(0), scale = op.input(1), bias = op.inputOrNone(2);
  FailureOr<SmallVector<int64_t>> axes = axesFrom(op);
  if (failed(axes) || failed(op.checkBroadcast({x, scale})))
    return failure();
  SmallVector<Tensor> parameters{scale};
  if (bias)
    parameters.push_back(bias);
  if (std::optional<Tensor> y = asKernel(op, parameters, *axes, true))
    return op.results(*y);
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
  if (std::optional<Tensor> y = asKernel(op, scale, *axes, false))
    return op.result(*y);
  Tensor x = op.cast(given, stageType(op));
  Tensor squares = op.elementwise({x}, x.element, [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[0]); });
  Tensor mean = meanOver(op, squares, *axes);
  double epsilon = op.real("epsilon");
  Tensor inverse = op.elementwise({mean}, x.element, [&](const Scalars &s, ValueRange v) {
    return s.div(s.constant(1), sqrt(s, s.add(v[0], s.constant(epsilon))));
  });
  Tensor normalized =
      op.elementwise({x, inverse}, x.element, [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
  Tensor y = scaleAndShift(op, normalized, scale, {}, scale.element);
  if (op.outputCount() == 1)
    return op.result(y);
  return op.results({y, op.cast(inverse, static_cast<ElementType>(op.integer("stash_type", 1)))});
}
} // namespace

void register_layer_normalization(Registry &registry) {
  registry.onOp("LayerNormalization", {17}, "X[A:or(axis,-1),D+] Scale~[A*,D*] B~[A*,D*] stash_type=1|10|11|16",
                layerNormalization);
  registry.onOp("RMSNormalization", {23}, "X[A:or(axis,-1),D+] scale~[A*,D*]", rmsNormalization);
  registry.onOp("SimplifiedLayerNormalization", {1}, "X[A:or(axis,-1),D+] scale~[A*,D*] stash_type=1|11",
                rmsNormalization);
}

} // namespace sinter
