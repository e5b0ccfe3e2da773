// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spatial.h"

#include "crop.h"
#include "frontend/limits.h"
#include "runtime_sizes.h"
#include "size_relation.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sinter {

std::optional<SmallVector<int64_t>> Window::constantLow() const {
  SmallVector<int64_t> pads;
  for (Size pad : low) {
    std::optional<int64_t> fixed = constantOf(pad);
    if (!fixed)
      return std::nullopt;
    pads.push_back(*fixed);
  }
  return pads;
}

SmallVector<int64_t> Window::constantKernel() const {
  return llvm::map_to_vector(kernel, [](Size size) { return *constantOf(size); });
}

Size Window::extent(const Tensors &t, int64_t i) const {
  Size steps = mul(t.b, t.loc, sub(t.b, t.loc, kernel[i], sizeOf(t.b, 1)), sizeOf(t.b, dilations[i]));
  return add(t.b, t.loc, steps, sizeOf(t.b, 1));
}

bool Window::hasPads() const {
  auto isZero = [](Size pad) { return constantOf(pad) == 0; };
  return !llvm::all_of(low, isZero) || !llvm::all_of(high, isZero);
}

Tensor pool(const Tensors &t, Tensor x, const Window &window, PoolKind kind, bool countIncludePad,
            PoolScalesAttr scales) {
  SmallVector<int64_t> pads = *window.constantLow();
  for (Size high : window.high)
    pads.push_back(kind == PoolKind::Max ? 0 : *constantOf(high));
  Sizes sizes{t.size(x, 0), t.size(x, 1)};
  llvm::append_range(sizes, window.outputs);
  Tensor y = t.empty(sizes, x.element);
  auto op = t.b.create<PoolOp>(t.loc, y.value.getType(), x.value, Value(), ValueRange(y.value), kind,
                               window.constantKernel(), window.strides, window.dilations, pads, "nchw", countIncludePad,
                               isUnsignedInteger(x.element), scales);
  return {op->getResult(0), x.element};
}

namespace {

/// Output size and pads of one dim under SAME_UPPER or SAME_LOWER.
void padSame(const Op &op, Window &window, int64_t i, Size input, bool upper) {
  OpBuilder &b = op.b;
  Size output = ceilDiv(b, op.loc, input, window.strides[i]);
  Size covered = add(b, op.loc, mul(b, op.loc, sub(b, op.loc, output, sizeOf(b, 1)), sizeOf(b, window.strides[i])),
                     window.extent(op, i));
  Size total = sub(b, op.loc, covered, input);
  if (!certainlyNonNegative(total))
    total = maximum(b, op.loc, total, sizeOf(b, 0));
  Size smaller = floorDiv(b, op.loc, total, 2), larger = sub(b, op.loc, total, smaller);
  window.low[i] = upper ? smaller : larger;
  window.high[i] = upper ? larger : smaller;
  window.outputs.push_back(output);
}

LogicalResult countExplicit(const Op &op, Window &window, int64_t i, Size input, bool ceil) {
  OpBuilder &b = op.b;
  Size padded = add(b, op.loc, add(b, op.loc, input, window.low[i]), window.high[i]);
  Size room = sub(b, op.loc, padded, window.extent(op, i));
  Size steps = ceil ? ceilDiv(b, op.loc, room, window.strides[i]) : floorDiv(b, op.loc, room, window.strides[i]);
  Size output = add(b, op.loc, steps, sizeOf(b, 1));
  if (ceil) { // a window that would start behind the input is left out
    Size starts = ceilDiv(b, op.loc, add(b, op.loc, input, window.low[i]), window.strides[i]);
    if (!certainlyAtMost(op, output, starts))
      output = minimum(b, op.loc, output, starts);
  }
  if (std::optional<int64_t> known = constantOf(output); known && *known < 0)
    return op.fail(Code::ShapeMismatch, "the window covers " + Twine(*constantOf(window.extent(op, i))) + " of dim " +
                                            Twine(i + 2) + ", which has " + Twine(*constantOf(padded)) +
                                            " with its pads");
  if (auto range = rangeOf(output); range && range->first > mostElements)
    return op.fail(Code::TooManyElements, "there are more than " + Twine(mostElements) + " places for the window");
  if (!certainlyNonNegative(output)) {
    if (failed(mustHold(op, relationHolds(op, ">=", output, sizeOf(b, 0)), "the window covers more than there is")))
      return failure();
    output = maximum(b, op.loc, output, sizeOf(b, 0));
  }
  window.outputs.push_back(output);
  return success();
}
} // namespace

FailureOr<Window> windowOf(const Op &op, ArrayRef<Size> spatial, ArrayRef<Size> kernel) {
  size_t rank = spatial.size();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  Window window;
  window.kernel.assign(kernel.begin(), kernel.end());
  window.strides = op.integers("strides", ones);
  window.dilations = op.integers("dilations", ones);
  SmallVector<int64_t> pads = op.integers("pads", zeros);
  if (window.kernel.size() != rank || window.strides.size() != rank || window.dilations.size() != rank ||
      pads.size() != 2 * rank)
    return op.fail(Code::ShapeMismatch,
                   "kernel_shape, strides, dilations or pads do not fit " + Twine(rank) + " spatial dims");
  for (size_t i = 0; i < rank; ++i)
    if (window.strides[i] < 1 || window.dilations[i] < 1 || constantOf(window.kernel[i]).value_or(1) < 1)
      return op.fail(Code::ShapeMismatch, "a stride, dilation or kernel size is less than 1");
  // Windows and pads are reckoned with in 64 bits, by kernels too: nothing of a size that a tensor could not have.
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent, most = rangeOf(window.kernel[i]).value_or(std::pair(int64_t(1), mostElements)).second;
    if (most > mostElements || window.dilations[i] > mostElements ||
        llvm::MulOverflow(most, window.dilations[i], extent) || extent > mostElements ||
        std::max(pads[i], pads[i + rank]) > mostElements || std::min(pads[i], pads[i + rank]) < -mostElements)
      return op.fail(Code::TooManyElements,
                     "kernel_shape, dilations or pads reach over more than " + Twine(mostElements) + " elements");
  }
  for (int64_t &stride : window.strides) // beyond any tensor they are all alike
    stride = std::min(stride, mostElements);
  StringRef mode = op.string("auto_pad", "NOTSET");
  if (mode == "VALID")
    pads = zeros;
  bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  window.low = sizesOf(op.b, ArrayRef(pads).take_front(rank));
  window.high = sizesOf(op.b, ArrayRef(pads).drop_front(rank));
  for (size_t i = 0; i < rank; ++i) {
    if (same)
      padSame(op, window, i, spatial[i], mode == "SAME_UPPER");
    else if (failed(countExplicit(op, window, i, spatial[i], op.integer("ceil_mode", 0))))
      return failure();
  }
  return window;
}

