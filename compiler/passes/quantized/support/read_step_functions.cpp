// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How epilogues become chains of steps, whatever operations they are spelled in: from the element that is yielded back
// to the sum, along the one operand that depends on it; all else must be constant.
#include "step_function.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// Reads an epilogue's constants for one channel.
class ChainReader {
public:
  /// `inputs`: nothing for what is known at run time only.
  ChainReader(Block &epilogue, ArrayRef<std::optional<HostTensor>> inputs, ArrayRef<AffineMap> maps,
              ArrayRef<int64_t> channelDims)
      : epilogue(epilogue), inputs(inputs), maps(maps), channelDims(channelDims) {}

  std::optional<StepFunction> read(Value value, int64_t c) {
    channel = c;
    StepFunction function;
    while (value != epilogue.getArgument(0)) {
      Operation *op = value.getDefiningOp();
      if (!op || op->getBlock() != &epilogue)
        return std::nullopt;
      std::optional<unsigned> on = operandOnChain(op);
      EpilogueStep step;
      if (!on || !readStep(op, *on, step))
        return std::nullopt;
      function.steps.push_back(step);
      value = op->getOperand(*on);
    }
    std::reverse(function.steps.begin(), function.steps.end());
    return function;
  }

private:
  bool dependsOnSum(Value value) {
    if (value == epilogue.getArgument(0))
      return true;
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == &epilogue &&
           llvm::any_of(op->getOperands(), [&](Value v) { return dependsOnSum(v); });
  }
  std::optional<unsigned> operandOnChain(Operation *op) {
    std::optional<unsigned> on;
    for (OpOperand &operand : op->getOpOperands())
      if (dependsOnSum(operand.get())) {
        if (on)
          return std::nullopt;
        on = operand.getOperandNumber();
      }
    return on;
  }

  bool readStep(Operation *op, unsigned on, EpilogueStep &step) {
    ChainNumber other;
    if (op->getNumOperands() == 2) {
      std::optional<ChainNumber> number = constant(op->getOperand(1 - on));
      if (!number)
        return false;
      other = *number;
      step.number = other.f;
      step.integer = other.i;
    }
    auto is = [&](EpilogueStep::Kind kind) {
      step.kind = kind;
      return true;
    };
    auto limits = [&](bool isUnsigned) {
      auto type = dyn_cast<IntegerType>(op->getResult(0).getType());
      if (!type || type.getWidth() > 32)
        return false;
      step.low = isUnsigned ? 0 : -(int64_t(1) << (type.getWidth() - 1));
      step.high = isUnsigned ? (int64_t(1) << type.getWidth()) - 1 : -step.low - 1;
      return true;
    };
    if (isa<arith::MulFOp, arith::DivFOp, arith::AddFOp, arith::SubFOp, arith::MaximumFOp, arith::MinimumFOp,
            arith::MaxNumFOp, arith::MinNumFOp>(op) &&
        (!op->getResult(0).getType().isF32() || !std::isfinite(step.number)))
      return false;
    if (isa<arith::AddIOp>(op))
      return is(EpilogueStep::AddInt);
    if (isa<arith::SubIOp>(op) && on == 0) {
      step.integer = -step.integer;
      return is(EpilogueStep::AddInt);
    }
    if (isa<arith::SIToFPOp>(op))
      return op->getResult(0).getType().isF32() && is(EpilogueStep::ToFloat);
    if (isa<arith::MulFOp>(op))
      return step.number > 0 && is(EpilogueStep::Mul);
    if (isa<arith::DivFOp>(op))
      return on == 0 && step.number > 0 && is(EpilogueStep::Div);
    if (isa<arith::AddFOp>(op))
      return is(EpilogueStep::AddFloat);
    if (isa<arith::SubFOp>(op) && on == 0) {
      step.number = -step.number;
      return is(EpilogueStep::AddFloat);
    }
    if (isa<math::RoundEvenOp>(op))
      return is(EpilogueStep::RoundEven);
    if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
      return is(EpilogueStep::MaxFloat);
    if (isa<arith::MinimumFOp, arith::MinNumFOp>(op))
      return is(EpilogueStep::MinFloat);
    if (isa<arith::MaxSIOp>(op))
      return is(EpilogueStep::MaxInt);
    if (isa<arith::MinSIOp>(op))
      return is(EpilogueStep::MinInt);
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      return limits(isa<arith::FPToUIOp>(op)) && is(EpilogueStep::ToInt);
    if (isa<arith::TruncIOp>(op)) { // whether as signed or as unsigned shows in the values
      if (!limits(false))
        return false;
      step.high = 2 * step.high + 1;
      return is(EpilogueStep::Narrow);
    }
    return false;
  }

