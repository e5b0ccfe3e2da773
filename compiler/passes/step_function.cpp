// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How epilogues become chains of steps, and how a rescaling in integers is proved equal: every step of the function is
// an inequality for the factor, and together they leave an interval or nothing.
#include "step_function.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t sumLow = std::numeric_limits<int32_t>::min(), sumHigh = std::numeric_limits<int32_t>::max();

/// A float or an integer on its way through a chain.
struct Number {
  bool isFloat = false;
  float f = 0;
  int64_t i = 0;
};

/// False where the result does not fit.
bool apply(const ChainStep &step, Number &x) {
  switch (step.kind) {
  case ChainStep::AddInt:
    x.i += step.integer;
    return x.i >= sumLow && x.i <= sumHigh;
  case ChainStep::ToFloat:
    x.f = static_cast<float>(x.i);
    x.isFloat = true;
    return true;
  case ChainStep::Mul:
    x.f *= step.number;
    return true;
  case ChainStep::Div:
    x.f /= step.number;
    return true;
  case ChainStep::AddFloat:
    x.f += step.number;
    return true;
  case ChainStep::RoundEven:
    x.f = std::nearbyint(x.f); // in the default mode: ties to even
    return true;
  case ChainStep::MaxFloat:
    x.f = std::max(x.f, step.number);
    return true;
  case ChainStep::MinFloat:
    x.f = std::min(x.f, step.number);
    return true;
  case ChainStep::MaxInt:
    x.i = std::max(x.i, step.integer);
    return true;
  case ChainStep::MinInt:
    x.i = std::min(x.i, step.integer);
    return true;
  case ChainStep::ToInt:
    if (!(x.f >= static_cast<float>(step.low) && x.f <= static_cast<float>(step.high)))
      return false;
    x.i = static_cast<int64_t>(x.f);
    x.isFloat = false;
    return true;
  case ChainStep::Narrow:
    return x.i >= step.low && x.i <= step.high;
  }
  return false;
}

/// Reads an epilogue's constants for one channel.
class ChainReader {
public:
  ChainReader(Block &epilogue, ArrayRef<HostTensor> inputs, ArrayRef<AffineMap> maps, ArrayRef<int64_t> channelDims)
      : epilogue(epilogue), inputs(inputs), maps(maps), channelDims(channelDims) {}

