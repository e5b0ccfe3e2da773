// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a few planes of bytes, one channel each, as one line of int16 pixels, their zero point taken off: what
// dual_conv.h makes of an input that nobody has brought into channels-last order. Four pixels of each plane are two
// words of two halves, which two instructions per word of the line put together.
#pragma once

#include "templates/dual/dual_mac.h"

namespace sinter {
namespace {

/// Four pixels from word kWord on: channel c of pixels 0 and 2 is in even[c], of 1 and 3 in odd[c].
template <int kChannels, int kPixel, int kWord = 0>
SINTER_INLINE void storeWoven(const int32_t (&even)[kChannels], const int32_t (&odd)[kChannels], int16_t *line) {
  if constexpr (kWord < 2 * kPixel) {
    constexpr int first = 2 * kWord, second = first + 1; // elements of the line
    const auto halvesOf = [&](int element) SINTER_INLINE_LAMBDA {
      const int pixel = element / kPixel, channel = element % kPixel;
      return channel < kChannels ? (pixel % 2 ? odd : even)[channel] : 0;
    };
    const int32_t a = halvesOf(first), b = halvesOf(second);
    constexpr bool isHigh = first / kPixel >= 2, isNextHigh = second / kPixel >= 2;
    storeWord(line + first, isHigh ? highHalves(a, b) : isNextHigh ? lowHighHalves(a, b) : lowHalves(a, b));
    storeWoven<kChannels, kPixel, kWord + 1>(even, odd, line);
  }
}

/// line[x * kPixel + c] = in[c * plane + x * step] - zero for `width` pixels; the element behind an odd number of
/// channels, if kPixel has one, is 0. `zero` is in both halves of a word, negated. Not inline: a kernel's other values
/// would take the registers that words wait in.
template <int kChannels, int kPixel, class TA>
SINTER_NOINLINE void weavePlanes(const TA *in, int32_t plane, int32_t step, int32_t zero, int16_t *line,
                                 int32_t width) {
  static_assert(kPixel - kChannels <= 1, "at most one element fills a pixel up");
  int32_t x = 0;
  if (step == 1)
    for (; x + 4 <= width; x += 4, line += 4 * kPixel) {
      int32_t even[kChannels], odd[kChannels];
      SINTER_UNROLL
      for (int c = 0; c < kChannels; ++c) {
        const int32_t bytes = loadWord(in + c * plane + x);
        even[c] = widenEven<TA>(zero, bytes), odd[c] = widenOdd<TA>(zero, bytes);
      }
      storeWoven<kChannels, kPixel>(even, odd, line);
    }
  for (; x < width; ++x, line += kPixel) {
    for (int c = 0; c < kChannels; ++c)
      line[c] = int16_t(in[c * plane + x * step] + lowHalf(zero));
    if constexpr (kPixel > kChannels)
      line[kChannels] = 0;
  }
}

} // namespace
} // namespace sinter
