// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// int_gemm.h and int_conv.h against their definition, to the last bit, over odd sizes and all kinds of bytes.
#include "templates/dot4/int_conv.h"
#include "conv_reference.h"
#include "packing.h"
#include "pair_packing.h"
#include "templates/dot4/int_depthwise.h"
#include "templates/dot4/int_gemm.h"

#include <string>

using namespace sinter;
using test::kNR;
using test::kR;
using test::Random;

namespace {

/// Rows of a tile: there are no 14 of those that are made for eights.
template <class X>
constexpr int kRows = X::together == 8 ? 6 : kR;

/// Every byte occurs, the extremes often.
std::vector<int8_t> randomBytes(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<int8_t> out;
  for (size_t i = 0; i < n; ++i) {
    const float x = random.uniform(-160, 160);
    out.push_back(int8_t(x < -128 ? -128 : x > 127 ? 127 : x));
  }
  return out;
}

constexpr int kExtras = 3;

/// A weight of a run: of paired ones only those in a few fours are large.
template <class X>
int8_t weightOf(int8_t byte, int64_t run, int64_t p) {
  const bool isLarge = !X::isPaired || (run == 0 && (p < 4 || (p >= 16 && p < 20))) || (run == 1 && p < 4);
  return isLarge ? byte : int8_t(byte / 2);
}

template <class X>
void checkGemm(int64_t m, int64_t n, int64_t k) {
  const int64_t lda = k + 3, ldc = n + 5;
  const auto a = randomBytes(size_t(m * lda + 1), 1);
  auto b = randomBytes(size_t(k * n + 1), 2);
  for (int64_t i = 0; i < k * n; ++i)
    b[size_t(i)] = weightOf<X>(b[size_t(i)], 0, i / n);
  auto packed =
      test::packDot4(1, k, n, [&](int64_t, int64_t p, int64_t j) { return b[size_t(p * n + j)]; }, X::together);
  if (X::isPaired)
    packed = test::packPairs(packed, (k + 3) / 4, kExtras,
                             [&](int64_t four) { return FourPlace{0, 0, four * 4 + 4 > k ? k - 4 : four * 4}; });
  for (int64_t p = 0; p < k; ++p)
    for (int64_t j = 0; j < n; ++j)
      REQUIRE(packedElement<kNR, X>(packed.data(), k, p, j) == b[size_t(p * n + j)]);
  std::vector<int32_t> bias(size_t(n) + 1), c(size_t(m * ldc), -7);
  for (size_t j = 0; j < size_t(n); ++j)
    bias[j] = int32_t(j * 1000);
  // Exactly as long as it has to be: reading on is found out by sanitizers.
  const std::vector<int8_t> exact(a.begin(), a.begin() + (m ? (m - 1) * lda + k : 0));
  intGemm<kRows<X>, kNR, X>(
      exact.data(), lda, packed.data(), c.data(), ldc, m, n, k, [&](auto v, int64_t i, int64_t j) {
        return v + load<decltype(v)>(bias.data() + j) + load<decltype(v)>(&c[size_t(i * ldc + j)]);
      });
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < ldc; ++j) {
      int32_t want = (j < n ? bias[size_t(j)] : 0) - 7;
      for (int64_t p = 0; p < k && j < n; ++p)
        want += byteValue<X>(uint8_t(a[size_t(i * lda + p)])) * b[size_t(p * n + j)];
      INFO("m " << m << " n " << n << " k " << k << " at " << i << " " << j);
      REQUIRE(c[size_t(i * ldc + j)] == want);
    }
}

