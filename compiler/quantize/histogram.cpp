// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting, and what is quick to say of ranges. Entropy and mean squared error: range_search.cpp.
#include "quantize/histogram.h"

#include "quantize/range_search.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace sinter::quantize {

void Histogram::widen(ArrayRef<float> values) {
  for (float value : values)
    if (std::isfinite(value)) {
      range.low = std::min(range.low, static_cast<double>(value));
      range.high = std::max(range.high, static_cast<double>(value));
    }
}

void Histogram::count(ArrayRef<float> values) {
  counts.resize(bins);
  double width = binWidth();
  for (float value : values)
    if (std::isfinite(value)) {
      double at = width > 0 ? (static_cast<double>(value) - range.low) / width : 0;
      ++counts[static_cast<size_t>(std::clamp(at, 0.0, bins - 1.0))];
      ++total;
    }
}

namespace {
/// The value below which `share` of the elements lie, within a bin by proportion.
double quantile(const Histogram &histogram, double share) {
  double wanted = share * static_cast<double>(histogram.size()), seen = 0;
  for (int bin = 0; bin < Histogram::bins; ++bin) {
    auto here = static_cast<double>(histogram.at(bin));
    if (here > 0 && seen + here >= wanted)
      return histogram.ends().low + (bin + (wanted - seen) / here) * histogram.binWidth();
    seen += here;
  }
  return histogram.ends().high;
}
} // namespace

Range chooseRange(const Histogram &histogram, Calibration method, double percent, const Grid &grid) {
  Range range = histogram.ends();
  if (histogram.empty() || histogram.binWidth() <= 0)
    return range;
  switch (method) {
  case Calibration::MinMax:
    break;
  case Calibration::Percentile: {
    double tail = (1 - percent / 100) / 2;
    range = {std::min(0.0, quantile(histogram, tail)), std::max(0.0, quantile(histogram, 1 - tail))};
    break;
  }
  case Calibration::Entropy:
    range = leastDivergence(histogram, grid);
    break;
  case Calibration::Mse:
    range = leastSquares(histogram, grid);
    break;
  }
  return range;
}

Scale scaleOf(Range range, const Grid &grid) {
  double steps = grid.high - grid.low;
  int middle = (grid.low + grid.high + 1) / 2;
  if (grid.symmetric) {
    double most = std::max(-range.low, range.high);
    auto scale = static_cast<float>(most / (grid.high - middle));
    return std::isnormal(scale) ? Scale{scale, middle} : Scale{1, middle};
  }
  auto scale = static_cast<float>((range.high - range.low) / steps);
  if (!std::isnormal(scale))
    return {1, middle};
  double zero = grid.low - range.low / static_cast<double>(scale);
  return {scale, static_cast<int>(std::clamp(std::nearbyint(zero), double(grid.low), double(grid.high)))};
}

} // namespace sinter::quantize
