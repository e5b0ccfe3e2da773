// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_gemm.h against a triple loop in double, over odd sizes, bits, blocks, scales and zero points. Rows as bytes are
// held against the same loop on the rounded rows.
#include "templates/blocks/block_gemm.h"
#include "packing.h"
#include "ulp.h"

#include <doctest/doctest.h>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Random;

namespace {

/// Random packed weights, and what they mean.
template <class W>
struct Weights {
  int64_t n, k, blocks = (k + W::kBlock - 1) / W::kBlock;
  std::vector<uint8_t> bytes;

  Weights(int64_t n, int64_t k, Random &random) : n(n), k(k) {
    const int64_t panels = (n + kNR - 1) / kNR;
    bytes.resize(size_t(panels * blocks * W::kBytes));
    const std::vector<float> values = random.vector(bytes.size());
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = uint8_t(int32_t(values[i] * 1000) & 255);
    for (int64_t block = 0; block < panels * blocks; ++block)
      for (int64_t j = 0; j < kNR * (W::hasZeros ? 2 : 1); ++j) {
        const auto value = convert<typename W::Scale>(j < kNR ? 0.01f * float(1 + (block + j) % 7)
                                                              : float((block * 3 + j) % (1 << W::kBits)));
        memcpy(&bytes[size_t(block * W::kBytes + W::kNumberBytes + j * int64_t(sizeof(value)))], &value, sizeof(value));
      }
  }
  const uint8_t *blockAt(int64_t p, int64_t j) const {
    return bytes.data() + (j / kNR * blocks + p / W::kBlock) * W::kBytes;
  }
  double parameter(int64_t p, int64_t column) const {
    typename W::Scale value;
    memcpy(&value, blockAt(p, column) + W::kNumberBytes + column % kNR * int64_t(sizeof(value)), sizeof(value));
    return double(convert<float>(value));
  }
  double zero(int64_t p, int64_t j) const {
    if (!W::hasZeros)
      return double(W::kHalfRange);
    typename W::Scale value;
    memcpy(&value, blockAt(p, j) + W::kNumberBytes + (kNR + j % kNR) * int64_t(sizeof(value)), sizeof(value));
    return double(convert<float>(value));
  }
  double at(int64_t p, int64_t j) const {
    const int64_t inBlock = p % W::kBlock, group = inBlock / W::kGroup, inGroup = inBlock % W::kGroup;
    const uint8_t byte = blockAt(p, j)[(group * kNR + j % kNR) * 4 + inGroup % 4];
    return (double(byte >> (inGroup / 4 * W::kBits) & ((1 << W::kBits) - 1)) - zero(p, j)) * parameter(p, j);
  }
};

/// What a row's element counts for.
template <class W>
double taken(const FloatBlock<W::kBlock> *row, int64_t pitch, int64_t p) {
  return double(row[p / W::kBlock * pitch].values[p % W::kBlock]);
}
template <class W>
double taken(const ByteBlock<W::kBlock> *row, int64_t pitch, int64_t p) {
  const auto &block = row[p / W::kBlock * pitch];
  return double(block.bytes[p % W::kBlock]) * double(block.scale);
}

template <int kBits, int kBlock, class Scale, bool kHasZeros, template <int> class Block, class T = float>
void check(int64_t m, int64_t n, int64_t k) {
  using W = BlockWeights<kBits, kBlock, kNR, Scale, kHasZeros>;
  Random random(uint64_t(m * 1000 + n * 10 + k));
  const Weights<W> b(n, k, random);
  const int64_t lda = k + 3, ldc = n + 2;
  std::vector<T> a;
  for (float x : random.vector(size_t(m * lda)))
    a.push_back(convert<T>(x));
  std::vector<float> c(size_t(m * ldc), -7.0f);
  std::vector<uint8_t> scratch(size_t(blockGemmScratch<Block, kBlock>(m, k)) + 1);
  blockGemm<kR / 2, kNR, kBits, kBlock, Scale, kHasZeros, Block>(
      a.data(), lda, b.bytes.data(), c.data(), ldc, m, n, k, scratch.data(),
      [](auto v, int64_t, int64_t) { return v + splat<decltype(v)>(1.0f); });
  std::vector<Block<kBlock>> rows(size_t(m * b.blocks));
  takeRows(a.data(), lda, m, k, rows.data());
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(kBits);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < ldc; ++j) {
      double want = j < n ? 1 : -7, magnitude = 1;
      for (int64_t p = 0; j < n && p < k; ++p) {
        const double x = taken<W>(&rows[size_t(i)], m, p);
        const double given = double(convert<float>(a[size_t(i * lda + p)]));
        if (std::fabs(x - given) >= 1.0 / 250)
          REQUIRE(x == given);
        want += x * b.at(p, j);
        magnitude += std::fabs(x) * std::fabs(b.parameter(p, j)) * (1 << kBits);
      }
      const auto got = double(c[size_t(i * ldc + j)]);
      if (std::fabs(got - want) > (j < n ? 2e-7 * magnitude : 0)) {
        CAPTURE(i);
        CAPTURE(j);
        REQUIRE(got == want);
      }
    }
}

