// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// logit_scan.h: the greatest at every place of a row, the bound of the k greatest, NaN in tails.
#include "runtime-lite/generation/logit_scan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

using namespace sinter;

TEST_CASE("logit_scan: the greatest and its lowest id, NaN anywhere") {
  for (const size_t n : {size_t(1), size_t(63), size_t(64), size_t(65), size_t(200)})
    for (size_t place = 0; place < n; ++place) {
      std::vector<float> row(n, -2.0f), maxima(4);
      row[place] = 7;
      row[n - 1] = 7;
      LogitScan scan = scanLogits(row.data(), int32_t(n), 2, maxima.data());
      CHECK(scan.greatest == 3.5f);
      CHECK(idOfGreatest(scan, row.data(), int32_t(n)) == int32_t(place));
      row[place] = std::nanf("");
      scan = scanLogits(row.data(), int32_t(n), 1, maxima.data());
      CHECK(scan.greatest != scan.greatest);
    }
}

TEST_CASE("logit_scan: none of the k greatest is below the bound") {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    std::vector<float> row(1000), maxima(16), sorted;
    for (float &x : row)
      x = float(random() % 200) - 100;
    sorted = row;
    std::sort(sorted.begin(), sorted.end(), std::greater<float>());
    const LogitScan scan = scanLogits(row.data(), 1000, 1, maxima.data());
    std::vector<int32_t> ids(16), work(16);
    std::vector<uint64_t> bins(kMassBins);
    for (int32_t k = 1; k <= 16; ++k)
      CHECK(scan.boundOfGreatest(k, ids.data(), bins.data(), work.data()) <= sorted[size_t(k) - 1]);
    CHECK(scan.boundOfGreatest(1, ids.data(), bins.data(), work.data()) == sorted[0]);
  }
}
