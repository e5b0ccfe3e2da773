// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the elements of a value are spread, and the range that is worth integers. Two passes over the samples: the first
// finds the ends, the second fills the bins.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace sinter::quantize {

struct Range {
  double low = 0, high = 0; ///< low <= 0 <= high: zero is always exact
};

class Histogram {
public:
  static constexpr int bins = 2048;

  /// First pass. Infinities and NaN count for nothing.
  void widen(llvm::ArrayRef<float> values);
  /// Second pass, over the same values.
  void count(llvm::ArrayRef<float> values);

  Range ends() const { return range; }
  bool empty() const { return total == 0; }
  double binWidth() const { return (range.high - range.low) / bins; }
  double center(int bin) const { return range.low + (bin + 0.5) * binWidth(); }
  uint64_t at(int bin) const { return counts.empty() ? 0 : counts[static_cast<size_t>(bin)]; }
  uint64_t size() const { return total; }

private:
  Range range;
  uint64_t total = 0;
  std::vector<uint64_t> counts;
};

enum class Calibration { MinMax, Percentile, Entropy, Mse };

/// The integers that a range is spread over.
struct Grid {
  int low = -128, high = 127;
  bool symmetric = false; ///< zero is the integer 0 (uint8: 128)
};

/// The range of a value by one of the methods; `percent` of the elements lie within it, for Percentile.
Range chooseRange(const Histogram &histogram, Calibration method, double percent, const Grid &grid);

/// real = scale * (integer - zero)
struct Scale {
  float scale = 1;
  int zero = 0;
};
Scale scaleOf(Range range, const Grid &grid);

} // namespace sinter::quantize
