// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile_gemm.h and tile_conv.h over emulated registers against intGemm and intConv with the same weights, whose own
// tests have the definition: to the last bit, over rows, columns and runs that fill blocks of tiles or do not.
#include "conv_reference.h"
#include "emulated_tiles.h"
#include "packing.h"
#include "templates/dot4/int_gemm.h"
#include "templates/dot4/tile_conv.h"
#include "templates/dot4/tile_gemm.h"

using namespace sinter;
using test::Random;

namespace {

std::vector<int8_t> randomBytes(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<int8_t> out;
  for (size_t i = 0; i < n; ++i) {
    const float x = random.uniform(-160, 160);
    out.push_back(int8_t(x < -128 ? -128 : x > 127 ? 127 : x));
  }
  return out;
}

template <int NR, class X, class M, class N, class K>
void checkGemm(M m, N n, K k) {
  const int64_t lda = k + 3, ldc = n + 5;
  const auto a = randomBytes(size_t((m - 1) * lda + k), 1), b = randomBytes(size_t(k * n), 2); // read to the end
  const auto packed =
      test::packDot4(1, k, n, [&](int64_t, int64_t p, int64_t j) { return b[size_t(p * n + j)]; }, 4, NR);
  std::vector<int32_t> want(size_t(m * ldc), -7), got = want;
  const auto addTo = [&](std::vector<int32_t> &c) {
    return [&c, ldc](auto v, int64_t i, int64_t j) { return v + load<decltype(v)>(&c[size_t(i * ldc + j)]); };
  };
  intGemm<4, NR, X>(a.data(), lda, packed.data(), want.data(), ldc, m, n, k, addTo(want));
  EmulatedTiles::state() = {};
  tileGemm<NR, X, EmulatedTiles>(a.data(), lda, packed.data(), got.data(), ldc, m, n, k, addTo(got));
  INFO("m " << int64_t(m) << " n " << int64_t(n) << " k " << int64_t(k));
  CHECK(got == want);
  CHECK(!EmulatedTiles::state().isConfigured);
  CHECK(EmulatedTiles::state().configurations <= 2);
  // No tile of columns behind n, and none of rows behind m, is multiplied.
  const int64_t steps = k / bytesOfTileStep(k), products = (m + 15) / 16 * ((n + 15) / 16) * steps;
  CHECK(EmulatedTiles::state().products == products);
}

template <class X, bool kMerged>
void checkConv(ConvShape s, int64_t channelsOfOne = 4) {
  s.height += s.padTop * 2, s.width += s.padLeft * 2;
  s.padTop = s.padLeft = 0;
  s.channels *= channelsOfOne; // 4: whole fours
  test::setOutputSize(s, 0, 0);
  s.in = blockedLayout(s.channels, s.height, s.width, s.channels);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, s.filters);
  const int64_t perGroup = s.channels / s.groups, taps = s.kernelH * s.kernelW;
  const int64_t runs = kMerged ? s.kernelH : taps, length = kMerged ? s.kernelW * perGroup : perGroup;
  const auto in = randomBytes(size_t(s.batch * s.in.batch + 3), 3); // read behind the last run
  std::vector<int8_t> packed, inWholeFours;
  for (int64_t g = 0; g < s.groups; ++g) {
    const auto w = randomBytes(size_t(s.filters / s.groups * runs * length), uint64_t(4 + g));
    const auto pack = [&](int64_t longer, std::vector<int8_t> &to) {
      const auto part = test::packDot4(
          runs, longer, s.filters / s.groups,
          [&](int64_t run, int64_t p, int64_t k) {
            return p < length ? w[size_t((k * runs + run) * length + p)] : int8_t(0);
          },
          4, 32);
      to.insert(to.end(), part.begin(), part.end());
    };
    pack(length, packed);
    pack((length + 3) / 4 * 4, inWholeFours);
  }
  std::vector<int32_t> want(size_t(s.batch * s.out.batch), -7), got = want;
  const auto addTo = [&](std::vector<int32_t> &out) {
    return [&out, &s](auto v, int64_t n, int64_t c, int64_t h, int64_t x) {
      return add(v, load<decltype(v)>(&out[size_t(test::offsetOf(s.out, n, c, h, x))]));
    };
  };
  intConv<4, 32, kMerged, X>(s, in.data(), packed.data(), want.data(), 0, s.outHeight, addTo(want));
  const int64_t half = s.outHeight / 2;
  tileConv<32, kMerged, X, EmulatedTiles>(s, in.data(), inWholeFours.data(), got.data(), 0, half, addTo(got));
  tileConv<32, kMerged, X, EmulatedTiles>(s, in.data(), inWholeFours.data(), got.data(), half, s.outHeight, addTo(got));
  INFO("c " << s.channels << " k " << s.filters << " kernel " << s.kernelH << "x" << s.kernelW);
  CHECK(got == want);
  CHECK(!EmulatedTiles::state().isConfigured);
}

} // namespace

TEST_CASE("steps of tile registers") {
  const int64_t expected[][2] = {{0, 0},  {3, 0},   {4, 4},    {27, 0},   {64, 64},  {72, 36},
                                 {76, 4}, {96, 48}, {100, 20}, {144, 48}, {768, 64}, {3072, 64}};
  for (const auto &[length, step] : expected)
    CHECK(bytesOfTileStep(length) == step);
}

TEST_CASE("tileGemm over odd sizes") {
  for (const int64_t m : {1, 2, 15, 16, 17, 31, 32, 33, 48, 64, 81})
    for (const int64_t n : {1, 15, 16, 17, 32, 33, 48, 49, 64, 80, 130})
      for (const int64_t k : {4, 64, 72, 192}) {
        checkGemm<32, UnsignedBytes>(m, n, k);
        checkGemm<32, SignedBytes>(m, n, k);
        checkGemm<16, SignedBytes>(m, n, k);
      }
}

TEST_CASE("tileGemm with sizes known while compiling") {
  checkGemm<32, UnsignedBytes>(Fixed<5>{}, Fixed<100>{}, Fixed<128>{});
  checkGemm<32, SignedBytes>(Fixed<48>{}, Fixed<40>{}, Fixed<36>{});
  checkGemm<32, SignedBytes>(Fixed<50>{}, Fixed<64>{}, Fixed<64>{});
  checkGemm<16, SignedBytes>(Fixed<64>{}, Fixed<9>{}, Fixed<64>{});
}

TEST_CASE("tileGemm of no rows leaves the registers alone") {
  EmulatedTiles::state() = {};
  const int8_t none = 0;
  int32_t sum = 1;
  tileGemm<32, SignedBytes, EmulatedTiles>(&none, 4, &none, &sum, 4, int64_t(0), int64_t(4), int64_t(4), Identity{});
  CHECK(sum == 1);
  CHECK(EmulatedTiles::state().configurations == 0);
}

TEST_CASE("tileConv over shapes") {
  for (const ConvShape &shape : test::convShapes()) {
    checkConv<UnsignedBytes, false>(shape);
    checkConv<SignedBytes, false>(shape);
    if (shape.dilationW == 1 && shape.groups == 1) {
      checkConv<UnsignedBytes, true>(shape);
      checkConv<UnsignedBytes, true>(shape, 1);
      checkConv<SignedBytes, true>(shape, 3);
    }
  }
}
