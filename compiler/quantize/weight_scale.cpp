// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates are measured side by side, one to a lane of vectors: the sum of each goes along the values in their order,
// so that the choice does not depend on the width of vectors.
#include "quantize/weight_scale.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace llvm;

namespace sinter::quantize {
namespace {
constexpr int lanes = 8;
using Floats [[gnu::vector_size(lanes * sizeof(float))]] = float;
using Doubles [[gnu::vector_size(lanes * sizeof(double))]] = double;

/// Adds the squared errors of `values` in integers from -most to most times each of `scales`.
void addErrors(ArrayRef<float> values, const Floats &scales, float most, Doubles &errors) {
  Floats low = Floats{} - most, high = Floats{} + most;
  Doubles sums = errors;
  for (float value : values) {
    Floats spread = Floats{} + value, steps = spread / scales;
    steps = steps < low ? low : steps;
    steps = high < steps ? high : steps;
    steps = (steps + withoutFractions) - withoutFractions;
    Doubles difference = __builtin_convertvector(spread - scales * steps, Doubles);
    sums += difference * difference;
  }
  errors = sums;
}

/// Of what is a number. Bits of magnitudes have the order of these.
float largestMagnitude(ArrayRef<float> values) {
  constexpr uint32_t magnitudeMask = 0x7fffffff, infinity = 0x7f800000;
  uint32_t largest = 0;
  for (float value : values) {
    uint32_t magnitude = bit_cast<uint32_t>(value) & magnitudeMask;
    largest = std::max(largest, magnitude <= infinity ? magnitude : 0);
  }
  return bit_cast<float>(largest);
}

bool allAtLeast(const Doubles &errors, double least) {
  for (int lane = 0; lane < lanes; ++lane)
    if (!(errors[lane] >= least))
      return false;
  return true;
}
} // namespace

float symmetricScale(ArrayRef<float> values, int most, WeightRange range) {
  float scale = largestMagnitude(values) / static_cast<float>(most);
  if (!std::isnormal(scale))
    return 1;
  if (range == WeightRange::Largest)
    return scale;
  float best = scale;
  double least = INFINITY;
  constexpr int candidates = 40;
  static_assert(candidates % lanes == 0);
  for (int first = 0; first < candidates; first += lanes) {
    Floats scales;
    for (int lane = 0; lane < lanes; ++lane)
      scales[lane] = scale * (1 - 0.5f * static_cast<float>(first + lane) / candidates);
    Doubles errors = {};
    for (ArrayRef<float> rest = values; !rest.empty() && !allAtLeast(errors, least); // errors only grow
         rest = rest.drop_front(std::min<size_t>(rest.size(), 1024)))
      addErrors(rest.take_front(1024), scales, static_cast<float>(most), errors);
    for (int lane = 0; lane < lanes; ++lane)
      if (errors[lane] < least) {
        least = errors[lane];
        best = scales[lane];
      }
  }
  return best;
}

} // namespace sinter::quantize
