// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pack_rows.h: every byte where int_gemm.h looks for it, over sizes that are whole vectors and such that are not; what
// products say of it is in int_gemm.h's own test.
#include "templates/dot4/pack_rows.h"
#include "packing.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

constexpr int kColumns = 2 * (kLanes<float> >= 4 ? kLanes<float> : 4);

std::vector<int8_t> bytes(int64_t n) {
  test::Random random(7);
  std::vector<int8_t> v;
  for (int64_t i = 0; i < n; ++i)
    v.push_back(int8_t(random.below(255) - 127));
  return v;
}
int8_t packedAt(const std::vector<int8_t> &packed, int64_t k, int64_t p, int64_t j) {
  return packed[size_t(((j / kColumns * ((k + 3) / 4) + p / 4) * kColumns + j % kColumns) * 4 + p % 4)];
}
std::vector<int8_t> room(int64_t n, int64_t k) {
  return std::vector<int8_t>(size_t((n + kColumns - 1) / kColumns * kColumns * ((k + 3) / 4) * 4));
}

} // namespace

TEST_CASE("rows that are columns, and what each sums to") {
  for (const int64_t k : {4, 8, 12, 16, 32, 44, 64, 80, 96, 128})
    for (const int64_t n : {1, 3, 16, 31, 33, 128}) {
      CAPTURE(k);
      CAPTURE(n);
      const int64_t pitch = k + 5;
      const auto rows = bytes(n * pitch);
      auto packed = room(n, k);
      packColumns<kColumns>(rows.data(), pitch, n, k, packed.data());
      std::vector<int32_t> sums(size_t(n + kColumns));
      sumColumns<kColumns>(packed.data(), n, k, sums.data());
      for (int64_t j = 0; j < n; ++j) {
        int32_t sum = 0;
        for (int64_t p = 0; p < k; ++p) {
          REQUIRE(packedAt(packed, k, p, j) == rows[size_t(j * pitch + p)]);
          sum += rows[size_t(j * pitch + p)];
        }
        REQUIRE(sums[size_t(j)] == sum);
      }
    }
}

TEST_CASE("rows that are rows") {
  for (const int64_t n : {1, 7, 16, 17, 32, 48, 64, 80, 96, 128, 131})
    for (const int64_t k : {1, 3, 4, 6, 127, 128}) {
      CAPTURE(k);
      CAPTURE(n);
      const int64_t pitch = n + 4;
      const auto rows = bytes(k * pitch);
      auto packed = room(n, k);
      packRows<kColumns>(rows.data(), pitch, n, k, packed.data());
      for (int64_t p = 0; p < k; ++p)
        for (int64_t j = 0; j < n; ++j)
          REQUIRE(packedAt(packed, k, p, j) == rows[size_t(p * pitch + j)]);
    }
}