  std::optional<StepFunction> read(int64_t c) {
    channel = c;
    StepFunction function;
    Value value = cast<YieldOp>(epilogue.getTerminator()).getValues()[0];
    while (value != epilogue.getArgument(0)) {
      Operation *op = value.getDefiningOp();
      if (!op || op->getBlock() != &epilogue)
        return std::nullopt;
      std::optional<unsigned> on = operandOnChain(op);
      ChainStep step;
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

  bool readStep(Operation *op, unsigned on, ChainStep &step) {
    Number other;
    if (op->getNumOperands() == 2) {
      std::optional<Number> number = constant(op->getOperand(1 - on));
      if (!number)
        return false;
      other = *number;
      step.number = other.f;
      step.integer = other.i;
    }
    auto is = [&](ChainStep::Kind kind) {
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
      return is(ChainStep::AddInt);
    if (isa<arith::SubIOp>(op) && on == 0) {
      step.integer = -step.integer;
      return is(ChainStep::AddInt);
    }
    if (isa<arith::SIToFPOp>(op))
      return op->getResult(0).getType().isF32() && is(ChainStep::ToFloat);
    if (isa<arith::MulFOp>(op))
      return step.number > 0 && is(ChainStep::Mul);
    if (isa<arith::DivFOp>(op))
      return on == 0 && step.number > 0 && is(ChainStep::Div);
    if (isa<arith::AddFOp>(op))
      return is(ChainStep::AddFloat);
    if (isa<arith::SubFOp>(op) && on == 0) {
      step.number = -step.number;
      return is(ChainStep::AddFloat);
    }
    if (isa<math::RoundEvenOp>(op))
      return is(ChainStep::RoundEven);
    if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
      return is(ChainStep::MaxFloat);
    if (isa<arith::MinimumFOp, arith::MinNumFOp>(op))
      return is(ChainStep::MinFloat);
    if (isa<arith::MaxSIOp>(op))
      return is(ChainStep::MaxInt);
    if (isa<arith::MinSIOp>(op))
      return is(ChainStep::MinInt);
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      return limits(isa<arith::FPToUIOp>(op)) && is(ChainStep::ToInt);
    if (isa<arith::TruncIOp>(op)) { // whether as signed or as unsigned shows in the values
      if (!limits(false))
        return false;
      step.high = 2 * step.high + 1;
      return is(ChainStep::Narrow);
    }
    return false;
  }

  std::optional<Number> constant(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &epilogue)
      return inputAt(argument.getArgNumber() - 1);
    Attribute attribute;
    if (matchPattern(value, m_Constant(&attribute))) {
      if (auto number = dyn_cast<FloatAttr>(attribute); number && number.getType().isF32())
        return Number{true, number.getValue().convertToFloat(), 0};
      if (auto integer = dyn_cast<IntegerAttr>(attribute))
        return Number{false, 0, integer.getInt()};
      return std::nullopt;
    }
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumOperands() == 0)
      return std::nullopt;
    std::optional<Number> x = constant(op->getOperand(0));
    ChainStep step;
    if (!x)
      return std::nullopt;
    if (isa<arith::UIToFPOp>(op)) {
      auto width = op->getOperand(0).getType().getIntOrFloatBitWidth();
      return Number{true, static_cast<float>(x->i & ((int64_t(1) << width) - 1)), 0};
    }
    if (isa<arith::ExtSIOp>(op))
      return x;
    if (isa<arith::ExtUIOp>(op)) {
      x->i &= (int64_t(1) << op->getOperand(0).getType().getIntOrFloatBitWidth()) - 1;
      return x;
    }
    if (!readStep(op, 0, step) || !apply(step, *x))
      return std::nullopt;
    return x;
  }
  std::optional<Number> inputAt(unsigned number) {
    const HostTensor &tensor = inputs[number];
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
      return Number{true, tensor.at<float>(at), 0};
    if (tensor.getElementType().isInteger())
      return Number{false, 0, tensor.integerAt(at)};
    return std::nullopt;
  }

  Block &epilogue;
  ArrayRef<HostTensor> inputs;
  ArrayRef<AffineMap> maps;
  ArrayRef<int64_t> channelDims;
  int64_t channel = 0;
};

/// zero + (sum + bias) * factor by the definition in float.
int64_t defined(int64_t sum, const Rescaling &r, int64_t zero, int64_t low, int64_t high) {
  float x = std::nearbyint(static_cast<float>(sum + r.bias) * r.factor);
  x = std::clamp(x, -32768.0f, 32767.0f);
  return std::clamp(static_cast<int64_t>(x) + zero, low, high);
}

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

} // namespace

std::optional<int64_t> StepFunction::at(int64_t sum) const {
  Number x{false, 0, sum};
  for (const ChainStep &step : steps)
    if (!apply(step, x))
      return std::nullopt;
  return x.isFloat ? std::nullopt : std::optional(x.i);
}