/// `in` and `w` as ONNX has them; only taps inside of the image, since kernels see padded ones.
template <class X, bool kMerged>
void checkConv(ConvShape s) {
  s.height += s.padTop * 2, s.width += s.padLeft * 2;
  s.padTop = s.padLeft = 0;
  test::setOutputSize(s, 0, 0);
  s.in = blockedLayout(s.channels, s.height, s.width, s.channels);
  s.out = blockedLayout(s.filters, s.outHeight, s.outWidth, s.filters);
  const int64_t perGroup = s.channels / s.groups, filters = s.filters / s.groups, taps = s.kernelH * s.kernelW;
  const auto in = randomBytes(size_t(s.batch * s.in.batch), 3), w = randomBytes(size_t(s.filters * perGroup * taps), 4);
  const auto weight = [&](int64_t k, int64_t c, int64_t tap) {
    const int64_t run = kMerged ? tap / s.kernelW : tap, p = kMerged ? tap % s.kernelW * perGroup + c : c;
    return weightOf<X>(w[size_t((k * perGroup + c) * taps + tap)], run, p);
  };
  std::vector<int8_t> packed;
  const int64_t runs = kMerged ? s.kernelH : taps, length = kMerged ? s.kernelW * perGroup : perGroup;
  for (int64_t g = 0; g < s.groups; ++g) {
    auto part = test::packDot4(
        runs, length, filters,
        [&](int64_t run, int64_t p, int64_t k) {
          return weight(g * filters + k, p % perGroup, kMerged ? run * s.kernelW + p / perGroup : run);
        },
        X::together);
    if (X::isPaired)
      part = test::packPairs(part, runs * ((length + 3) / 4), kExtras, [&](int64_t four) {
        const int64_t ofRun = (length + 3) / 4, columns = kMerged ? 1 : s.kernelW, at = four % ofRun * 4;
        return FourPlace{four / ofRun / columns, four / ofRun % columns, at + 4 > length ? length - 4 : at};
      });
    packed.insert(packed.end(), part.begin(), part.end());
  }
  std::vector<int32_t> out(size_t(s.batch * s.out.batch), -7);
  const auto inPlace = [&](auto v, int64_t n, int64_t c, int64_t h, int64_t x) {
    return add(v, load<decltype(v)>(&out[size_t(test::offsetOf(s.out, n, c, h, x))]));
  };
  const int64_t half = s.outHeight / 2;
  intConv<kRows<X>, kNR, kMerged, X>(s, in.data(), packed.data(), out.data(), 0, half, inPlace);
  intConv<kRows<X>, kNR, kMerged, X>(s, in.data(), packed.data(), out.data(), half, s.outHeight, inPlace);
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t k = 0; k < s.filters; ++k)
      for (int64_t h = 0; h < s.outHeight; ++h)
        for (int64_t x = 0; x < s.outWidth; ++x) {
          int32_t want = 0;
          for (int64_t c = 0; c < perGroup; ++c)
            for (int64_t tap = 0; tap < taps; ++tap) {
              const int64_t y = h * s.strideH + tap / s.kernelW * s.dilationH,
                            at = x * s.strideW + tap % s.kernelW * s.dilationW;
              want += byteValue<X>(uint8_t(in[size_t(test::offsetOf(s.in, n, k / filters * perGroup + c, y, at))])) *
                      weight(k, c, tap);
            }
          INFO("c " << s.channels << " k " << s.filters << " kernel " << s.kernelH << "x" << s.kernelW << " at " << n
                    << " " << k << " " << h << " " << x);
          REQUIRE(out[size_t(test::offsetOf(s.out, n, k, h, x))] == want - 7);
        }
}

template <class X, int KW, int SW>
void checkDepthwise(ConvShape s) {
  s.height += s.padTop * 2, s.width += s.padLeft * 2;
  s.padTop = s.padLeft = 0;
  s.groups = s.filters = s.channels;
  test::setOutputSize(s, 0, 0);
  s.in = blockedLayout(s.channels, s.height, s.width, s.channels);
  s.out = blockedLayout(s.channels, s.outHeight, s.outWidth, s.channels);
  const int64_t taps = s.kernelH * s.kernelW;
  const auto in = randomBytes(size_t(s.batch * s.in.batch), 3), w = randomBytes(size_t(s.channels * taps), 4);
  std::vector<int8_t> packed;
  for (int64_t c = 0, block; c < s.channels; c += block) {
    block = depthwiseBlock(s.channels - c);
    for (int64_t kh = 0; kh < s.kernelH; ++kh)
      for (int64_t kw = 0; kw < s.kernelW; kw += 4)
        for (int64_t i = 0; i < (block < 16 ? 16 : block) * 4; ++i)
          packed.push_back(i / 4 < block && kw + i % 4 < s.kernelW
                               ? w[size_t((c + i / 4) * taps + kh * s.kernelW + kw + i % 4)]
                               : int8_t(0));
  }
  std::vector<int32_t> out(size_t(s.batch * s.out.batch), -7);
  const auto inPlace = [&](auto v, int64_t n, int64_t c, int64_t h, int64_t x) {
    return add(v, load<decltype(v)>(&out[size_t(test::offsetOf(s.out, n, c, h, x))]));
  };
  intDepthwise<KW, SW, X>(s, in.data(), packed.data(), out.data(), 0, s.outHeight, inPlace);
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t c = 0; c < s.channels; ++c)
      for (int64_t h = 0; h < s.outHeight; ++h)
        for (int64_t x = 0; x < s.outWidth; ++x) {
          int32_t want = 0;
          for (int64_t tap = 0; tap < taps; ++tap)
            want +=
                byteValue<X>(uint8_t(in[size_t(test::offsetOf(s.in, n, c, h * s.strideH + tap / s.kernelW * s.dilationH,
                                                              x * s.strideW + tap % s.kernelW * s.dilationW))])) *
                w[size_t(c * taps + tap)];
          INFO("c " << s.channels << " kernel " << s.kernelH << "x" << s.kernelW << " at " << n << " " << c << " " << h
                    << " " << x);
          REQUIRE(out[size_t(test::offsetOf(s.out, n, c, h, x))] == want - 7);
        }
}

} // namespace

