// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// int_gemm_made.h against the definition: all signs, rows and columns of B beside each other, rests of everything, more
// columns than are packed at a time, and tiles of emulated registers.
#include "templates/dot4/int_gemm_made.h"
#include "emulated_tiles.h"
#include "packing.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

constexpr int kLanesOfInts = kLanes<int32_t> >= 4 ? kLanes<int32_t> : 4;

template <class T>
std::vector<T> randomBytes(int64_t n, uint64_t seed) {
  test::Random random(seed);
  std::vector<T> v;
  for (int64_t i = 0; i < n; ++i)
    v.push_back(T(random.below(256)));
  return v;
}

template <int NR, bool kTurned, bool kTiles, class TA, class TB, class M, class N, class K>
void check(M m, N n, K k) {
  const int64_t lda = k + 3, ldb = (kTurned ? int64_t(k) : int64_t(n)) + 5, ldc = n + 2;
  const auto a = randomBytes<TA>((m - 1) * lda + k, 1); // read to the end
  const auto b =
      randomBytes<TB>(((kTurned ? int64_t(n) : int64_t(k)) - 1) * ldb + (kTurned ? int64_t(k) : int64_t(n)), 2);
  std::vector<int32_t> want(size_t(m * ldc), -7), got = want;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int32_t sum = 0;
      for (int64_t p = 0; p < k; ++p)
        sum += int32_t(a[size_t(i * lda + p)]) * int32_t(b[size_t(kTurned ? j * ldb + p : p * ldb + j)]);
      want[size_t(i * ldc + j)] = sum + int32_t(3 * i + j);
    }
  const auto bytes = size_t(madeScratchBytes(m, n, k, NR));
  std::vector<char> scratch(bytes + 64, char(0x55));
  const auto place = (reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64;
  EmulatedTiles::state() = {};
  intGemmMade<4, NR, kTurned, kTiles, EmulatedTiles>(a.data(), lda, b.data(), ldb, got.data(), ldc, m, n, k,
                                                     reinterpret_cast<void *>(place), [](auto v, int64_t i, int64_t j) {
                                                       int32_t terms[kLanesOf<decltype(v)>];
                                                       for (int l = 0; l < kLanesOf<decltype(v)>; ++l)
                                                         terms[l] = int32_t(3 * i + j + l);
                                                       return add(v, load<decltype(v)>(&terms[0]));
                                                     });
  INFO("m " << int64_t(m) << " n " << int64_t(n) << " k " << int64_t(k));
  CHECK(got == want);
  CHECK((EmulatedTiles::state().products > 0) == (kTiles && bytesOfTileStep(k) >= kLeastTileStep));
  for (const char *end = reinterpret_cast<const char *>(place) + bytes; end < scratch.data() + scratch.size(); ++end)
    CHECK(*end == 0x55);
}

template <int NR, bool kTiles, class TA, class TB>
void checkSizes() {
  for (const int64_t m : {1, 2, 5, 33})
    for (const int64_t n : {1, 3, 16, 31, 70})
      for (const int64_t k : {1, 3, 4, 7, 20, 64, 65, 128, 150}) {
        check<NR, false, kTiles, TA, TB>(m, n, k);
        if (k % 4 == 0)
          check<NR, true, kTiles, TA, TB>(m, n, k);
      }
  check<NR, false, kTiles, TA, TB>(Fixed<4>{}, Fixed<24>{}, Fixed<36>{});
  check<NR, true, kTiles, TA, TB>(Fixed<9>{}, Fixed<17>{}, Fixed<64>{});
}

template <int NR, bool kTiles>
void checkSigns() {
  checkSizes<NR, kTiles, int8_t, int8_t>();
  checkSizes<NR, kTiles, uint8_t, int8_t>();
  checkSizes<NR, kTiles, int8_t, uint8_t>();
  checkSizes<NR, kTiles, uint8_t, uint8_t>();
}

} // namespace

TEST_CASE("products of two maps of bytes") {
  checkSigns<kLanesOfInts, false>();
  checkSigns<2 * kLanesOfInts, false>();
}

TEST_CASE("products of two maps of bytes in tiles") { checkSigns<32, true>(); }

TEST_CASE("more columns than are packed at a time") {
  check<32, false, true, uint8_t, uint8_t>(int64_t(3), int64_t(300), int64_t(1200));
  check<32, true, false, int8_t, int8_t>(int64_t(3), int64_t(300), int64_t(1200));
}
