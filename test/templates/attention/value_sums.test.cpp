// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// value_sums.h where values are bytes, against sums in double: an error within what 14 bits of the greatest weight
// leave, also where one weight is far above all others.
#include "templates/attention/value_sums.h"
#include "packing.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

constexpr int kRows = test::kR, kColumns = kLanes<float> >= 4 ? 2 * kLanes<float> : 4;

void check(int64_t queries, int64_t count, int64_t here, int64_t width, bool hasSink) {
  CAPTURE(queries);
  CAPTURE(here);
  CAPTURE(width);
  Random random(uint64_t(queries + here * 7 + width));
  const int64_t pitch = width + kScaleBytes + 1;
  const AttentionShape s{queries, count, width, width, width, width, pitch, width};
  std::vector<int8_t> values;
  for (int64_t i = 0; i < count * pitch; ++i)
    values.push_back(int8_t(random.below(255) - 127));
  std::vector<float> weights, largest, sums(size_t(queries * width), -7.0f);
  for (int64_t i = 0; i < queries; ++i) {
    float most = 0;
    for (int64_t j = 0; j < count; ++j) {
      weights.push_back(j < here ? hasSink && j == 0 ? 1.0f : random.uniform(0, hasSink ? 0.001f : 0.1f) : NAN);
      most = j < here ? std::max(most, weights.back()) : most;
    }
    largest.push_back(most);
  }
  const std::vector<float> given = weights;
  const AttentionPlaces<kRows, float, int8_t> places(s);
  std::vector<float> scratch(size_t(places.total));
  ValueSums<kRows, kColumns, int8_t> valueSums(s, places, scratch.data());
  valueSums.take(values.data(), count);
  for (int64_t first = 0; first < queries; first += kRows)
    valueSums.sums(
        weights.data() + first * count, count, min(int64_t(kRows), queries - first), here, largest.data() + first,
        [] {}, sums.data() + first * width, width, Identity{});
  for (int64_t i = 0; i < queries; ++i)
    for (int64_t d = 0; d < width; ++d) {
      double want = 0, bound = 0;
      for (int64_t j = 0; j < here; ++j) {
        const double value = double(values[size_t(j * pitch + d)]);
        want += double(given[size_t(i * count + j)]) * value;
        bound += std::fabs(value) * double(largest[size_t(i)]) / (2 * double(kMostWeight));
      }
      REQUIRE(std::fabs(double(sums[size_t(i * width + d)]) - want) <= bound * 1.01 + std::fabs(want) * 1e-6 + 1e-6);
    }
}

} // namespace

TEST_CASE("sums of values of bytes") {
  for (const int64_t width : {32, 64, 80, 96, 128, 20, 7})
    for (const int64_t queries : {1, 2, 7, 20})
      for (const bool hasSink : {false, true}) {
        check(queries, 128, 128, width, hasSink);
        check(queries, 128, 77, width, hasSink);
        check(queries, 3, 3, width, hasSink);
        check(queries, 1, 1, width, hasSink);
      }
}

TEST_CASE("a weight that is no number makes sums that are none") {
  const AttentionShape s{1, 2, 4, 4, 4, 4, 4, 4};
  const int8_t values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float weights[2] = {1, NAN}, sums[4];
  const float largest[1] = {NAN};
  const AttentionPlaces<kRows, float, int8_t> places(s);
  std::vector<float> scratch(size_t(places.total));
  ValueSums<kRows, kColumns, int8_t> valueSums(s, places, scratch.data());
  valueSums.take(values, 2);
  valueSums.sums(&weights[0], 2, 1, 2, &largest[0], [] {}, &sums[0], 4, Identity{});
  for (const float sum : sums)
    CHECK(sum != sum);
}
