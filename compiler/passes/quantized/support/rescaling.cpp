// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each step of the function is an inequality for the factor, and together they leave an interval or nothing. Mostly
// what leaves nothing is a pair of ties: where x0 * factor is a half, 3 * x0 * factor is one too, and of the two
// neighbours the even one lies once above and once below.
#include "rescaling.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// zero + (sum + bias) * factor by the definition in float.
int64_t defined(int64_t sum, const Rescaling &r, int64_t zero, int64_t low, int64_t high) {
  float x = std::nearbyint(static_cast<float>(sum + r.bias) * r.factor);
  x = std::clamp(x, -32768.0f, 32767.0f);
  return std::clamp(static_cast<int64_t>(x) + zero, low, high);
}

/// The least sum whose element is at least k.
struct RescaleStep {
  int64_t k, sum;
};

/// The factor near the definition's for which
///   (x * m + 2^31) >> 32 >= k - zero, that is x * m >= c  with x = sum + bias and c = (k - zero) * 2^32 - 2^31,
/// from each step on and not before: an interval of m for each side of each step, with what they share.
std::optional<int32_t> fixedFactorOf(ArrayRef<RescaleStep> steps, const Rescaling &r, int64_t zero, int64_t bound) {
  int64_t from = 1, to = std::numeric_limits<int32_t>::max();
  auto atLeast = [&](int64_t x, int64_t c) { // x * m >= c
    if (x > 0)
      from = std::max(from, llvm::divideCeilSigned(c, x));
    else if (x < 0)
      to = std::min(to, llvm::divideFloorSigned(-c, -x));
    else if (c > 0)
      from = to + 1;
  };
  for (const RescaleStep &step : steps) {
    int64_t c = (step.k - zero) * (int64_t(1) << 32) - (int64_t(1) << 31);
    if (step.sum <= bound)
      atLeast(step.sum + r.bias, c);
    if (step.sum > -bound) // and the sum before is below: -x * m >= 1 - c
      atLeast(-(step.sum - 1 + r.bias), 1 - c);
  }
  if (from > to)
    return std::nullopt;
  auto nominal = static_cast<int64_t>(static_cast<double>(r.factor) * 4294967296.0);
  return static_cast<int32_t>(std::clamp(nominal, from, to));
}

} // namespace

std::optional<Rescaling> rescalingOf(const StepFunction &function, int64_t zero, int64_t low, int64_t high,
                                     int64_t bound) {
  std::optional<float> above = function.beforeRounding(bound), below = function.beforeRounding(-bound),
                       middle = function.beforeRounding(0);
  std::optional<int64_t> least = function.at(-bound), most = function.at(bound);
  if (!above || !below || !middle || !least || !most || bound == 0)
    return std::nullopt;
  double slope = (double(*above) - *below) / (2.0 * static_cast<double>(bound));
  double bias = slope > 0 ? std::nearbyint(*middle / slope) : 0;
  if (!(slope > 0) || !(std::fabs(bias) < double(1 << 30)) || bound >= (1 << 30))
    return std::nullopt;

  SmallVector<RescaleStep> steps;
  for (int64_t k = low + 1; k <= high; ++k)
    steps.push_back({k, function.threshold(k, bound)});

  Rescaling r{static_cast<int32_t>(bias), 0, std::nullopt};
  auto holds = [&] {
    return llvm::all_of(steps, [&](const RescaleStep &step) {
      return (step.sum > bound || defined(step.sum, r, zero, low, high) >= step.k) &&
             (step.sum <= -bound || defined(step.sum - 1, r, zero, low, high) < step.k);
    });
  };
  float exact = function.addend || !function.factor ? static_cast<float>(slope) : *function.factor;
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

  r.fixed = fixedFactorOf(steps, r, zero, bound);
  return r;
}

} // namespace sinter
