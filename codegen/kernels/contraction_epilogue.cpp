// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contraction_epilogue.h"

#include "ir/requantize.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
/// `Requantize{...}` where the epilogue is one; nothing for others.
static std::optional<PrintedCode> requantizeOf(Operation *contraction, KernelFunction &function) {
  std::optional<RequantizedSum> sum = RequantizedSum::of(contraction);
  if (!sum)
    return std::nullopt;
  function.need("templates/quantized/requantize.h");
  auto pointer = [&](Value value) { return function.pointer(function.values().view(value), "e", false); };
  PrintedCode bias(pointer(sum->bias)), factor, step;
  if (sum->oneFactor) {
    Identifier factors = function.names.make("factors");
    PrintedCode each = PrintedCode::number(*sum->oneFactor, true);
    function.body.line("static constexpr float ", factors, "[4] = {", each, ", ", each, ", ", each, ", ", each, "};");
    factor = PrintedCode(factors);
    step = ", 0";
  } else {
    factor = PrintedCode(pointer(sum->factor));
  }
  return PrintedCode("Requantize{", bias, ", ", factor, ", ", sum->low, ", ", sum->high, ", ", sum->zero, step, "}");
}

/// Where packing has moved the rounding into the weights: an object that knows what is left, with the region behind it
/// if that does more than narrow the element.
static FailureOr<PrintedCode> printRescale(ArrayRef<int64_t> zeroLowHigh, Block &region, KernelFunction &function,
                                           function_ref<FailureOr<PrintedCode>()> printRegion) {
  function.need("templates/quantized/rescale.h");
  PrintedCode object("Rescale<", zeroLowHigh[1], ", ", zeroLowHigh[2], ">{", zeroLowHigh[0], "}");
  if (auto narrowed = region.getTerminator()->getOperand(0).getDefiningOp<arith::TruncIOp>();
      narrowed && narrowed.getIn() == region.getArgument(0))
    return object;
  FailureOr<PrintedCode> then = printRegion();
  if (failed(then))
    return failure();
  return PrintedCode("rescaledThen(", object, ", ", *then, ")");
}

template <class Contraction>
static FailureOr<PrintedCode> printOf(Contraction op, const Target &target, KernelFunction &function,
                                      function_ref<FailureOr<PrintedCode>()> printRegion) {
  if (std::optional<PrintedCode> known = takesRequantize(op, target) ? requantizeOf(op, function) : std::nullopt)
    return *known;
  if (ArrayRef<int64_t> rescale = op.getKernelAttr().numbers("rescale"); !rescale.empty())
    return printRescale(rescale, op.getEpilogue().front(), function, printRegion);
  return printRegion();
}

FailureOr<PrintedCode> printContractionEpilogue(ConvOp op, const Target &target, KernelFunction &function,
                                                function_ref<FailureOr<PrintedCode>()> printRegion) {
  return printOf(op, target, function, printRegion);
}
FailureOr<PrintedCode> printContractionEpilogue(MatmulOp op, const Target &target, KernelFunction &function,
                                                function_ref<FailureOr<PrintedCode>()> printRegion) {
  return printOf(op, target, function, printRegion);
}

} // namespace sinter