Tensor padSpatial(const Tensors &t, Tensor x, ArrayRef<Size> low, ArrayRef<Size> high, Value value) {
  Sizes own = t.sizes(x);
  Size none = sizeOf(t.b, 0);
  SmallVector<Crop> crops{cropOf(t, own[0], none, none), cropOf(t, own[1], none, none)};
  for (auto [size, before, after] : llvm::zip_equal(ArrayRef(own).drop_front(2), low, high))
    crops.push_back(cropOf(t, size, before, after));
  return padCropped(t, x, crops, value);
}

Tensor convolve(const Tensors &t, Tensor x, Tensor w, const Window &window, int64_t group, ElementType result,
                ZeroPoints zeros) {
  OpBuilder &b = t.b;
  if (result == ElementType::Undefined)
    result = x.element;
  SmallVector<int64_t> pads(window.rank(), 0);
  bool negative = false;
  if (auto fixed = window.constantLow())
    pads = *fixed;
  for (Size high : window.high)
    negative |= constantOf(high).value_or(0) < 0;
  negative |= llvm::any_of(pads, [](int64_t p) { return p < 0; });
  if (!window.constantLow()) {
    Value outside = narrow(b, t.loc, x.element, Scalars{b, t.loc, x.element}.constant(static_cast<double>(zeros.left)));
    x = padSpatial(t, x, window.low, window.high, outside);
  } else if (negative) { // a negative pad crops; the op's own pads are never negative
    Sizes sizes = t.sizes(x);
    SmallVector<Size> offsets(sizes.size(), sizeOf(b, 0)), ones(sizes.size(), sizeOf(b, 1));
    for (int64_t i = 0; i < window.rank(); ++i) {
      int64_t high = constantOf(window.high[i]).value_or(0),
              cut = std::max<int64_t>(-pads[i], 0) + std::max<int64_t>(-high, 0);
      offsets[i + 2] = sizeOf(b, std::max<int64_t>(-pads[i], 0));
      sizes[i + 2] = sub(b, t.loc, sizes[i + 2], sizeOf(b, cut));
      pads[i] = std::max<int64_t>(pads[i], 0);
    }
    x = t.slice(x, offsets, sizes, ones);
  }
  Sizes sizes{t.size(x, 0), t.size(w, 0)};
  llvm::append_range(sizes, window.outputs);
  Tensor init = t.empty(sizes, result);
  auto conv = b.create<ConvOp>(t.loc, TypeRange(init.type()), x.value, w.value, ValueRange(), /*row_pad=*/Value(),
                               /*row_phase=*/Value(), ValueRange(init.value), window.strides, window.dilations, pads,
                               group, "nchw", b.getArrayAttr({}), signsOf(x, w), zeros.left, zeros.right, KernelAttr(),
                               CandidatesAttr(),
                               /*most_rows=*/IntegerAttr());
  OpBuilder::InsertionGuard guard(b);
  Block *epilogue = b.createBlock(&conv.getEpilogue(), {}, computeType(result, b.getContext()), t.loc);
  b.create<YieldOp>(t.loc, narrow(b, t.loc, result, epilogue->getArgument(0)));
  return {conv.getResult(0), result};
}

Tensor addChannelBias(const Tensors &t, Tensor y, Tensor bias) {
  SmallVector<int64_t> spatial = llvm::to_vector(llvm::seq<int64_t>(1, y.rank() - 1));
  return t.elementwise({y, t.unsqueeze(bias, spatial)}, bias.element,
                       [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
}

bool coversAll(const Op &op, Tensor x, const Window &window) {
  for (int64_t d = 0; d < window.rank(); ++d) {
    std::optional<int64_t> size = constantOf(op.sizes(x)[2 + d]), kernel = constantOf(window.kernel[d]),
                           low = constantOf(window.low[d]), outputs = constantOf(window.outputs[d]);
    if (!size || !kernel || !low || !outputs)
      return false;
    if (*size == 0 || *outputs != 1 || window.dilations[d] != 1 || *kernel - *low < *size)
      return false;
  }
  return true;
}

SmallVector<int64_t> spatialAxes(Tensor x) { return llvm::to_vector(llvm::seq<int64_t>(2, x.rank())); }

Tensor convolveWithBias(const Tensors &t, Tensor x, Tensor w, const Window &window, int64_t group,
                        std::optional<Tensor> bias) {
  if (!bias)
    return convolve(t, x, w, window, group);
  ElementType sums = isNarrowFloat(x.element) ? ElementType::Float : x.element;
  return addChannelBias(t, convolve(t, x, w, window, group, sums), *bias);
}

} // namespace sinter
