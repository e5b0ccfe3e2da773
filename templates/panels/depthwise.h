// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution (one filter per channel) on activations in channel blocks, NHWC included: lanes run along
// channels, the weights of a vector of channels stay in registers, and the window slides along a row so that each input
// is loaded once per row of taps.
#pragma once

#include "templates/loops/lanes.h"
#include "templates/maps/image.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// kPixels outputs of a row, all taps inside of the image in w. KW, SW: taps and stride in w, dilation 1.
template <int KW, int SW, int kPixels, class V, class TA, class TB>
SINTER_INLINE void depthwiseRun(const TA *in, int64_t row, int64_t pixel, const TB *weights, int64_t tapPitch,
                                int64_t taps, V (&acc)[kPixels]) {
  constexpr int columns = (kPixels - 1) * SW + KW;
  SINTER_UNROLL
  for (int i = 0; i < kPixels; ++i)
    acc[i] = V{};
  for (int64_t kh = 0; kh < taps; ++kh) {
    V w[KW];
    SINTER_UNROLL
    for (int kw = 0; kw < KW; ++kw)
      w[kw] = load<V>(weights + (kh * KW + kw) * tapPitch);
    SINTER_UNROLL
    for (int x = 0; x < columns; ++x) {
      const V value = load<V>(in + kh * row + x * pixel);
      SINTER_UNROLL
      for (int kw = 0; kw < KW; ++kw)
        if ((x - kw) % SW == 0 && x - kw >= 0 && (x - kw) / SW < kPixels)
          acc[(x - kw) / SW] = multiplyAdd(value, w[kw], acc[(x - kw) / SW]);
    }
  }
}

/// One output, taps kw0 .. kw1 - 1 of rows kh0 .. kh1 - 1: borders, and whatever has no run of its own.
template <class V, class Shape, class TA, class TB>
SINTER_INLINE V depthwisePixel(const Shape &s, const TA *in, int64_t y, int64_t x, const TB *weights,
                               int64_t tapPitch) {
  V acc{};
  for (int64_t kh = 0; kh < s.kernelH; ++kh) {
    const int64_t row = y + kh * s.dilationH;
    if (row < 0 || row >= s.height)
      continue;
    for (int64_t kw = 0; kw < s.kernelW; ++kw)
      if (const int64_t column = x + kw * s.dilationW; column >= 0 && column < s.width)
        acc = multiplyAdd(load<V>(in + row * s.in.row + column * s.in.pixel),
                          load<V>(weights + (kh * s.kernelW + kw) * tapPitch), acc);
  }
  return acc;
}

/// One row of outputs for V's lanes of channels, from c on.
template <int KW, int SW, class V, class Shape, class TA, class TB, class TC, class Epilogue>
SINTER_INLINE void depthwiseRow(const Shape &s, const TA *in, const TB *weights, TC *out, int64_t n, int64_t c,
                                int64_t h, Epilogue &epilogue) {
  constexpr int pixels = SINTER_VECTOR_BYTES == 64 || kLanesOf<V> == 1 ? 8 : 4;
  const int64_t y = h * s.strideH - s.padTop;
  const int64_t kh0 = y >= 0 ? 0 : (-y + s.dilationH - 1) / s.dilationH;
  const int64_t beyond = y + (s.kernelH - 1) * s.dilationH - (s.height - 1);
  const int64_t kh1 = beyond <= 0 ? int64_t(s.kernelH) : s.kernelH - (beyond + s.dilationH - 1) / s.dilationH;
  const auto write = [&](V v, int64_t w) { store(out + h * s.out.row + w * s.out.pixel, epilogue(v, n, c, h, w)); };
  int64_t w = 0;
  while (w < s.outWidth) {
    const int64_t x = w * s.strideW - s.padLeft;
    if constexpr (KW > 0) {
      const auto run = [&](auto count) {
        constexpr int k = int(decltype(count)::value);
        if (x < 0 || w + k > s.outWidth || x + (k - 1) * SW + KW > s.width || kh1 <= kh0)
          return false;
        V acc[k];
        depthwiseRun<KW, SW>(in + (y + kh0 * s.dilationH) * s.in.row + x * s.in.pixel, s.dilationH * s.in.row,
                             s.in.pixel, weights + kh0 * KW * s.channels, s.channels, kh1 - kh0, acc);
        SINTER_UNROLL
        for (int i = 0; i < k; ++i)
          write(acc[i], w + i);
        w += k;
        return true;
      };
      if (run(Fixed<pixels>{}) || run(Fixed<pixels / 2>{}))
        continue;
    }
    write(depthwisePixel<V>(s, in, y, x, weights, s.channels), w);
    ++w;
  }
}

/// groups == channels == filters. `weights`: [kernelH][kernelW][channels]. `in` and
/// `out` in the same block. KW and SW: the kernel's width and stride where these are worth code of their own (dilation
/// 1), else 0. Output rows firstRow .. lastRow - 1. `epilogue(v, n, c, h, w)`. No scratch; no alignment beyond the
/// elements'.
template <int KW, int SW, class Shape, class TA, class TB, class TC, class Epilogue>
void depthwise(const Shape &s, const TA *in, const TB *weights, TC *out, int64_t firstRow, int64_t lastRow,
               Epilogue epilogue) {
  using E = AccumulatorOf<TA>;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t block = 0; block < s.channels; block += s.in.block) {
      const int64_t end = block + s.in.block < s.channels ? block + s.in.block : int64_t(s.channels);
      for (int64_t h = firstRow; h < lastRow; ++h)
        forLanes<E>(block, end, [&](auto tag, int64_t c) {
          using V = typename decltype(tag)::Type;
          const TA *image = in + n * s.in.batch + channelOffset(s.in, c);
          TC *result = out + n * s.out.batch + channelOffset(s.out, c);
          depthwiseRow<KW, SW, V>(s, image, weights + c, result, n, c, h, epilogue);
        });
    }
}

} // namespace
} // namespace sinter
