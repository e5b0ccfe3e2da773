// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_scratch.h"

#include "kernels/lines/line_core.h"
#include "templates/lines/depthwise_columns.h"

using namespace mlir;

namespace sinter {
namespace {

/// Whether all windows of a channels-last convolution are inside of the image.
bool isInside(ConvOp op, MemRefType in, MemRefType out, ArrayRef<int64_t> kernel) {
  for (size_t d = 0; d < kernel.size(); ++d) {
    int64_t size = in.getDimSize(2 + d), last = out.getDimSize(2 + d) - 1;
    if (op.getPads()[d] != 0 || ShapedType::isDynamic(size) || ShapedType::isDynamic(out.getDimSize(2 + d)) ||
        last * op.getStrides()[d] + (kernel[d] - 1) * op.getDilations()[d] >= size)
      return false;
  }
  return true;
}

template <class Product>
bool isKernel(Product op, StringRef name) {
  return op.getKernelAttr() && op.getKernelAttr().getName() == name;
}

/// A size for which scratch is reserved: the most where it is not known.
int64_t known(int64_t size) { return ShapedType::isDynamic(size) ? (int64_t(1) << 30) : size; }

} // namespace

bool readsLinesInPlace(ConvOp op, const LineCore *core) {
  if (!core || !isKernel(op, "conv_lines"))
    return false;
  auto in = cast<MemRefType>(op.getInput().getType());
  ArrayRef<int64_t> kernel = op.getKernelAttr().numbers("taps");
  auto [strides, offset] = getStridesAndOffset(in);
  (void)offset;
  int64_t kernelH = kernel.size() == 2 ? kernel[0] : 1;
  return core->readsInPlace && !op.isInputUnsigned() && op.getKernelAttr().number("runs") == kernelH &&
         (kernel.back() == 1 || (op.getDilations().back() == 1 && strides[1 + kernel.size()] == in.getShape().back()));
}

int64_t lineScratch(ConvOp op, const LineCore *core) {
  bool isColumns = isKernel(op, "depthwise_columns"), isWindows = isKernel(op, "depthwise_lines");
  if (!core || !(isColumns || isWindows || isKernel(op, "conv_lines")))
    return 0;
  auto in = cast<MemRefType>(op.getInput().getType()), out = cast<MemRefType>(op.getInits()[0].getType());
  auto spatial = static_cast<int64_t>(op.getStrides().size());
  int64_t channels = in.getShape().back(), width = known(out.getDimSize(1 + spatial)),
          height = spatial == 2 ? known(out.getDimSize(2)) : 1, taps = 1;
  ArrayRef<int64_t> kernel = op.getKernelAttr().numbers("taps");
  for (int64_t tap : kernel)
    taps *= tap;
  if (isColumns)
    return columnScratch(channels, width, op.getStrides().back());
  if (isWindows)
    return taps * channels;
  // The kernel's own condition for all lines lying in the input as they are wanted.
  int64_t runs = op.getKernelAttr().number("runs");
  bool isInPlace = readsLinesInPlace(op, core);
  if (isInPlace && kernel.back() * channels % core->step == 0 && !op.getRowPad() && isInside(op, in, out, kernel))
    return 0;
  int64_t pixels = std::min<int64_t>(int64_t(1) << 30, height) * std::min<int64_t>(int64_t(1) << 30, width);
  return core->count(taps * channels, runs, isInPlace, pixels) * core->pitch(taps * channels, runs);
}

int64_t lineScratch(MatmulOp op, const LineCore *core) {
  if (!core || !isKernel(op, "gemm_lines"))
    return 0;
  int64_t k = cast<MemRefType>(op.getLhs().getType()).getShape().back();
  return core->readsInPlace && !op.isLhsUnsigned() && k % core->step == 0 ? 0 : core->pitch(k, 1);
}

} // namespace sinter