TEST_CASE("intGemm over odd sizes") {
  for (const int64_t m : {0, 1, 2, 3, 15, 33})
    for (const int64_t n : {0, 1, 10, 16, 33, 64, 200})
      for (const int64_t k : {1, 2, 3, 4, 5, 64, 67}) {
        checkGemm<UnsignedBytes>(m, n, k);
        checkGemm<SignedBytes>(m, n, k);
        checkGemm<FlippedToUnsigned>(m, n, k);
        checkGemm<FlippedToSigned>(m, n, k);
        if (k < 4)
          continue;
        checkGemm<PairedBytes<kExtras>>(m, n, k);
        checkGemm<FlippedToPaired<kExtras>>(m, n, k);
      }
}

TEST_CASE("intGemm of eights over odd sizes") {
  for (const int64_t m : {0, 1, 2, 3, 7, 16})
    for (const int64_t n : {0, 1, 10, 33, 200})
      for (const int64_t k : {1, 3, 4, 5, 7, 8, 9, 16, 23, 24, 67}) {
        checkGemm<InEights<UnsignedBytes>>(m, n, k);
        checkGemm<InEights<SignedBytes>>(m, n, k);
        checkGemm<InEights<FlippedToSigned>>(m, n, k);
      }
}

template <class X, int64_t m>
static void checkKnownSizes() {
  const auto a = randomBytes(m * 33, 1), b = randomBytes(size_t(33 * 40), 2);
  const auto packed =
      test::packDot4(1, 33, 40, [&](int64_t, int64_t p, int64_t j) { return b[size_t(p * 40 + j)]; }, X::together);
  int32_t c[m * 40];
  intGemm<kRows<X>, kNR, X>(a.data(), Fixed<33>{}, packed.data(), c, Fixed<40>{}, Fixed<m>{}, Fixed<40>{}, Fixed<33>{},
                            Identity{});
  for (size_t i = 0; i < size_t(m); ++i)
    for (size_t j = 0; j < 40; ++j) {
      int32_t want = 0;
      for (size_t p = 0; p < 33; ++p)
        want += int32_t(uint8_t(a[i * 33 + p])) * b[p * 40 + j];
      CHECK(c[i * 40 + j] == want);
    }
}

TEST_CASE("intGemm with sizes known while compiling") {
  checkKnownSizes<UnsignedBytes, 1>();
  checkKnownSizes<InEights<UnsignedBytes>, 1>();
  checkKnownSizes<InEights<UnsignedBytes>, 15>(); // tiles of 6, 6 and 3
}

TEST_CASE("intConv over shapes") {
  for (const ConvShape &shape : test::convShapes()) {
    checkConv<UnsignedBytes, false>(shape);
    checkConv<SignedBytes, false>(shape);
    checkConv<FlippedToUnsigned, false>(shape);
    checkConv<FlippedToSigned, false>(shape);
    if (shape.channels / shape.groups >= 4)
      checkConv<FlippedToPaired<kExtras>, false>(shape);
    checkConv<InEights<SignedBytes>, false>(shape);
    if (shape.dilationW == 1 && shape.groups == 1) {
      if (shape.kernelW * shape.channels >= 4)
        checkConv<PairedBytes<kExtras>, true>(shape);
      checkConv<UnsignedBytes, true>(shape);
      checkConv<InEights<UnsignedBytes>, true>(shape);
    }
  }
}

TEST_CASE("intDepthwise over shapes and channels") {
  for (ConvShape shape : test::convShapes())
    for (const int64_t channels : {1, 5, 8, 16, 27, 48, 64, 117}) {
      shape.channels = channels;
      checkDepthwise<UnsignedBytes, 0, 0>(shape);
      checkDepthwise<FlippedToUnsigned, 0, 0>(shape);
      checkDepthwise<SignedBytes, 0, 0>(shape);
      if (shape.kernelH != 3 || shape.kernelW != 3 || shape.dilationH != 1)
        continue;
      if (shape.strideW == 1)
        checkDepthwise<UnsignedBytes, 3, 1>(shape);
      if (shape.strideW == 1)
        checkDepthwise<FlippedToSigned, 3, 1>(shape);
      shape.strideH = shape.strideW = 2;
      checkDepthwise<UnsignedBytes, 3, 2>(shape);
    }
}

template <class X, int KW, int SW>
static void checkHeights() {
  for (const int64_t rows : {1, 2, 3, 5, 8})
    for (const int64_t width : {1, 2, 5, 9})
      for (const int64_t channels : {5, 16, 27, 96}) {
        ConvShape s;
        s.batch = 2, s.channels = channels, s.kernelH = rows, s.kernelW = KW, s.strideH = 2, s.strideW = SW;
        s.height = rows + 2, s.width = (width - 1) * SW + KW;
        checkDepthwise<X, KW, SW>(s);
      }
}

TEST_CASE("intDepthwise of kernels of known width and any height") {
  checkHeights<SignedBytes, 1, 2>();
  checkHeights<UnsignedBytes, 2, 1>();
  checkHeights<FlippedToUnsigned, 3, 1>();
  checkHeights<SignedBytes, 3, 2>();
  checkHeights<UnsignedBytes, 5, 1>();
  checkHeights<FlippedToSigned, 5, 2>();
  checkHeights<SignedBytes, 7, 1>();
}
