// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of contractions: each adjoint is a contraction of the result's adjoint and the other operand. Those of MatMul,
// for operands of any ranks, are operators of domain "sinter", which have rules in turn (ops/onnx/gradient.cpp).
#include "gradient_rules.h"

using namespace mlir;

namespace sinter {
namespace {

void matmulRule(Adjoint &a) {
  if (a.wants(0))
    a.give(0, a.own("MatMulLeft", {a.dy(), a.x(1), a.x(0)}));
  if (a.wants(1))
    a.give(1, a.own("MatMulRight", {a.x(0), a.dy(), a.x(1)}));
}

/// Of the adjoint of a product and its right operand.
void matmulLeftRule(Adjoint &a) {
  if (a.wants(0))
    a.give(0, a.op("MatMul", {a.dy(), a.x(1)}));
  if (a.wants(1))
    a.give(1, a.own("MatMulRight", {a.dy(), a.x(0), a.x(1)}));
}

/// Of its left operand and its adjoint.
void matmulRightRule(Adjoint &a) {
  if (a.wants(0))
    a.give(0, a.own("MatMulLeft", {a.x(1), a.dy(), a.x(0)}));
  if (a.wants(1))
    a.give(1, a.op("MatMul", {a.x(0), a.dy()}));
}

void sumLikeRule(Adjoint &a) { a.give(0, a.op("Expand", {a.dy(), a.shape(a.x())})); }

void gemmRule(Adjoint &a) {
  bool turnA = a.integer("transA", 0), turnB = a.integer("transB", 0);
  auto product = [&](Value left, Value right, bool turnLeft, bool turnRight) {
    NamedAttribute attributes[] = {a.attribute("alpha", a.real("alpha", 1)), a.attribute("beta", 1.0),
                                   a.attribute("transA", int64_t(turnLeft)), a.attribute("transB", int64_t(turnRight))};
    return a.op("Gemm", {left, right}, attributes);
  };
  if (a.wants(0))
    a.give(0, turnA ? product(a.x(1), a.dy(), turnB, true) : product(a.dy(), a.x(1), false, !turnB));
  if (a.wants(1))
    a.give(1, turnB ? product(a.dy(), a.x(0), true, turnA) : product(a.x(0), a.dy(), !turnA, false));
  if (a.wants(2))
    a.giveSummed(2, a.mul(a.dy(), a.number(a.real("beta", 1), a.dy())));
}

/// dx: what a transposed convolution makes of dy. With strides, what no window reaches at the ends is 0, and what
/// windows reached of the pads behind goes.
Value convolvedBack(Adjoint &a, ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations, ArrayRef<int64_t> pads) {
  size_t rank = strides.size();
  bool isExact = llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
  SmallVector<int64_t> taken(pads);
  if (!isExact)
    std::fill(taken.begin() + static_cast<std::ptrdiff_t>(rank), taken.end(), 0);
  NamedAttribute attributes[] = {a.attribute("auto_pad", "NOTSET"), a.attribute("strides", strides),
                                 a.attribute("dilations", dilations), a.attribute("pads", ArrayRef<int64_t>(taken)),
                                 a.attribute("group", a.integer("group", 1))};
  Value reached = a.op("ConvTranspose", {a.dy(), a.x(1)}, attributes);
  if (isExact)
    return reached;
  Value none = a.integers(SmallVector<int64_t>(rank + 2, 0));
  Value missing = a.op("Concat", {none, a.sub(a.shape(a.x()), a.shape(reached))}, {a.attribute("axis", int64_t(0))});
  return a.op("Pad", {reached, missing}, {a.attribute("mode", "constant")});
}

/// dw: each tap is the product of dy and the input under it. A convolution over the batch, in which channels are what
/// images were and dy is the kernel: strides and dilations change places.
Value convolvedWeights(Adjoint &a, ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations, ArrayRef<int64_t> pads) {
  auto rank = static_cast<int64_t>(strides.size());
  int64_t groups = a.integer("group", 1);
  NamedAttribute keepZero = a.attribute("allowzero", int64_t(0)), first = a.attribute("axis", int64_t(0));
  auto spatial = llvm::to_vector(llvm::seq<int64_t>(2, rank + 2));
  auto part = [&](Value sizes, ArrayRef<int64_t> which) { return a.op("Gather", {sizes, a.integers(which)}, first); };
  auto apart = [&](Value v) { // [N, groups, C / groups, ...]
    Value sizes = a.shape(v);
    Value split = a.op("Concat", {part(sizes, 0), a.integers({groups, -1}), part(sizes, spatial)}, first);
    return a.op("Reshape", {v, split}, keepZero);
  };
  auto turned = [&](Value v, ArrayRef<int64_t> front) {
    SmallVector<int64_t> order(front);
    for (int64_t d = static_cast<int64_t>(front.size()); d < rank + 3; ++d)
      order.push_back(d);
    return a.op("Transpose", v, {a.attribute("perm", ArrayRef<int64_t>(order))});
  };
  Value batch = a.op("Gather", {a.shape(a.x()), a.integers(int64_t(0))}, first);
  Value images = turned(apart(a.x()), {2, 1, 0}), taps = turned(apart(a.dy()), {1, 2, 0});
  auto merged = [&](Value v, ArrayRef<Value> front) {
    SmallVector<Value> sizes(front);
    sizes.push_back(part(a.shape(v), llvm::to_vector(llvm::seq<int64_t>(3, rank + 3))));
    return a.op("Reshape", {v, a.op("Concat", sizes, first)}, keepZero);
  };
  Value minusOne = a.integers(int64_t(-1));
  Value channels = part(a.shape(a.x(1)), 1); // in a group
  images = merged(images, {channels, minusOne});
  taps = merged(taps, {minusOne, batch});
  NamedAttribute attributes[] = {a.attribute("auto_pad", "NOTSET"), a.attribute("strides", dilations),
                                 a.attribute("dilations", strides), a.attribute("pads", pads),
                                 a.attribute("group", groups)};
  Value all = a.op("Conv", {images, taps}, attributes); // [C / groups, M, at least the kernel's sizes]
  SmallVector<int64_t> order{1, 0};
  llvm::append_range(order, spatial);
  Value dw = a.op("Transpose", all, {a.attribute("perm", ArrayRef<int64_t>(order))});
  return a.op("Slice", {dw, a.integers(SmallVector<int64_t>(static_cast<size_t>(rank), 0)),
                        part(a.shape(a.x(1)), spatial), a.integers(spatial)});
}

void convRule(Adjoint &a) {
  auto kernel = dyn_cast<RankedTensorType>(a.x(1).getType());
  auto sizes = a.integers("kernel_shape");
  if (!kernel && !sizes)
    return a.unsupported("only with kernel_shape, where the rank is not stated");
  size_t rank = sizes ? sizes->size() : static_cast<size_t>(kernel.getRank() - 2);
  if (a.string("auto_pad") == "SAME_UPPER" || a.string("auto_pad") == "SAME_LOWER")
    return a.unsupported("only with pads that are stated");
  auto stated = [&](StringRef name, size_t count, int64_t otherwise) {
    auto list = a.integers(name);
    return list && !list->empty() ? SmallVector<int64_t>(*list) : SmallVector<int64_t>(count, otherwise);
  };
  auto strides = stated("strides", rank, 1), dilations = stated("dilations", rank, 1),
       pads = stated("pads", 2 * rank, 0);
  if (a.wants(0))
    a.give(0, convolvedBack(a, strides, dilations, pads));
  if (a.wants(1))
    a.give(1, convolvedWeights(a, strides, dilations, pads));
  if (a.wants(2)) {
    SmallVector<int64_t> axes{0};
    for (size_t d = 0; d < rank; ++d)
      axes.push_back(static_cast<int64_t>(d + 2));
    NamedAttribute attributes[] = {a.attribute("keepdims", int64_t(0)),
                                   a.attribute("noop_with_empty_axes", int64_t(0))};
    a.give(2, a.op("ReduceSum", {a.dy(), a.integers(axes)}, attributes));
  }
}

constexpr GradientRule productTable[] = {
    {"Conv", 1, convRule},
    {"Gemm", 7, gemmRule},
    {"MatMul", 1, matmulRule},
    {"MatMulLeft", 1, matmulLeftRule, "sinter"},
    {"MatMulRight", 1, matmulRightRule, "sinter"},
    {"SumLike", 1, sumLikeRule, "sinter"},
};
} // namespace

ArrayRef<GradientRule> productRules() { return productTable; }

} // namespace sinter
