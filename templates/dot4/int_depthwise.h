// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution (one filter per channel) of bytes on channels-last maps: lanes run along channels, four taps of
// a row are woven into each lane and multiplied by one dot product. No padding here: see int_conv.h.
#pragma once

#include "templates/dot4/int_depthwise_narrow.h"
#include "templates/dot4/int_depthwise_pairs.h"
#include "templates/dot4/int_tile.h"

namespace sinter {
namespace {

/// One output for kBytes channels: any kernel. `weights`: [row of taps][four of a row][channel][4].
template <class X, int kBytes, class Shape, class End>
SINTER_INLINE void intDepthwisePixel(const Shape &s, const uint8_t *in, End end, const int8_t *weights, int32_t *sums) {
  using V = Vec<int32_t, kBytes / 4>;
  V acc[4] = {};
  for (int64_t kh = 0; kh < s.kernelH; ++kh)
    for (int64_t kw = 0; kw < s.kernelW; kw += 4, weights += 4 * kBytes) {
      const auto column = [&](int64_t i) { // taps behind the last one have weights of zero
        const int64_t tap = kw + i < s.kernelW ? kw + i : s.kernelW - 1;
        return loadToWeave<X, kBytes>(in + kh * s.dilationH * s.in.row + tap * s.dilationW * s.in.pixel, end);
      };
      V fours[4];
      weave(pairsOf(column(0), column(1)), pairsOf(column(2), column(3)), fours);
      SINTER_UNROLL
      for (int q = 0; q < 4; ++q) {
        V w;
        memcpy(&w, weights + q * kBytes, sizeof(w));
        acc[q] = dot4<X::isSigned>(acc[q], fours[q], w);
      }
    }
  storeJoined(acc, sums);
}

/// The same for one channel without vectors; `pitch` channels stand in the block of weights.
template <class X, class Shape>
SINTER_INLINE int32_t intDepthwiseSum(const Shape &s, const uint8_t *in, const int8_t *weights, int64_t pitch) {
  int32_t sum = 0;
  for (int64_t kh = 0; kh < s.kernelH; ++kh)
    for (int64_t kw = 0; kw < s.kernelW; ++kw) {
      const int64_t four = kh * ((s.kernelW + 3) / 4) + kw / 4;
      sum += byteValue<X>(in[kh * s.dilationH * s.in.row + kw * s.dilationW * s.in.pixel]) *
             weights[four * pitch * 4 + kw % 4];
    }
  return sum;
}

/// The channels, Fixed where the shape's type has them.
template <class Shape>
SINTER_INLINE auto channelsOf([[maybe_unused]] const Shape &s) {
  if constexpr (kStaticShape<Shape>)
    return Fixed<Shape::channels>{};
  else
    return int64_t(s.channels);
}

/// Those behind blocks of 16.
template <class Shape>
SINTER_INLINE auto channelsLeft([[maybe_unused]] const Shape &s) {
  if constexpr (kStaticShape<Shape>)
    return Fixed<Shape::channels % 16>{};
  else
    return int64_t(s.channels % 16);
}

/// A row of outputs of a kernel of 3 x 3, dilation 1, stride SW of 1 or 2. Woven pairs of columns pass from output to
/// output; with stride 1 four columns serve two outputs. `write(sums, w, count)` for one output or two.
template <class X, int kBytes, int SW, class Shape, class End, class Write>
SINTER_INLINE void intDepthwiseRow3(const Shape &s, const uint8_t *in, End end, const int8_t *weights, Write write) {
  using V = Vec<int32_t, kBytes / 4>;
  V w[2][3][4]; // the second set one tap on
  memcpy(&w[0], weights, sizeof(w[0]));
  if constexpr (SW == 1) {
    SINTER_UNROLL
    for (int i = 0; i < 12; ++i)
      w[1][i / 4][i % 4] = (V)((UnsignedOf<V>)w[0][i / 4][i % 4] << 8);
  }
  const auto pair = [&](int64_t kh, int64_t x) {
    const int64_t next = x + 1 < s.width ? x + 1 : s.width - 1; // beyond the last column weights are zero
    const uint8_t *row = in + kh * s.in.row;
    return pairsOf(loadToWeave<X, kBytes>(row + x * s.in.pixel, end),
                   loadToWeave<X, kBytes>(row + next * s.in.pixel, end));
  };
  BytePairs<kBytes> left[3] = {pair(0, 0), pair(1, 0), pair(2, 0)};
  for (int64_t x = 0, o = 0; o < s.outWidth; x += 2, o += SW == 1 ? 2 : 1) {
    V acc[2][4] = {};
    SINTER_UNROLL
    for (int kh = 0; kh < 3; ++kh) {
      const BytePairs<kBytes> right = pair(kh, x + 2);
      V fours[4];
      weave(left[kh], right, fours);
      SINTER_UNROLL
      for (int q = 0; q < 4; ++q)
        acc[0][q] = dot4<X::isSigned>(acc[0][q], fours[q], w[0][kh][q]);
      if constexpr (SW == 1) {
        SINTER_UNROLL
        for (int q = 0; q < 4; ++q)
          acc[1][q] = dot4<X::isSigned>(acc[1][q], fours[q], w[1][kh][q]);
      }
      left[kh] = right;
    }
    int32_t sums[(3 - SW) * kBytes];
    storeJoined(acc[0], &sums[0]);
    if constexpr (SW == 1)
      storeJoined(acc[1], &sums[kBytes]);
    write(&sums[0], o, SW == 1 && o + 1 < s.outWidth ? 2 : 1);
  }
}

/// groups == channels == filters; X says how bytes of `in` are taken; `in`, `out` channels-last, s.padTop and s.padLeft
/// 0. `weights`: blocks of depthwiseBlock channels, each [row of taps][four of a row][channel][4]. KW: the kernel's
/// width where its dilation is 1, its height at most 9 and its stride in w SW, 1 or 2, else 0. Output rows firstRow
/// .. lastRow - 1. `epilogue(v, n, c, h, w)`. No scratch, no alignment.
template <int KW, int SW, class X, class Shape, class TA, class TC, class Epilogue>
void intDepthwise(const Shape &s, const TA *in, const int8_t *weights, TC *out, int64_t firstRow, int64_t lastRow,
                  Epilogue epilogue) {
  static_assert(sizeof(TA) == 1, "bytes");
  const int64_t perChannel = s.kernelH * ((s.kernelW + 3) / 4) * 4;
  for (int64_t n = 0; n < s.batch; ++n) {
    const auto *image = reinterpret_cast<const uint8_t *>(in) + n * s.in.batch;
    const auto *end = image + (s.height - 1) * s.in.row + (s.width - 1) * s.in.pixel + s.channels;
    // row(first byte, write) for each row of outputs; write(sums, x, count) of some pixels, sums `pitch` apart.
    const auto rows = [&](int64_t c, auto block, auto pitch, auto row) {
      for (int64_t h = firstRow; h < lastRow; ++h) {
        const Epilogue values = epilogue; // nearby: what is written could lie where the caller's is
        TC *to = out + n * s.out.batch + h * s.out.row + c;
        row(image + h * s.strideH * s.in.row + c, [&](const int32_t *sums, int64_t x, int64_t count) {
          for (; count > 0; --count, ++x, sums += pitch)
            storeEach<Vec<int32_t, kLanes<int32_t>>>(sums, block, to + x * s.out.pixel,
                                                     [&](auto v, int64_t i) { return values(v, n, c + i, h, x); });
        });
      }
    };
    if constexpr (KW == 3 && SW == 1 && SINTER_VECTOR_BYTES >= 16)
      if (isNarrow(s) && s.kernelH == 3 && !(kMultipliesPairs && s.channels >= 16)) {
        constexpr int size = SINTER_VECTOR_BYTES;
        int32_t spread[3][size];
        spreadWeights(s.channels, weights, spread);
        const auto channels = channelsOf(s);
        rows(0, channels, channels, [&](const uint8_t *from, auto write) {
          if (narrowReach<size>(s) <= end - from)
            intDepthwiseNarrowRow<X, size>(s, from, NoEnd{}, spread, write);
          else
            intDepthwiseNarrowRow<X, size>(s, from, end, spread, write);
        });
        continue;
      }
    for (int64_t c = 0, block; c < s.channels; c += block) {
      block = depthwiseBlock(s.channels - c);
      const int8_t *w = weights + c * perChannel;
      const auto vectors = [&](auto bytes, auto count, auto limit) {
        constexpr int size = int(decltype(bytes)::value);
        const auto anyRow = [&](const uint8_t *from, auto write) {
          if constexpr (KW == 3)
            if (s.kernelH == 3) {
              intDepthwiseRow3<X, size, SW>(s, from, limit, w, write);
              return;
            }
          for (int64_t x = 0; x < s.outWidth; ++x) {
            int32_t sums[size];
            intDepthwisePixel<X, size>(s, from + x * s.strideW * s.in.pixel, limit, w, &sums[0]);
            write(&sums[0], x, 1);
          }
        };
        if constexpr (kMultipliesPairs && KW > 0) {
          const PairedTaps<KW, size> taps(s.kernelH, w);
          rows(c, count, bytes, [&](const uint8_t *from, auto write) {
            if (isPairedRow<KW, size>(s, from, end))
              pairedRow<X, SW>(s, from, taps, write);
            else
              anyRow(from, write);
          });
        } else {
          rows(c, count, bytes, anyRow);
        }
      };
      if constexpr (SINTER_VECTOR_BYTES >= 64)
        if (block == 64) {
          vectors(Fixed<64>{}, Fixed<64>{}, NoEnd{});
          continue;
        }
      if constexpr (SINTER_VECTOR_BYTES >= 32)
        if (block == 32) {
          vectors(Fixed<32>{}, Fixed<32>{}, NoEnd{});
          continue;
        }
      if constexpr (SINTER_VECTOR_BYTES >= 16) {
        if (block == 16)
          vectors(Fixed<16>{}, Fixed<16>{}, NoEnd{});
        else // the last pixel has nothing behind it
          vectors(Fixed<16>{}, channelsLeft(s), end);
      } else {
        rows(c, block, block, [&](const uint8_t *from, auto write) {
          for (int64_t x = 0; x < s.outWidth; ++x) {
            int32_t sums[16];
            for (int64_t j = 0; j < block; ++j)
              sums[j] = intDepthwiseSum<X>(s, from + x * s.strideW * s.in.pixel + j, w + j * 4, 16);
            write(&sums[0], x, 1);
          }
        });
      }
    }
  }
}

} // namespace
} // namespace sinter
