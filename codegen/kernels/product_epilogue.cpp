// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product_epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// What an epilogue does to its accumulator, step by step, as templates/quantized/requantize.h has it.
class RequantizeMatch {
public:
  RequantizeMatch(Block &block, ValueRange inputs, ArrayAttr maps) : block(block), inputs(inputs), maps(maps) {}

  Value bias, factor;              ///< per channel
  std::optional<double> oneFactor; ///< or the same for all
  double low = -0x1p23, high = 0x1p23, zero = 0;

  bool matches(int64_t channels) {
    Value x = block.getArgument(0);
    Operation *op = next(x);
    if (!op || !isa<arith::AddIOp>(op) || !(bias = operand(op, x, channels)))
      return false;
    x = op->getResult(0);
    if (!(op = next(x)) || !isa<arith::SIToFPOp>(op) || !op->getResult(0).getType().isF32())
      return false;
    x = op->getResult(0);
    if (!(op = next(x)) || !isa<arith::MulFOp>(op))
      return false;
    if (Attribute constant; matchPattern(op->getOperand(op->getOperand(0) == x ? 1 : 0), m_Constant(&constant)))
      oneFactor = cast<FloatAttr>(constant).getValueAsDouble();
    else if (!(factor = operand(op, x, channels)))
      return false;
    x = op->getResult(0);
    if (!(op = next(x)) || !isa<math::RoundEvenOp>(op))
      return false;
    for (x = op->getResult(0); (op = next(x)) && !isa<YieldOp>(op); x = op->getResult(0))
      if (!step(op))
        return false;
    return op && x.getType().isInteger(8) && low <= high && std::abs(zero) < 0x1p20;
  }

private:
  /// The only reader of x.
  static Operation *next(Value x) { return x.hasOneUse() ? *x.user_begin() : nullptr; }

  /// The epilogue input that `op` takes beside x, if it has one element per channel, in order.
  Value operand(Operation *op, Value x, int64_t channels) const {
    auto argument = dyn_cast<BlockArgument>(op->getOperand(op->getOperand(0) == x ? 1 : 0));
    if (!argument || argument.getOwner() != &block || argument.getArgNumber() == 0)
      return {};
    unsigned number = argument.getArgNumber() - 1;
    auto type = dyn_cast<MemRefType>(inputs[number].getType());
    AffineMap map = cast<AffineMapAttr>(maps[number]).getValue();
    if (!type || !type.hasStaticShape() || type.getNumElements() != channels || !type.getLayout().isIdentity())
      return {};
    for (auto [size, result] : llvm::zip(type.getShape(), map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result); size != 1 && (!dim || dim.getPosition() + 1 != map.getNumDims()))
        return {};
    return inputs[number];
  }

  bool step(Operation *op) {
    if (isa<arith::FPToSIOp, arith::TruncIOp>(op))
      return op->getResult(0).getType().isInteger(32) || op->getResult(0).getType().isInteger(8);
    Attribute constant;
    if (op->getNumOperands() != 2 || !matchPattern(op->getOperand(1), m_Constant(&constant)))
      return false;
    auto number = dyn_cast<FloatAttr>(constant);
    double c =
        number ? number.getValueAsDouble() : static_cast<double>(cast<IntegerAttr>(constant).getValue().getSExtValue());
    if (c != std::floor(c))
      return false;
    if (isa<arith::AddFOp, arith::AddIOp>(op))
      zero += c;
    else if (isa<arith::MaximumFOp, arith::MaxSIOp>(op))
      low = std::max(low, c - zero);
    else if (isa<arith::MinimumFOp, arith::MinSIOp>(op))
      high = std::min(high, c - zero);
    else
      return false;
    return true;
  }

  Block &block;
  ValueRange inputs;
  ArrayAttr maps;
};

template <class Product>
std::optional<Code> requantizeOf(Product op, KernelFunction &function) {
  RequantizeMatch match(op.getEpilogue().front(), op.getEpilogueInputs(), op.getEpilogueMaps());
  if (!match.matches(cast<MemRefType>(op.getInits()[0].getType()).getShape().back()))
    return std::nullopt;
  function.need("templates/quantized/requantize.h");
  auto pointer = [&](Value value) { return function.pointer(function.values().view(value), "e", false); };
  Code bias(pointer(match.bias)), factor, step;
  if (match.oneFactor) {
    Identifier factors = function.names.make("factors");
    Code each = Code::number(*match.oneFactor, true);
    function.body.line("static constexpr float ", factors, "[4] = {", each, ", ", each, ", ", each, ", ", each, "};");
    factor = Code(factors);
    step = ", 0";
  } else {
    factor = Code(pointer(match.factor));
  }
  return Code("Requantize{", bias, ", ", factor, ", ", static_cast<int64_t>(match.low), ", ",
              static_cast<int64_t>(match.high), ", ", static_cast<int64_t>(match.zero), step, "}");
}

} // namespace

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

template <class Product>
static FailureOr<Code> printOf(Product op, const ProductCall &call, KernelFunction &function,
                               function_ref<FailureOr<Code>()> printRegion) {
  if (std::optional<Code> known = call.takesRequantize ? requantizeOf(op, function) : std::nullopt)
    return *known;
  if (ArrayRef<int64_t> rescale = op.getKernelAttr().numbers("rescale"); !rescale.empty())
    return printRescale(rescale, op.getEpilogue().front(), function, printRegion);
  return printRegion();
}

FailureOr<Code> printProductEpilogue(ConvOp op, const ProductCall &call, KernelFunction &function,
                                     function_ref<FailureOr<Code>()> printRegion) {
  return printOf(op, call, function, printRegion);
}
FailureOr<Code> printProductEpilogue(MatmulOp op, const ProductCall &call, KernelFunction &function,
                                     function_ref<FailureOr<Code>()> printRegion) {
  return printOf(op, call, function, printRegion);
}

} // namespace sinter