template <int kBits>
void checkInCompany() {
  constexpr int64_t m = 31, n = 2 * kNR + 3, k = 70;
  using W = BlockWeights<kBits, 32, kNR, float, false>;
  Random random(7);
  const Weights<W> b(n, k, random);
  const std::vector<float> a = random.vector(size_t(m * k));
  std::vector<uint8_t> scratch(size_t(blockGemmScratch<ByteBlock, 32>(m, k)));
  const auto product = [&](int64_t row, int64_t rows, float *c) {
    blockGemm<kR / 2, kNR, kBits, 32, float, false, ByteBlock>(a.data() + row * k, k, b.bytes.data(), c, n, rows, n, k,
                                                               scratch.data(), Identity{});
  };
  std::vector<float> together(size_t(m * n)), alone(size_t(m * n));
  product(0, m, together.data());
  for (int64_t i = 0; i < m; ++i)
    product(i, 1, alone.data() + i * n);
  CHECK(together == alone);
}

} // namespace

TEST_CASE("products by weights in blocks, rows as floats") {
  for (int64_t m : {0, 1, 2, 3, 5, 9, 67})
    for (int64_t n : {1, 7, 2 * kNR + 3, 4 * kNR})
      check<4, 32, float, false, FloatBlock>(m, n, 40);
  for (int64_t k : {1, 15, 16, 33, 64}) {
    check<4, 16, float, true, FloatBlock>(3, 19, k);
    check<8, 16, f16, false, FloatBlock>(2, 19, k);
    check<2, 64, bf16, true, FloatBlock>(5, 19, k);
    check<2, 16, float, false, FloatBlock>(1, 19, k);
    check<4, 128, f16, false, FloatBlock, f16>(6, 19, k);
    check<8, 176, float, true, FloatBlock>(1, 19, 3 * k);
  }
}

TEST_CASE("products by weights in blocks, rows as bytes") {
  for (int64_t m : {0, 1, 2, 3, 5, 9, 67})
    for (int64_t n : {1, 7, 2 * kNR + 3, 4 * kNR})
      check<4, 32, float, false, ByteBlock>(m, n, 40);
  for (int64_t k : {1, 15, 16, 33, 64}) {
    check<4, 16, float, true, ByteBlock>(3, 19, k);
    check<8, 16, float, true, ByteBlock>(2, 19, k);
    check<4, 16, float, true, ByteBlock>(15, 19, k);
    check<8, 32, f16, true, ByteBlock>(13, 19, k);
    check<8, 32, f16, false, ByteBlock>(11, 19, k);
    check<2, 16, float, false, ByteBlock>(6, 19, k);
    check<8, 32, f16, false, ByteBlock>(1, 19, k);
    check<8, 16, float, false, ByteBlock>(9, 2 * kNR + 3, k);
    check<8, 128, float, true, ByteBlock>(67, 19, 3 * k);
    check<2, 64, bf16, true, ByteBlock>(5, 19, k);
    check<4, 128, f16, false, ByteBlock, bf16>(6, 19, k);
    check<8, 176, float, false, ByteBlock>(3, 19, 3 * k);
    check<2, 256, f16, false, ByteBlock>(1, 19, 3 * k);
  }
}

TEST_CASE("rows as bytes give the same sums in any company") {
  checkInCompany<4>();
  checkInCompany<8>();
}

TEST_CASE("a row of zeros, NaN and infinity as bytes") {
  ByteBlock<16> block;
  std::vector<float> x(16, 0.0f);
  takeBlock(x.data(), 16, block);
  CHECK(block.scale == 0);
  CHECK(block.sum == 0);
  x[3] = -2;
  takeBlock(x.data(), 16, block);
  CHECK(block.bytes[3] == -127);
  CHECK(block.sum == -127);
  x[5] = NAN;
  takeBlock(x.data(), 16, block);
  CHECK(block.scale != block.scale); // so is what it makes
  x[5] = INFINITY;
  takeBlock(x.data(), 16, block);
  CHECK(block.scale == INFINITY);
}
