// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_scratch.h"

#include "templates/depthwise_columns.h"
#include "templates/line_core_m0.h"

using namespace mlir;

namespace sinter {
namespace {

template <class Core>
LineCore describe(StringRef type, StringRef header) {
  return {type,        header,          Core::kStep,    Core::kHeader, Core::template reads<int8_t>(),
          Core::kFour, lineCount<Core>, linePitch<Core>};
}

/// The core of the kernel that `op` was packed for; null for others.
const LineCore *coreOf(Operation *op) {
  auto kernels = op->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>("sinter.int_kernels");
  return kernels ? lineCore(kernels.getValue()) : nullptr;
}

/// A size for which scratch is reserved: the most where it is not known.
int64_t known(int64_t size) { return ShapedType::isDynamic(size) ? (int64_t(1) << 30) : size; }

} // namespace

const LineCore *lineCore(StringRef kernels) {
  static const LineCore plain = describe<PlainLines>("PlainLines", "templates/line_core_plain.h"),
                        biased = describe<BiasedLines>("BiasedLines", "templates/line_core_m0.h"),
                        vectors = describe<VectorLines>("VectorLines", "templates/line_core_mve.h");
  return kernels == "m0" ? &biased : kernels == "m3" ? &plain : kernels == "mve" ? &vectors : nullptr;
}

int64_t lineScratch(ConvOp op) {
  const LineCore *core = coreOf(op);
  StringRef packed = op.getPacked();
  if (!core || (packed != "lines" && packed != "windows" && packed != "columns"))
    return 0;
  auto in = cast<MemRefType>(op.getInput().getType()), out = cast<MemRefType>(op.getInits()[0].getType());
  auto spatial = static_cast<int64_t>(op.getStrides().size());
  int64_t channels = in.getShape().back(), width = known(out.getDimSize(1 + spatial)),
          height = spatial == 2 ? known(out.getDimSize(2)) : 1, taps = 1;
  auto kernel = op->getAttrOfType<DenseI64ArrayAttr>("taps").asArrayRef();
  for (int64_t tap : kernel)
    taps *= tap;
  if (packed == "columns")
    return columnScratch(channels, width, op.getStrides().back());
  if (packed == "windows")
    return taps * channels;
  // The kernel's own condition for lines that lie in the input.
  auto [strides, offset] = getStridesAndOffset(in);
  (void)offset;
  bool isDense = !ShapedType::isDynamic(in.getDimSize(1 + spatial)) && strides[1 + spatial] == channels &&
                 (spatial == 1 || strides[2] == in.getDimSize(3) * channels);
  bool isPlain = taps == 1 && !op.getRowPad() && op.isInputUnsigned() == false &&
                 llvm::all_of(op.getStrides(), [](int64_t stride) { return stride == 1; }) &&
                 llvm::all_of(op.getPads(), [](int64_t pad) { return pad == 0; }) &&
                 in.getDimSize(1 + spatial) == out.getDimSize(1 + spatial);
  if (isDense && isPlain && core->readsInPlace && channels % core->step == 0)
    return 0;
  int64_t pixels = std::min<int64_t>(int64_t(1) << 30, height) * std::min<int64_t>(int64_t(1) << 30, width);
  return core->count(taps * channels, pixels) * core->pitch(taps * channels);
}

int64_t lineScratch(MatmulOp op) {
  const LineCore *core = coreOf(op);
  if (!core || op.getPacked() != "lines")
    return 0;
  int64_t k = cast<MemRefType>(op.getLhs().getType()).getShape().back();
  return core->readsInPlace && !op.isLhsUnsigned() && k % core->step == 0 ? 0 : core->pitch(k);
}

} // namespace sinter
