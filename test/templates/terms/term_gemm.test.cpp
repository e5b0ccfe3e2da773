// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// termGemm over emulated tile registers against sums in long double: rows, columns and k that fill tiles, blocks and
// groups or do not, of all types. Errors are held below those that a sum one by one in float has at most.
#include "templates/terms/term_gemm.h"
#include "../dot4/emulated_tiles.h"
#include "packing.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

template <class T>
std::vector<T> randomNumbers(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<T> out;
  for (size_t i = 0; i < n; ++i)
    out.push_back(convert<T>(random.uniform(-2, 2)));
  return out;
}

/// Columns as panels of NR, zeros behind n.
template <int NR, class T>
std::vector<T> inPanels(const std::vector<T> &b, int64_t k, int64_t n) {
  const int64_t panels = (n + NR - 1) / NR;
  std::vector<T> packed(size_t(panels * k * NR));
  for (int64_t p = 0; p < k; ++p)
    for (int64_t j = 0; j < n; ++j)
      packed[size_t((j / NR * k + p) * NR + j % NR)] = b[size_t(p * n + j)];
  return packed;
}

template <int NR, class TA, class TB, class M, class N, class K>
void check(M m, N n, K k, int64_t rowsOfShares = 1000000) {
  constexpr int few = 4;
  const int64_t lda = k + 3, ldc = n + 5;
  const auto a = randomNumbers<TA>(size_t((m - 1) * lda + k), 1);
  const auto b = randomNumbers<TB>(size_t(k * n), 2);
  const auto packed = inPanels<NR>(b, k, n);
  std::vector<uint32_t> scratch(size_t(termScratchBytes(NR, m, n, k, kTermsOf<TA>, kTermsOf<TB>) / 4),
                                0x7fc07fc0); // no numbers
  std::vector<float> got(size_t(m * ldc), -7);
  const auto share = [&](int64_t first, auto rows) {
    const auto epilogue = [&](auto v, int64_t i, int64_t j) {
      CHECK((i >= 0 && i < rows && j >= 0 && j < n));
      return add(v, splat<decltype(v)>(1.0f));
    };
    termGemm<few, 4, NR, EmulatedTiles>(a.data() + first * lda, lda, packed.data(), got.data() + first * ldc, ldc, rows,
                                        n, k, m, scratch.data(), epilogue);
  };
  if (rowsOfShares >= m)
    share(0, m);
  else
    for (int64_t row = 0; row < m; row += rowsOfShares)
      share(row, m - row < rowsOfShares ? m - row : rowsOfShares);
  CHECK(!EmulatedTiles::state().isConfigured);
  INFO("m " << int64_t(m) << " n " << int64_t(n) << " k " << int64_t(k));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < ldc; ++j) {
      if (j >= n) {
        REQUIRE(got[size_t(i * ldc + j)] == -7);
        continue;
      }
      long double sum = 0, size = 0;
      for (int64_t p = 0; p < k; ++p) {
        const long double product =
            (long double)convert<float>(a[size_t(i * lda + p)]) * convert<float>(b[size_t(p * n + j)]);
        sum += product;
        size += product < 0 ? -product : product;
      }
      // Terms left out are 2^-22 of a product at most; the rest are roundings of sums of 16, then of all.
      const long double error = std::fabs((long double)got[size_t(i * ldc + j)] - (sum + 1));
      REQUIRE(error <= (size + 1) * 0x1p-21L);
    }
}

} // namespace

TEST_CASE("a float is the sum of its terms") {
  using V = Vec<float, 16>;
  const auto numbers = randomNumbers<float>(32, 9);
  uint32_t words[3][16];
  storeTerms<3>(load<V>(&numbers[0]), load<V>(&numbers[16]), &words[0][0], 16);
  for (size_t i = 0; i < 32; ++i) {
    float sum = 0;
    for (int t = 2; t >= 0; --t)
      sum += bitCast<float>(i < 16 ? words[t][i] << 16 : words[t][i - 16] & 0xffff0000);
    CHECK(sum == numbers[i]);
  }
}

TEST_CASE("termGemm over odd sizes") {
  for (const int64_t m : {5, 16, 17, 33, 64})
    for (const int64_t n : {1, 16, 17, 32, 50})
      for (const int64_t k : {1, 15, 17, 32, 130, 260}) {
        check<32, float, float>(m, n, k);
        check<16, float, float>(m, n, k);
      }
  check<32, float, float>(int64_t(40), int64_t(34), int64_t(2100)); // more than rows are split of at a time
  check<32, float, float>(int64_t(600), int64_t(20), int64_t(40));
}

TEST_CASE("termGemm of halves, alone and beside floats") {
  for (const int64_t k : {31, 64, 150}) {
    check<32, f16, f16>(int64_t(37), int64_t(40), k);
    check<32, bf16, bf16>(int64_t(37), int64_t(40), k);
    check<32, float, f16>(int64_t(37), int64_t(40), k);
    check<32, bf16, float>(int64_t(37), int64_t(40), k);
    check<32, f16, bf16>(int64_t(37), int64_t(40), k);
  }
}

TEST_CASE("termGemm with sizes known while compiling") {
  check<32, float, float>(Fixed<48>{}, Fixed<40>{}, Fixed<100>{});
  check<16, float, float>(Fixed<64>{}, Fixed<9>{}, Fixed<64>{});
  check<32, float, float>(Fixed<3>{}, Fixed<40>{}, Fixed<100>{}); // few
}

TEST_CASE("rows are the same bits in any share") {
  const int64_t m = 75, n = 45, k = 300;
  const auto a = randomNumbers<float>(size_t(m * k), 3);
  const auto b = randomNumbers<float>(size_t(k * n), 4);
  const auto packed = inPanels<32>(b, k, n);
  std::vector<uint32_t> scratch(size_t(termScratchBytes(32, m, n, k, 3, 3) / 4));
  std::vector<float> whole(size_t(m * n)), parts = whole;
  const auto compute = [&](std::vector<float> &c, int64_t first, int64_t rows) {
    termGemm<4, 4, 32, EmulatedTiles>(a.data() + first * k, k, packed.data(), c.data() + first * n, n, rows, n, k, m,
                                      scratch.data(), Identity{});
  };
  compute(whole, 0, m);
  for (int64_t row = 0; row < m; row += 10)
    compute(parts, row, m - row < 10 ? m - row : 10);
  CHECK(whole == parts);
}

TEST_CASE("few rows of a number known at run time go to gemm") {
  EmulatedTiles::state() = {};
  check<32, float, float>(int64_t(4), int64_t(40), int64_t(64));
  CHECK(EmulatedTiles::state().configurations == 0);
}
