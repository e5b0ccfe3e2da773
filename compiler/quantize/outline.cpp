// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of a histogram are those of its bins' centers: of 2048 bins some eight share an integer.
#include "quantize/outline.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace sinter::quantize {

Outline outlineOf(const Histogram &histogram) {
  Outline outline;
  outline.ends = histogram.ends();
  if (histogram.empty())
    return outline;
  outline.counts.resize(Outline::bins);
  for (int bin = 0; bin < Histogram::bins; ++bin)
    outline.counts[static_cast<size_t>(bin * Outline::bins / Histogram::bins)] += histogram.at(bin);
  return outline;
}

Outline outlineOf(ArrayRef<float> values) {
  Histogram histogram;
  histogram.widen(values);
  histogram.count(values);
  return outlineOf(histogram);
}

RangeReport rangeReport(std::string value, const Histogram &histogram, Scale scale, const Grid &grid) {
  RangeReport report{std::move(value), scale, {}, outlineOf(histogram)};
  auto step = static_cast<double>(scale.scale);
  report.reached = {step * (grid.low - scale.zero), step * (grid.high - scale.zero)};
  double error = 0, power = 0, beyond = 0;
  for (int bin = 0; bin < Histogram::bins; ++bin) {
    auto count = static_cast<double>(histogram.at(bin));
    double center = histogram.center(bin);
    double rounded = std::clamp(std::nearbyint(center / step) * step, report.reached.low, report.reached.high);
    error += count * (center - rounded) * (center - rounded);
    power += count * center * center;
    if (center < report.reached.low - step / 2 || center > report.reached.high + step / 2)
      beyond += count;
  }
  report.loss = power > 0 ? std::sqrt(error / power) : 0;
  report.clipped = histogram.empty() ? 0 : beyond / static_cast<double>(histogram.size());
  return report;
}

double lossOf(ArrayRef<float> exact, ArrayRef<float> rounded) {
  double error = 0, power = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    auto value = static_cast<double>(exact[i]), difference = value - static_cast<double>(rounded[i]);
    error += difference * difference;
    power += value * value;
  }
  return power > 0 ? std::sqrt(error / power) : 0;
}

} // namespace sinter::quantize
