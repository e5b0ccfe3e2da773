// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution (one filter per channel) of bytes on channels-last maps: lanes run along channels, four taps of
// a row are woven into each lane and multiplied by one dot product. No padding here: see int_conv.h.
#pragma once

#include "templates/byte_lanes.h"
#include "templates/image.h"

namespace sinter {
namespace {

/// How many of a rest of `channels` are taken at once. Weights of fewer than 16 are filled up to 16.
SINTER_INLINE constexpr int64_t depthwiseBlock(int64_t channels) {
  constexpr int64_t widest = SINTER_VECTOR_BYTES;
  for (int64_t block = widest; block >= 16; block /= 2)
    if (channels >= block)
      return block;
  return channels;
}

/// One output for kBytes channels: any kernel. `weights`: [row of taps][quad of a row][channel][4].
template <class X, int kBytes, class Shape, class End>
SINTER_INLINE void intDepthwisePixel(const Shape &s, const uint8_t *in, End end, const int8_t *weights,
                                     Vec<int32_t, kBytes / 4> (&acc)[4]) {
  using V = Vec<int32_t, kBytes / 4>;
  SINTER_UNROLL
  for (int q = 0; q < 4; ++q)
    acc[q] = V{};
  for (int64_t kh = 0; kh < s.kernelH; ++kh)
    for (int64_t kw = 0; kw < s.kernelW; kw += 4, weights += 4 * kBytes) {
      const auto column = [&](int64_t i) { // taps behind the last one have weights of zero
        const int64_t tap = kw + i < s.kernelW ? kw + i : s.kernelW - 1;
        return loadToWeave<X, kBytes>(in + kh * s.dilationH * s.in.row + tap * s.dilationW * s.in.pixel, end);
      };
      V quads[4];
      weave(pairsOf(column(0), column(1)), pairsOf(column(2), column(3)), quads);
      SINTER_UNROLL
      for (int q = 0; q < 4; ++q) {
        V w;
        memcpy(&w, weights + q * kBytes, sizeof(w));
        acc[q] = dot4<X::isSigned>(acc[q], quads[q], w);
      }
    }
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
      V quads[4];
      weave(left[kh], right, quads);
      SINTER_UNROLL
      for (int q = 0; q < 4; ++q)
        acc[0][q] = dot4<X::isSigned>(acc[0][q], quads[q], w[0][kh][q]);
      if constexpr (SW == 1) {
        SINTER_UNROLL
        for (int q = 0; q < 4; ++q)
          acc[1][q] = dot4<X::isSigned>(acc[1][q], quads[q], w[1][kh][q]);
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
/// 0. `weights`: blocks of depthwiseBlock channels, each [row of taps][quad of a row][channel][4]. KW: 3 for a kernel
/// of 3 x 3 of dilation 1 and stride SW of 1 or 2 in w, which has code of its own, else 0. Output rows firstRow ..
/// lastRow - 1. `epilogue(v, n, c, h, w)`. No scratch, no alignment.
template <int KW, int SW, class X, class Shape, class TA, class TC, class Epilogue>
void intDepthwise(const Shape &s, const TA *in, const int8_t *weights, TC *out, int64_t firstRow, int64_t lastRow,
                  Epilogue epilogue) {
  static_assert(sizeof(TA) == 1, "bytes");
  const int64_t perChannel = s.kernelH * ((s.kernelW + 3) / 4) * 4;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t c = 0, block; c < s.channels; c += block) {
      block = depthwiseBlock(s.channels - c);
      const int8_t *w = weights + c * perChannel;
      const auto *image = reinterpret_cast<const uint8_t *>(in) + n * s.in.batch;
      const auto rows = [&](auto row) {
        for (int64_t h = firstRow; h < lastRow; ++h)
          row(image + h * s.strideH * s.in.row + c, out + n * s.out.batch + h * s.out.row + c, h);
      };
      if constexpr (SINTER_VECTOR_BYTES >= 16) {
        const auto vectors = [&](auto bytes, auto end) {
          constexpr int size = int(decltype(bytes)::value);
          using V = Vec<int32_t, size / 4>;
          rows([&](const uint8_t *from, TC *to, int64_t h) {
            const auto write = [&](const int32_t *sums, int64_t x, int64_t count) {
              for (; count > 0; --count, ++x, sums += size) {
                const auto some = [&](auto v, int64_t i) {
                  store(to + x * s.out.pixel + i, epilogue(v, n, c + i, h, x));
                };
                eachSum<Vec<int32_t, (kLanes<int32_t> < size ? kLanes<int32_t> : size)>>(sums, block, 0, some);
              }
            };
            if constexpr (KW == 3) {
              intDepthwiseRow3<X, size, SW>(s, from, end, w, write);
            } else {
              for (int64_t x = 0; x < s.outWidth; ++x) {
                V acc[4];
                intDepthwisePixel<X, size>(s, from + x * s.strideW * s.in.pixel, end, w, acc);
                int32_t sums[size];
                storeJoined(acc, &sums[0]);
                write(&sums[0], x, 1);
              }
            }
          });
        };
        if constexpr (SINTER_VECTOR_BYTES >= 64)
          if (block == 64) {
            vectors(Fixed<64>{}, NoEnd{});
            continue;
          }
        if constexpr (SINTER_VECTOR_BYTES >= 32)
          if (block == 32) {
            vectors(Fixed<32>{}, NoEnd{});
            continue;
          }
        if (block == 16)
          vectors(Fixed<16>{}, NoEnd{});
        else // the last pixel has nothing behind it
          vectors(Fixed<16>{}, image + (s.height - 1) * s.in.row + (s.width - 1) * s.in.pixel + s.channels);
      } else {
        rows([&](const uint8_t *from, TC *to, int64_t h) {
          for (int64_t x = 0; x < s.outWidth; ++x)
            for (int64_t i = 0; i < block; ++i) {
              int32_t sum = 0;
              for (int64_t kh = 0; kh < s.kernelH; ++kh)
                for (int64_t kw = 0; kw < s.kernelW; ++kw) {
                  const int64_t pixel = kh * s.dilationH * s.in.row + (x * s.strideW + kw * s.dilationW) * s.in.pixel;
                  const int64_t quad = kh * ((s.kernelW + 3) / 4) + kw / 4, pitch = block < 16 ? 16 : block;
                  sum += byteValue<X>(from[pixel + i]) * w[(quad * pitch + i) * 4 + kw % 4];
                }
              store(to + x * s.out.pixel + i, epilogue(sum, n, c + i, h, x));
            }
        });
      }
    }
}

} // namespace
} // namespace sinter
