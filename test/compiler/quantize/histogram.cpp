// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges and scales of known distributions.
#include "quantize/histogram.h"

#include "doctest/doctest.h"

#include <cmath>

using namespace sinter::quantize;

namespace {
Histogram histogramOf(const std::vector<float> &values) {
  Histogram histogram;
  histogram.widen(values);
  histogram.count(values);
  return histogram;
}

/// Evenly spread over [low, high].
std::vector<float> uniform(float low, float high, int count = 100000) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i)
    values.push_back(low + (high - low) * static_cast<float>(i) / static_cast<float>(count - 1));
  return values;
}

/// A bell of standard deviation 1, by sums of twelve numbers.
std::vector<float> bell(int count = 100000) {
  std::vector<float> values;
  uint32_t state = 1;
  for (int i = 0; i < count; ++i) {
    float sum = -6;
    for (int k = 0; k < 12; ++k) {
      state = state * 1664525 + 1013904223;
      sum += static_cast<float>(state >> 8) / 0x1p24f;
    }
    values.push_back(sum);
  }
  return values;
}
const Grid int8;
} // namespace

TEST_CASE("a uniform distribution keeps its ends by every method but the percentile") {
  Histogram histogram = histogramOf(uniform(-2, 6));
  for (Calibration method : {Calibration::MinMax, Calibration::Mse, Calibration::Entropy}) {
    Range range = chooseRange(histogram, method, 99.99, int8);
    CHECK(range.low == doctest::Approx(-2).epsilon(0.02));
    CHECK(range.high == doctest::Approx(6).epsilon(0.02));
  }
  Range range = chooseRange(histogram, Calibration::Percentile, 90, int8);
  CHECK(range.low == doctest::Approx(-1.6).epsilon(0.01));
  CHECK(range.high == doctest::Approx(5.6).epsilon(0.01));
}

TEST_CASE("one element far outside is given up by percentiles and entropy; for the squared error it counts") {
  std::vector<float> values = bell();
  values.push_back(60);
  Histogram histogram = histogramOf(values);
  CHECK(chooseRange(histogram, Calibration::MinMax, 0, int8).high == 60);
  CHECK(chooseRange(histogram, Calibration::Mse, 0, int8).high > 40);
  for (Calibration method : {Calibration::Percentile, Calibration::Entropy}) {
    Range range = chooseRange(histogram, method, 99.9, int8);
    CHECK(range.high < 12);
    CHECK(range.high > 2);
  }
}

TEST_CASE("the least squared error of a bell in 4 bits is where it is known to be") {
  // 2.6 standard deviations, for 16 steps (Banner and others, 2019).
  Grid grid{-8, 7, true};
  Range range = chooseRange(histogramOf(bell()), Calibration::Mse, 0, grid);
  CHECK(std::max(-range.low, range.high) == doctest::Approx(2.5).epsilon(0.1));
}

TEST_CASE("zero is within every range, and exact") {
  Histogram histogram = histogramOf(uniform(3, 5));
  CHECK(histogram.ends().low == 0);
  Scale scale = scaleOf(histogram.ends(), int8);
  CHECK(scale.zero == -128);
  CHECK(scale.scale == doctest::Approx(5.0 / 255));
  scale = scaleOf({-1, 1}, {0, 255, true});
  CHECK(scale.zero == 128);
  CHECK(scale.scale == doctest::Approx(1.0 / 127));
}

TEST_CASE("values without a range, infinities and NaN do no harm") {
  Histogram zeros = histogramOf({0, 0, 0});
  for (Calibration method : {Calibration::MinMax, Calibration::Percentile, Calibration::Entropy, Calibration::Mse}) {
    Scale scale = scaleOf(chooseRange(zeros, method, 99.99, int8), int8);
    CHECK(scale.scale == 1);
    CHECK(scale.zero == 0);
  }
  Histogram odd = histogramOf({1, INFINITY, NAN, -INFINITY});
  CHECK(odd.size() == 1);
  CHECK(odd.ends().high == 1);
  CHECK(scaleOf({0, 1e-44}, int8).scale == 1);
}
