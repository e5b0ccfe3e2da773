// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "step_function.h"

#include "ir/requantize.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// The number of each channel; none where it is unknown.
struct ChannelNumbers {
  bool isKnown = true;
  std::vector<double> values; ///< empty where the term is absent

  bool isAbsent() const { return values.empty(); }
};

ChannelNumbers channelNumbers(Value value, const ElementBody &body, int64_t channelDim, int64_t channels,
                              EvaluationCache &cache) {
  if (!value)
    return {};
  std::optional<KnownFactor> known = knownFactor(value, body, cache);
  if (!known || !known->all([](double number) { return std::isfinite(number); }))
    return {false, {}};
  if (known->isOne())
    return {true, std::vector<double>(channels, known->values[0])};
  for (auto [size, result] : llvm::zip(known->shape, known->map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(result); size != 1 && (!dim || dim.getPosition() != channelDim))
      return {false, {}};
  return {static_cast<int64_t>(known->values.size()) == channels, known->values};
}

} // namespace

std::optional<float> StepFunction::beforeRounding(int64_t sum) const {
  if (!llvm::isInt<32>(sum + bias))
    return std::nullopt;
  auto x = static_cast<float>(sum + bias);
  if (factor)
    x *= *factor;
  return addend ? x + *addend : x;
}

std::optional<int64_t> StepFunction::at(int64_t sum) const {
  std::optional<float> x = beforeRounding(sum);
  if (!x)
    return std::nullopt;
  float whole = std::nearbyint(*x); // in the default mode: ties to even
  return static_cast<int64_t>(std::clamp(whole, static_cast<float>(low), static_cast<float>(high))) + zero;
}

int64_t StepFunction::threshold(int64_t k, int64_t bound) const {
  int64_t below = -bound - 1, reached = bound + 1; // at(below) < k <= at(reached), as it were
  while (reached - below > 1) {
    int64_t middle = llvm::divideFloorSigned(below + reached, 2);
    (at(middle).value_or(0) >= k ? reached : below) = middle;
  }
  return reached;
}

std::optional<RoundedSum> roundedSum(const ElementBody &epilogue, ArrayRef<int64_t> channelDims, int64_t channels,
                                     EvaluationCache &cache) {
  BlockArgument sum = epilogue.block->getArgument(0);
  auto op = sum.hasOneUse() ? dyn_cast<RequantizeOp>(*sum.user_begin()) : RequantizeOp();
  std::optional<Requantize> known = op ? Requantize::of(op) : std::nullopt;
  if (!known || !isa<IntegerType>(op.getType()) || known->terms.size() != 1 || known->terms[0].value != sum ||
      known->terms[0].isUnsigned)
    return std::nullopt;
  auto numbers = [&](Value value) { return channelNumbers(value, epilogue, channelDims.back(), channels, cache); };
  ChannelNumbers biases = numbers(known->terms[0].bias), factors = numbers(known->terms[0].factor),
                 addends = numbers(known->addend);
  if (!biases.isKnown || !factors.isKnown || !addends.isKnown ||
      llvm::any_of(factors.values, [](double factor) { return factor <= 0; }))
    return std::nullopt;
  RoundedSum rounded{op.getResult(), {}};
  for (int64_t c = 0; c < channels; ++c) {
    StepFunction function;
    function.low = known->low;
    function.high = known->high;
    function.zero = known->zero;
    if (!biases.isAbsent())
      function.bias = static_cast<int64_t>(biases.values[c]);
    if (!factors.isAbsent())
      function.factor = static_cast<float>(factors.values[c]);
    if (!addends.isAbsent())
      function.addend = static_cast<float>(addends.values[c]);
    rounded.functions.push_back(function);
  }
  return rounded;
}

} // namespace sinter
