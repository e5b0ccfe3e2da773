// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_tiles.h over emulated registers against blockGemm with the same weights, whose own test has the definition: to
// the last bit, over rows that fill tiles or do not, bits, blocks, scales and zero points.
#include "templates/blocks/block_tiles.h"
#include "../dot4/emulated_tiles.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

namespace {

constexpr int kR = 4, kNR = 32;

/// Random bytes, of which scales and zero points are none that lead to NaN.
template <class W>
std::vector<uint8_t> randomWeights(int64_t n, int64_t k, Random &random) {
  const int64_t blocks = (n + kNR - 1) / kNR * ((k + W::kBlock - 1) / W::kBlock);
  std::vector<uint8_t> out;
  for (float x : random.vector(size_t(blocks * W::kBytes)))
    out.push_back(uint8_t(int32_t(x * 1000) & 255));
  for (int64_t block = 0; block < blocks; ++block)
    for (int64_t j = 0; j < kNR * (W::hasZeros ? 2 : 1); ++j) {
      const auto value = convert<typename W::Scale>(j < kNR ? 0.013f * float(1 + (block + j) % 7)
                                                            : float((block * 3 + j) % (1 << W::kBits)));
      memcpy(&out[size_t(block * W::kBytes + W::kNumberBytes + j * int64_t(sizeof(value)))], &value, sizeof(value));
    }
  return out;
}

template <int kBits, int kBlock, class Scale, bool kHasZeros, class T = float>
void checkTiles(int64_t m, int64_t n, int64_t k) {
  using W = BlockWeights<kBits, kBlock, kNR, Scale, kHasZeros>;
  Random random(uint64_t(m * 1000 + n * 10 + k));
  const std::vector<uint8_t> b = randomWeights<W>(n, k, random);
  const int64_t lda = k + 3, ldc = n + 2;
  std::vector<T> a;
  for (float x : random.vector(size_t(m * lda)))
    a.push_back(convert<T>(x));
  const std::vector<float> begin = random.vector(size_t(m * ldc));
  std::vector<float> want = begin, got = begin;
  const auto addTo = [&](std::vector<float> &c) { // what is there is read once for each sum, as a residual is
    return [&c, ldc](auto v, int64_t i, int64_t j) { return v + load<decltype(v)>(&c[size_t(i * ldc + j)]); };
  };
  std::vector<uint8_t> scratch(size_t(blockGemmScratch<ByteBlock, kBlock>(m, k)) + 1);
  blockGemm<kR, kNR, kBits, kBlock, Scale, kHasZeros, ByteBlock>(a.data(), lda, b.data(), want.data(), ldc, m, n, k,
                                                                 scratch.data(), addTo(want));
  scratch.assign(size_t(tiledBlockScratch<kBlock>(m, k)), uint8_t(255));
  EmulatedTiles::state() = {};
  tiledBlockGemm<kR, kNR, kBits, kBlock, Scale, kHasZeros, EmulatedTiles>(a.data(), lda, b.data(), got.data(), ldc, m,
                                                                          n, k, scratch.data(), addTo(got));
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(kBits);
  CHECK(got == want);
  CHECK(!EmulatedTiles::state().isConfigured);
  const int64_t rest = m % 16, tiles = m < 16 ? 0 : m / 16 + (rest > kLeftToDots ? 1 : 0);
  const int64_t steps = kBlock / bytesOfTileStep(kBlock) * ((k + kBlock - 1) / kBlock);
  CHECK(EmulatedTiles::state().products == tiles * steps * ((n + 15) / 16));
}

} // namespace

TEST_CASE("rows that fill tiles, or leave some to dot products or to a tile of rows before them") {
  for (int64_t m : {1, 15, 16, 17, 20, 21, 31, 32, 48, 127, 128, 129, 133, 143, 144, 261})
    checkTiles<4, 32, float, false>(m, 33, 70);
}

TEST_CASE("columns that fill panels, ranges of blocks and groups of columns, or do not") {
  for (int64_t n : {1, 16, 31, 48, 64, 65, 150})
    checkTiles<4, 32, float, false>(21, n, 40);
  for (int64_t k : {1, 32, 64, 256, 257, 600})
    checkTiles<4, 32, float, false>(18, 40, k);
}

TEST_CASE("bits, blocks, scales and zero points") {
  for (int64_t k : {15, 33, 700}) {
    checkTiles<4, 16, float, true>(16, 50, k);
    checkTiles<4, 32, f16, true>(23, 50, k);
    checkTiles<8, 32, float, false>(16, 50, k);
    checkTiles<8, 32, float, true>(37, 50, k);
    checkTiles<2, 64, bf16, true, f16>(16, 50, k);
    checkTiles<2, 16, float, false>(16, 50, k);
    checkTiles<4, 128, f16, false, bf16>(16, 50, k);
    checkTiles<8, 256, float, true>(16, 50, k);
    checkTiles<8, 176, float, false>(16, 50, k);
  }
}
