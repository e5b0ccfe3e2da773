// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution of bytes, 3 x 3, on maps of so few channels that a vector holds several pixels: lanes run on
// from pixel to pixel, and the weights stand once for each pixel. Under int_depthwise.h.
#pragma once

#include "templates/dot4/byte_lanes.h"
#include "templates/maps/image.h"

namespace sinter {
namespace {

/// Whether lanes may run on: stride and dilation 1, nothing between two pixels of the input.
template <class Shape>
SINTER_INLINE constexpr bool isNarrow(const Shape &s) {
  return s.in.pixel == s.channels && s.channels * 2 <= SINTER_VECTOR_BYTES;
}

/// How many of a rest of `channels` are taken at once, without vectors too, for which weights are laid out alike.
/// Weights of fewer than 16 are filled up to 16.
SINTER_INLINE constexpr int64_t depthwiseBlock(int64_t channels) {
  constexpr int64_t widest = SINTER_VECTOR_BYTES > 16 ? SINTER_VECTOR_BYTES : 16;
  for (int64_t block = widest; block >= 16; block /= 2)
    if (channels >= block)
      return block;
  return channels;
}

/// The weights of a row of taps in the lanes of as many pixels as a vector of kBytes holds; `weights` as in
/// intDepthwise.
template <int kBytes>
void spreadWeights(int64_t channels, const int8_t *weights, int32_t (&lanes)[3][kBytes]) {
  memset(&lanes, 0, sizeof(lanes));
  const int64_t filled = kBytes / channels * channels;
  for (int64_t c = 0, block; c < channels; c += block) {
    block = depthwiseBlock(channels - c);
    const int8_t *w = weights + c * 12;
    for (int64_t row = 0; row < 3; ++row, w += (block < 16 ? 16 : block) * 4)
      for (int64_t i = 0; i < block; ++i)
        for (int64_t lane = c + i; lane < filled; lane += channels)
          memcpy(&lanes[row][lane], w + i * 4, 4);
  }
}

/// A row of outputs. `write(sums, x, count)`: of `count` pixels, channels behind each other. What would lie at or
/// behind `end` is not read.
template <class X, int kBytes, class Shape, class End, class Write>
SINTER_INLINE void intDepthwiseNarrowRow(const Shape &s, const uint8_t *in, End end,
                                         const int32_t (&weights)[3][kBytes], Write write) {
  using V = Vec<int32_t, kBytes / 4>;
  const int64_t pixels = kBytes / s.channels;
  for (int64_t x = 0; x < s.outWidth; x += pixels) {
    V acc[4] = {};
    SINTER_UNROLL
    for (int kh = 0; kh < 3; ++kh) {
      const uint8_t *row = in + kh * s.in.row + x * s.channels;
      const auto third = loadToWeave<X, kBytes>(row + 2 * s.channels, end);
      V fours[4]; // of the fourth column the weights are zero
      weave(pairsOf(loadToWeave<X, kBytes>(row, end), loadToWeave<X, kBytes>(row + s.channels, end)),
            pairsOf(third, third), fours);
      SINTER_UNROLL
      for (int q = 0; q < 4; ++q) {
        V w;
        memcpy(&w, &weights[kh][q * kLanesOf<V>], sizeof(w));
        acc[q] = dot4<X::isSigned>(acc[q], fours[q], w);
      }
    }
    int32_t sums[kBytes];
    storeJoined(acc, &sums[0]);
    write(&sums[0], x, s.outWidth - x < pixels ? s.outWidth - x : pixels);
  }
}

/// How far behind a row's first byte intDepthwiseNarrowRow reads.
template <int kBytes, class Shape>
SINTER_INLINE constexpr int64_t narrowReach(const Shape &s) {
  const int64_t pixels = s.channels < kBytes ? kBytes / s.channels : 1; // more channels than isNarrow takes: none asks
  return 2 * s.in.row + ((s.outWidth - 1) / pixels * pixels + 2) * s.channels + kBytes;
}

} // namespace
} // namespace sinter
