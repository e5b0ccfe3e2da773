// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// key_products.h where keys are bytes: scores are exactly those of whole numbers on every target, for few queries and
// for many, and what rounding queries adds to their error is no more than what rounding keys did.
#include "templates/attention/key_products.h"
#include "packing.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

constexpr int kRows = test::kR, kColumns = kLanes<float> >= 4 ? 2 * kLanes<float> : 4;

/// Rows of n numbers, a few of them large as models have them.
std::vector<float> rowsOf(int64_t rows, int64_t n, Random &random) {
  std::vector<float> v = random.vector(size_t(rows * n));
  for (int64_t i = 0; i < rows; ++i)
    v[size_t(i * n + i * 5 % n)] *= 4;
  return v;
}

void check(int64_t queries, int64_t keys, int64_t depth) {
  CAPTURE(queries);
  CAPTURE(keys);
  CAPTURE(depth);
  Random random(uint64_t(queries + keys * 7 + depth));
  const AttentionShape s{queries, keys, depth, depth, depth + 1, depth + kScaleBytes, depth + kScaleBytes, depth};
  const std::vector<float> q = rowsOf(queries, s.qPitch, random), k = rowsOf(keys, depth, random);
  std::vector<int8_t> rows(size_t(keys * s.kPitch)), rounded(size_t(queries * (depth + kScaleBytes)));
  for (int64_t j = 0; j < keys; ++j)
    quantizeRow(k.data() + j * depth, depth, rows.data() + j * s.kPitch);
  for (int64_t i = 0; i < queries; ++i)
    quantizeRow(q.data() + i * s.qPitch, depth, rounded.data() + i * (depth + kScaleBytes));

  const AttentionPlaces<kRows, int8_t, float> places(s);
  std::vector<float> scratch(size_t(places.total)), scores(size_t(queries * keys));
  KeyProducts<kRows, kColumns, float, int8_t> products(s, places, q.data(), scratch.data());
  products.take(rows.data(), keys);
  for (int64_t first = 0; first < queries; first += kRows)
    products.scores(first, min(int64_t(kRows), queries - first), keys, scores.data() + first * keys, keys, Identity{});

  double ofQueries = 0, ofKeys = 0;
  for (int64_t i = 0; i < queries; ++i)
    for (int64_t j = 0; j < keys; ++j) {
      const int8_t *a = rounded.data() + i * (depth + kScaleBytes), *b = rows.data() + j * s.kPitch;
      float qScale = 0, kScale = 0;
      readScales(a, 0, depth, 1, &qScale);
      readScales(b, 0, depth, 1, &kScale);
      int32_t dot = 0;
      double exact = 0, ofBytes = 0;
      for (int64_t p = 0; p < depth; ++p) {
        dot += a[p] * b[p];
        exact += double(q[size_t(i * s.qPitch + p)]) * double(k[size_t(j * depth + p)]);
        ofBytes += double(q[size_t(i * s.qPitch + p)]) * double(b[p]) * double(kScale);
      }
      const float score = scores[size_t(i * keys + j)];
      REQUIRE(score == float(dot) * qScale);
      ofKeys += std::pow(ofBytes - exact, 2);
      ofQueries += std::pow(double(score) * double(kScale) - ofBytes, 2);
    }
  if (queries >= 7 && keys >= 17)
    CHECK(ofQueries < 1.7 * ofKeys); // squares: errors of the same size
}

} // namespace

TEST_CASE("scores of keys of bytes") {
  for (const int64_t depth : {32, 64, 80, 96, 128, 20, 9})
    for (const int64_t queries : {1, 2, 7, 16, 29})
      for (const int64_t keys : {1, 3, 17, 100, 128})
        check(queries, keys, depth);
}