  std::optional<ChainNumber> constant(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &epilogue)
      return inputAt(argument.getArgNumber() - 1);
    Attribute attribute;
    if (matchPattern(value, m_Constant(&attribute))) {
      if (auto number = dyn_cast<FloatAttr>(attribute); number && number.getType().isF32())
        return ChainNumber{true, number.getValue().convertToFloat(), 0};
      if (auto integer = dyn_cast<IntegerAttr>(attribute))
        return ChainNumber{false, 0, integer.getInt()};
      return std::nullopt;
    }
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumOperands() == 0)
      return std::nullopt;
    std::optional<ChainNumber> x = constant(op->getOperand(0));
    EpilogueStep step;
    if (!x)
      return std::nullopt;
    if (isa<arith::UIToFPOp>(op)) {
      auto width = op->getOperand(0).getType().getIntOrFloatBitWidth();
      return ChainNumber{true, static_cast<float>(x->i & ((int64_t(1) << width) - 1)), 0};
    }
    if (isa<arith::ExtSIOp>(op))
      return x;
    if (isa<arith::ExtUIOp>(op)) {
      x->i &= (int64_t(1) << op->getOperand(0).getType().getIntOrFloatBitWidth()) - 1;
      return x;
    }
    if (!readStep(op, 0, step) || !step.apply(*x))
      return std::nullopt;
    return x;
  }
  std::optional<ChainNumber> inputAt(unsigned number) {
    if (!inputs[number])
      return std::nullopt;
    const HostTensor &tensor = *inputs[number];
    AffineMap map = maps[number];
    int64_t at = 0;
    for (auto [result, extent] : llvm::zip(map.getResults(), tensor.shape())) {
      int64_t index = 0;
      if (auto dim = dyn_cast<AffineDimExpr>(result)) {
        if (extent != 1 && dim.getPosition() != channelDims.back())
          return std::nullopt; // varies along another dim
        index = extent == 1 ? 0 : channel;
      } else if (auto fixed = dyn_cast<AffineConstantExpr>(result)) {
        index = fixed.getValue();
      } else {
        return std::nullopt;
      }
      if (index >= extent)
        return std::nullopt;
      at = at * extent + index;
    }
    if (tensor.getElementType().isF32())
      return ChainNumber{true, tensor.at<float>(at), 0};
    if (tensor.getElementType().isInteger())
      return ChainNumber{false, 0, tensor.integerAt(at)};
    return std::nullopt;
  }

  Block &epilogue;
  ArrayRef<std::optional<HostTensor>> inputs;
  ArrayRef<AffineMap> maps;
  ArrayRef<int64_t> channelDims;
  int64_t channel = 0;
};

/// The integers behind a rounding that follow from the sum along values with one reader each; the last one first.
SmallVector<Value> roundedValues(Block &epilogue) {
  SmallVector<Value> values;
  bool isRounded = false;
  for (Value value = epilogue.getArgument(0); value.hasOneUse();) {
    Operation *op = *value.user_begin();
    if (op->getNumResults() != 1)
      break;
    value = op->getResult(0);
    isRounded |= isa<arith::FPToSIOp, arith::FPToUIOp>(op);
    if (isRounded && isa<IntegerType>(value.getType()))
      values.insert(values.begin(), value);
  }
  return values;
}

} // namespace

std::optional<RoundedSum> roundedSum(Block &epilogue, ValueRange inputs, ArrayAttr maps, ArrayRef<int64_t> channelDims,
                                     int64_t channels, EvaluationCache &cache) {
  SmallVector<std::optional<HostTensor>> tensors;
  for (Value input : inputs)
    tensors.push_back(isConstant(input, cache) ? evaluate(input, cache) : std::nullopt);
  SmallVector<AffineMap> affine(maps.getAsValueRange<AffineMapAttr>());
  ChainReader reader(epilogue, tensors, affine, channelDims);
  for (Value element : roundedValues(epilogue)) {
    RoundedSum rounded{element, {}};
    for (int64_t c = 0; c < channels; ++c) {
      std::optional<StepFunction> function = reader.read(element, c);
      if (!function)
        break;
      rounded.functions.push_back(std::move(*function));
    }
    if (static_cast<int64_t>(rounded.functions.size()) == channels)
      return rounded;
  }
  return std::nullopt;
}

} // namespace sinter
