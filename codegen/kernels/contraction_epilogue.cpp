// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contraction_epilogue.h"

#include "ir/requantize.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
/// `Requantize{...}` where the epilogue is one; nothing for others.
static std::optional<Code> requantizeOf(Operation *contraction, KernelFunction &function) {
  std::optional<RequantizedSum> sum = RequantizedSum::of(contraction);
  if (!sum)
    return std::nullopt;
  function.need("templates/quantized/requantize.h");
  auto pointer = [&](Value value) { return function.pointer(function.values().view(value), "e", false); };
  Code bias(pointer(sum->bias)), factor, step;
  if (sum->oneFactor) {
    Identifier factors = function.names.make("factors");
    Code each = Code::number(*sum->oneFactor, true);
    function.body.line("static constexpr float ", factors, "[4] = {", each, ", ", each, ", ", each, ", ", each, "};");
    factor = Code(factors);
    step = ", 0";
  } else {
    factor = Code(pointer(sum->factor));
  }
  return Code("Requantize{", bias, ", ", factor, ", ", sum->low, ", ", sum->high, ", ", sum->zero, step, "}");
}

/// Where packing has moved the rounding into the weights: an object that knows what is left, with the region behind it
/// if that does more than narrow the element.
static FailureOr<Code> printRescale(ArrayRef<int64_t> zeroLowHigh, Block &region, KernelFunction &function,
                                    function_ref<FailureOr<Code>()> printRegion) {
  function.need("templates/quantized/rescale.h");
  Code object("Rescale<", zeroLowHigh[1], ", ", zeroLowHigh[2], ">{", zeroLowHigh[0], "}");
  if (auto narrowed = region.getTerminator()->getOperand(0).getDefiningOp<arith::TruncIOp>();
      narrowed && narrowed.getIn() == region.getArgument(0))
    return object;
  FailureOr<Code> then = printRegion();
  if (failed(then))
    return failure();
  return Code("rescaledThen(", object, ", ", *then, ")");
}

template <class Contraction>
static FailureOr<Code> printOf(Contraction op, const Target &target, KernelFunction &function,
                               function_ref<FailureOr<Code>()> printRegion) {
  if (std::optional<Code> known = takesRequantize(op, target) ? requantizeOf(op, function) : std::nullopt)
    return *known;
  if (ArrayRef<int64_t> rescale = op.getKernelAttr().numbers("rescale"); !rescale.empty())
    return printRescale(rescale, op.getEpilogue().front(), function, printRegion);
  return printRegion();
}

FailureOr<Code> printContractionEpilogue(ConvOp op, const Target &target, KernelFunction &function,
                                         function_ref<FailureOr<Code>()> printRegion) {
  return printOf(op, target, function, printRegion);
}
FailureOr<Code> printContractionEpilogue(MatmulOp op, const Target &target, KernelFunction &function,
                                         function_ref<FailureOr<Code>()> printRegion) {
  return printOf(op, target, function, printRegion);
}

} // namespace sinter
