// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "step_function.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace sinter {

bool EpilogueStep::apply(ChainNumber &x) const {
  switch (kind) {
  case AddInt:
    x.i += integer;
    return llvm::isInt<32>(x.i);
  case ToFloat:
    x.f = static_cast<float>(x.i);
    x.isFloat = true;
    return true;
  case Mul:
    x.f *= number;
    return true;
  case Div:
    x.f /= number;
    return true;
  case AddFloat:
    x.f += number;
    return true;
  case RoundEven:
    x.f = std::nearbyint(x.f); // in the default mode: ties to even
    return true;
  case MaxFloat:
    x.f = std::max(x.f, number);
    return true;
  case MinFloat:
    x.f = std::min(x.f, number);
    return true;
  case MaxInt:
    x.i = std::max(x.i, integer);
    return true;
  case MinInt:
    x.i = std::min(x.i, integer);
    return true;
  case ToInt:
    if (!(x.f >= static_cast<float>(low) && x.f <= static_cast<float>(high)))
      return false;
    x.i = static_cast<int64_t>(x.f);
    x.isFloat = false;
    return true;
  case Narrow:
    return x.i >= low && x.i <= high;
  }
  return false;
}

std::optional<int64_t> StepFunction::at(int64_t sum) const {
  ChainNumber x{false, 0, sum};
  for (const EpilogueStep &step : steps)
    if (!step.apply(x))
      return std::nullopt;
  return x.isFloat ? std::nullopt : std::optional(x.i);
}

std::optional<double> StepFunction::beforeRounding(int64_t sum) const {
  ChainNumber x{false, 0, sum};
  for (const EpilogueStep &step : steps) {
    if (step.kind == EpilogueStep::RoundEven)
      return x.f;
    if (step.kind == EpilogueStep::MaxFloat || step.kind == EpilogueStep::MinFloat) // limits come again behind
      continue;
    if (!step.apply(x))
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<int64_t> StepFunction::zero() const {
  ChainNumber x{true, 0, 0};
  bool isRounded = false;
  for (const EpilogueStep &step : steps) {
    bool isLimit = step.kind == EpilogueStep::MaxFloat || step.kind == EpilogueStep::MinFloat ||
                   step.kind == EpilogueStep::MaxInt || step.kind == EpilogueStep::MinInt;
    if (isRounded && !isLimit && !step.apply(x))
      return std::nullopt;
    isRounded |= step.kind == EpilogueStep::RoundEven;
  }
  return isRounded && !x.isFloat ? std::optional(x.i) : std::nullopt;
}

std::optional<float> StepFunction::factor() const {
  std::optional<float> factor;
  for (const EpilogueStep &step : steps) {
    if (step.kind == EpilogueStep::RoundEven)
      return factor;
    if (step.kind == EpilogueStep::Mul && !factor)
      factor = step.number;
    else if (step.kind != EpilogueStep::AddInt && step.kind != EpilogueStep::ToFloat)
      return std::nullopt;
  }
  return std::nullopt;
}

int64_t StepFunction::threshold(int64_t k, int64_t bound) const {
  int64_t below = -bound - 1, reached = bound + 1; // at(below) < k <= at(reached), as it were
  while (reached - below > 1) {
    int64_t middle = llvm::divideFloorSigned(below + reached, 2);
    (at(middle).value_or(0) >= k ? reached : below) = middle;
  }
  return reached;
}

} // namespace sinter
