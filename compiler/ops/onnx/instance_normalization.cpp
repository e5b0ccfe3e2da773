// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// InstanceNormalization, GroupNormalization, MeanVarianceNormalization.
#include "ops/math.h"
#include "ops/moments.h"

using namespace mlir;

namespace sinter {

namespace {
SmallVector<int64_t> axesBetween(int64_t first, int64_t last) {
  return llvm::to_vector(llvm::seq<int64_t>(first, last));
}

LogicalResult instanceNormalization(Op &op) {
  Tensor x = op.input(0);
  Normalized n = normalize(op, op.cast(x, statisticsType(x.element)), axesBetween(2, x.rank()), op.real("epsilon"));
  return op.result(scaleAndShift(op, n.y, alongChannels(op, op.input(1), x.rank()),
                                 alongChannels(op, op.input(2), x.rank()), x.element));
}

LogicalResult groupNormalization(Op &op) {
  Tensor x = op.input(0), scale = op.input(1), bias = op.input(2);
  if (x.rank() < 2)
    return op.fail(Code::ShapeMismatch, "the input has no channels");
  int64_t groups = op.integer("num_groups");
  std::optional<int64_t> channels = constantOf(op.size(x, 1));
  if (!channels)
    return op.fail(Code::ShapeNotConstant, "the number of channels is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  if (groups < 1 || *channels % groups)
    return op.fail(Code::ShapeMismatch, "'num_groups' does not divide the number of channels");
  Sizes sizes = op.sizes(x), grouped = sizes;
  grouped[1] = sizeOf(op.b, groups);
  grouped.insert(grouped.begin() + 2, sizeOf(op.b, *channels / groups));
  Tensor view = op.reshape(op.cast(x, statisticsType(x.element)), grouped);
  Tensor normalized = normalize(op, view, axesBetween(2, view.rank()), op.real("epsilon")).y;
  if (op.since < 21) // one scale for each group
    return op.result(op.reshape(scaleAndShift(op, normalized, alongChannels(op, scale, view.rank()),
                                              alongChannels(op, bias, view.rank()), x.element),
                                sizes));
  normalized = op.reshape(normalized, sizes);
  return op.result(
      scaleAndShift(op, normalized, alongChannels(op, scale, x.rank()), alongChannels(op, bias, x.rank()), x.element));
}

LogicalResult meanVarianceNormalization(Op &op) {
  Tensor x = op.input(0);
  FailureOr<SmallVector<int64_t>> axes = op.axes(op.integers("axes", {0, 2, 3}), x.rank());
  if (failed(axes))
    return failure();
  Tensor wide = op.cast(x, statisticsType(x.element));
  Moments m = moments(op, wide, *axes);
  return op.result(op.elementwise({wide, m.mean, m.variance}, x.element, [&](const Scalars &s, ValueRange v) {
    Value deviation = s.add(sqrt(s, v[2]), s.constant(1e-9)); // the standard's function body adds it to the root
    return s.castTo(x.element, s.div(s.sub(v[0], v[1]), deviation));
  }));
}
} // namespace

void register_instance_normalization(Registry &registry) {
  registry.onOp("InstanceNormalization", {1, 6, 22}, "input[N,C,D*] scale[C] B[C]", instanceNormalization);
  registry.onOp("GroupNormalization", {18}, "X[N,C,D*] num_groups>=1 C%num_groups=0 scale[num_groups] bias[num_groups]",
                groupNormalization);
  registry.onOp("GroupNormalization", {21}, "X[N,C,D*] num_groups>=1 C%num_groups=0 scale[C] bias[C]",
                groupNormalization);
  registry.onOp("MeanVarianceNormalization", {9, 13}, "X[_*] axes@X #axes>=1", meanVarianceNormalization);
}

} // namespace sinter