std::optional<double> StepFunction::beforeRounding(int64_t sum) const {
  Number x{false, 0, sum};
  for (const ChainStep &step : steps) {
    if (step.kind == ChainStep::RoundEven)
      return x.f;
    if (step.kind == ChainStep::MaxFloat || step.kind == ChainStep::MinFloat) // limits come again behind
      continue;
    if (!apply(step, x))
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<int64_t> StepFunction::zero() const {
  Number x{true, 0, 0};
  bool isRounded = false;
  for (const ChainStep &step : steps) {
    bool isLimit = step.kind == ChainStep::MaxFloat || step.kind == ChainStep::MinFloat ||
                   step.kind == ChainStep::MaxInt || step.kind == ChainStep::MinInt;
    if (isRounded && !isLimit && !apply(step, x))
      return std::nullopt;
    isRounded |= step.kind == ChainStep::RoundEven;
  }
  return isRounded && !x.isFloat ? std::optional(x.i) : std::nullopt;
}

std::optional<float> StepFunction::factor() const {
  std::optional<float> factor;
  for (const ChainStep &step : steps) {
    if (step.kind == ChainStep::RoundEven)
      return factor;
    if (step.kind == ChainStep::Mul && !factor)
      factor = step.number;
    else if (step.kind != ChainStep::AddInt && step.kind != ChainStep::ToFloat)
      return std::nullopt;
  }
  return std::nullopt;
}

int64_t StepFunction::threshold(int64_t k, int64_t bound) const {
  int64_t below = -bound - 1, reached = bound + 1; // at(below) < k <= at(reached), as it were
  while (reached - below > 1) {
    int64_t middle = floorDivide(below + reached, 2);
    (at(middle).value_or(0) >= k ? reached : below) = middle;
  }
  return reached;
}

std::optional<std::vector<StepFunction>> stepFunctions(Block &epilogue, ValueRange inputs, ArrayAttr maps,
                                                       ArrayRef<int64_t> channelDims, int64_t channels,
                                                       EvaluationCache &cache) {
  SmallVector<HostTensor> tensors;
  for (Value input : inputs) {
    std::optional<HostTensor> tensor = evaluate(input, cache);
    if (!tensor)
      return std::nullopt;
    tensors.push_back(*tensor);
  }
  SmallVector<AffineMap> affine(maps.getAsValueRange<AffineMapAttr>());
  ChainReader reader(epilogue, tensors, affine, channelDims);
  std::vector<StepFunction> all;
  for (int64_t c = 0; c < channels; ++c) {
    std::optional<StepFunction> function = reader.read(c);
    if (!function)
      return std::nullopt;
    all.push_back(std::move(*function));
  }
  return all;
}

std::optional<Rescaling> rescalingOf(const StepFunction &function, int64_t zero, int64_t low, int64_t high,
                                     int64_t bound) {
  std::optional<double> above = function.beforeRounding(bound), below = function.beforeRounding(-bound),
                        middle = function.beforeRounding(0);
  std::optional<int64_t> least = function.at(-bound), most = function.at(bound);
  if (!above || !below || !middle || !least || !most || bound == 0)
    return std::nullopt;
  double slope = (*above - *below) / (2.0 * static_cast<double>(bound));
  double bias = slope > 0 ? std::nearbyint(*middle / slope) : 0;
  if (!(slope > 0) || !(std::fabs(bias) < double(1 << 30)) || bound >= (1 << 30))
    return std::nullopt;

  struct Step {
    int64_t k, sum;
  };
  SmallVector<Step> steps;
  for (int64_t k = low + 1; k <= high; ++k)
    steps.push_back({k, function.threshold(k, bound)});

  Rescaling r{static_cast<int32_t>(bias), 0, std::nullopt};
  auto holds = [&] {
    return llvm::all_of(steps, [&](const Step &step) {
      return (step.sum > bound || defined(step.sum, r, zero, low, high) >= step.k) &&
             (step.sum <= -bound || defined(step.sum - 1, r, zero, low, high) < step.k);
    });
  };
  float exact = function.factor().value_or(static_cast<float>(slope));
  bool isDefined = false;
  for (int ulps : {0, 1, -1, 2, -2, 3, -3}) {
    r.factor = exact;
    for (int i = 0; i < std::abs(ulps); ++i)
      r.factor = std::nextafter(r.factor, ulps > 0 ? 2 * exact : 0.0f);
    if ((isDefined = holds()))
      break;
  }
  if (!isDefined)
    return std::nullopt;

  // (x * m + 2^31) >> 32 >= k - zero  is  x * m >= c  with x = sum + bias and c = (k - zero) * 2^32 - 2^31.
  int64_t from = 1, to = std::numeric_limits<int32_t>::max();
  auto atLeast = [&](int64_t x, int64_t c) { // x * m >= c
    if (x > 0)
      from = std::max(from, -floorDivide(-c, x));
    else if (x < 0)
      to = std::min(to, floorDivide(-c, -x));
    else if (c > 0)
      from = to + 1;
  };
  for (const Step &step : steps) {
    int64_t c = (step.k - zero) * (int64_t(1) << 32) - (int64_t(1) << 31);
    if (step.sum <= bound)
      atLeast(step.sum + r.bias, c);
    if (step.sum > -bound) // and the sum before is below: -x * m >= 1 - c
      atLeast(-(step.sum - 1 + r.bias), 1 - c);
  }
  if (from <= to) {
    int64_t nominal = static_cast<int64_t>(static_cast<double>(r.factor) * 4294967296.0);
    r.fixed = static_cast<int32_t>(std::clamp(nominal, from, to));
  }
  return r;
}

} // namespace sinter
