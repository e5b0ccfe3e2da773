// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reports say of elements and of the integers that stand for them.
#include "quantize/outline.h"

#include "doctest/doctest.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace sinter::quantize;

namespace {
Histogram histogramOf(llvm::ArrayRef<float> values) {
  Histogram histogram;
  histogram.widen(values);
  histogram.count(values);
  return histogram;
}
} // namespace

TEST_CASE("an outline counts each element once, from end to end") {
  Outline outline = outlineOf(std::vector<float>{-1, -1, 0, 3, std::numeric_limits<float>::quiet_NaN()});
  CHECK(outline.ends.low == -1);
  CHECK(outline.ends.high == 3);
  REQUIRE(outline.counts.size() == Outline::bins);
  CHECK(outline.counts.front() == 2);
  CHECK(outline.counts.back() == 1);
  CHECK(std::accumulate(outline.counts.begin(), outline.counts.end(), uint64_t(0)) == 4);
  CHECK(outlineOf(std::vector<float>()).counts.empty());
}

TEST_CASE("noise is that of rounding where all is reached, and of clipping where it is not") {
  std::vector<float> values(4096);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i) / 4096;
  Grid grid;
  Scale whole = scaleOf({0, 1}, grid), half = scaleOf({0, 0.5}, grid);
  RangeReport all = rangeReport("x", histogramOf(values), whole, grid);
  CHECK(all.reached.low == doctest::Approx(0));
  CHECK(all.reached.high == doctest::Approx(1));
  CHECK(all.clipped == 0);
  // A uniform error of one step has a mean square of its twelfth; the values' own is a third.
  CHECK(all.loss == doctest::Approx(1 / 255.0 / std::sqrt(12.0) * std::sqrt(3.0)).epsilon(0.05));
  RangeReport clipped = rangeReport("x", histogramOf(values), half, grid);
  CHECK(clipped.clipped == doctest::Approx(0.5).epsilon(0.01));
  CHECK(clipped.loss > 0.3);
}

TEST_CASE("values of which there are none, or all zeros, lose nothing") {
  CHECK(rangeReport("x", Histogram(), {}, {}).loss == 0);
  CHECK(rangeReport("x", histogramOf({0, 0}), {}, {}).clipped == 0);
  CHECK(lossOf({}, {}) == 0);
  CHECK(lossOf({3, 4}, {3, 5}) == doctest::Approx(0.2));
}
