// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searching ranges over a histogram.
#include "quantize/range_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace llvm;

namespace sinter::quantize {
namespace {
/// The squared error of all elements: from rounding within the range (a step's width is spread evenly: its square by
/// 12), and from clipping outside.
double squaredError(const Histogram &histogram, Range range, const Grid &grid) {
  Scale scale = scaleOf(range, grid);
  auto step = static_cast<double>(scale.scale);
  double low = step * (grid.low - scale.zero), high = step * (grid.high - scale.zero), error = 0;
  for (int bin = 0; bin < Histogram::bins; ++bin) {
    auto count = static_cast<double>(histogram.at(bin));
    if (count == 0)
      continue;
    double value = histogram.center(bin), outside = std::max({low - value, value - high, 0.0});
    // An exact zero, of which activations have many, costs nothing.
    bool isZero = std::fabs(value) <= histogram.binWidth() / 2;
    error += count * (outside > 0 ? outside * outside : isZero ? 0 : step * step / 12);
  }
  return error;
}
} // namespace

Range leastSquares(const Histogram &histogram, const Grid &grid) {
  Range all = histogram.ends(), best = all;
  double least = squaredError(histogram, all, grid);
  constexpr int steps = 64;
  auto attempt = [&](Range range) {
    double error = squaredError(histogram, range, grid);
    if (error < least) {
      least = error;
      best = range;
    }
  };
  // Each end in turn, twice: the error is nearly convex in both.
  for (int round = 0; round < 2; ++round) {
    Range from = best;
    for (int step = 1; step <= steps; ++step)
      attempt({from.low, all.high * step / steps});
    from = best;
    for (int step = 1; step <= steps; ++step)
      attempt({all.low * step / steps, from.high});
  }
  return best;
}

namespace {
/// Counts of a bin. Exact zeros, which a Relu makes many of, need no steps: their bin counts as its neighbour does.
double weightAt(const Histogram &histogram, int bin) {
  bool isZero = std::fabs(histogram.center(bin)) <= histogram.binWidth() / 2;
  int neighbour = bin + 1 < Histogram::bins ? bin + 1 : bin - 1;
  return static_cast<double>(isZero ? std::min(histogram.at(bin), histogram.at(neighbour)) : histogram.at(bin));
}

/// Divergence of the reference, bins [first, last) with what is outside added to its ends, from itself spread over
/// `levels` steps.
double divergence(const Histogram &histogram, int first, int last, int levels) {
  int size = last - first;
  std::vector<double> reference(static_cast<size_t>(size)), candidate(reference.size(), 0);
  double inside = 0;
  for (int i = 0; i < size; ++i)
    inside += reference[static_cast<size_t>(i)] = weightAt(histogram, first + i);
  std::vector<double> original = reference;
  for (int bin = 0; bin < Histogram::bins; ++bin)
    if (bin < first || bin >= last)
      reference[bin < first ? 0 : static_cast<size_t>(size - 1)] += weightAt(histogram, bin);
  if (inside == 0)
    return HUGE_VAL;
  for (int level = 0; level < levels; ++level) {
    int begin = static_cast<int>(int64_t(level) * size / levels),
        end = static_cast<int>(int64_t(level + 1) * size / levels);
    double sum = 0;
    int filled = 0;
    for (int i = begin; i < end; ++i) {
      sum += original[static_cast<size_t>(i)];
      filled += reference[static_cast<size_t>(i)] > 0;
    }
    for (int i = begin; i < end && filled > 0; ++i)
      if (reference[static_cast<size_t>(i)] > 0)
        candidate[static_cast<size_t>(i)] = sum / filled;
  }
  double all = std::accumulate(reference.begin(), reference.end(), 0.0), result = 0;
  for (size_t i = 0; i < reference.size(); ++i)
    if (reference[i] > 0) {
      // A bin that only took in what was clipped has nothing left: smoothed.
      double p = reference[i] / all, q = std::max(candidate[i] / inside, 1e-9);
      result += p * std::log(p / q);
    }
  return result;
}
} // namespace

Range leastDivergence(const Histogram &histogram, const Grid &grid) {
  Range all = histogram.ends(), best = all;
  double most = std::max(-all.low, all.high), least = HUGE_VAL;
  int levels = grid.high - grid.low + 1;
  constexpr int candidates = 128;
  for (int step = candidates / 16; step <= candidates; ++step) {
    double limit = most * step / candidates;
    Range range = {std::max(all.low, -limit), std::min(all.high, limit)};
    int first = static_cast<int>((range.low - all.low) / histogram.binWidth()),
        last = static_cast<int>(std::ceil((range.high - all.low) / histogram.binWidth()));
    first = std::clamp(first, 0, Histogram::bins - 1);
    last = std::clamp(last, first + 1, Histogram::bins);
    // Fewer bins than integers: no loss to speak of, and nothing to compare.
    if (last - first < levels)
      continue;
    double d = divergence(histogram, first, last, levels);
    if (d < least) {
      least = d;
      best = range;
    }
  }
  return best;
}

} // namespace sinter::quantize
