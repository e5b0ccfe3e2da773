// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a report shows of elements and of the integers that stand for them: a histogram in few bins, and how much noise
// rounding and clipping add. Choices are made by trials (choose.h), not by this.
#pragma once

#include "quantize/histogram.h"

#include <string>

namespace sinter::quantize {

struct Outline {
  static constexpr int bins = 32;
  Range ends;
  std::vector<uint64_t> counts; ///< of bins of equal width; empty: nothing was counted
};

Outline outlineOf(const Histogram &histogram);
Outline outlineOf(llvm::ArrayRef<float> values);

/// What a group of values looks like on the samples, beside what its integers reach.
struct RangeReport {
  std::string value;
  Scale scale;
  Range reached; ///< what the least and the largest integer stand for
  Outline outline;
  double loss = 0;    ///< the root of the squared errors, as a share of the elements
  double clipped = 0; ///< the share of elements beyond `reached`
};

RangeReport rangeReport(std::string value, const Histogram &histogram, Scale scale, const Grid &grid);

/// The root of the squared differences, as a share of `exact`.
double lossOf(llvm::ArrayRef<float> exact, llvm::ArrayRef<float> rounded);

} // namespace sinter::quantize
