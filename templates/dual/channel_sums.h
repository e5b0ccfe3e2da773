// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of 8-bit feature maps over their pixels, four channels in a word: two instructions a word on cores with the DSP
// extension. What averages over whole maps begin with.
#pragma once

#include "runtime-lite/view.h"
#include "templates/dual/dual_mac.h"

namespace sinter {
namespace {

struct ChannelSumsParams {
  int64_t zero; ///< the zero point
};

/// One channel each of the low and high halves; modulo 2^16 halves hold 255 bytes of either sign.
template <class X>
SINTER_INLINE void addHalves(int32_t halves, int32_t *low, int32_t *high) {
  if constexpr (X(-1) < X(0)) {
    *low += lowHalf(halves);
    *high += highHalf(halves);
  } else {
    *low += int32_t(uint32_t(halves) & 0xffff);
    *high += int32_t(uint32_t(halves) >> 16);
  }
}

/// sums[c] += all pixels' channel c less the zero point, for `count` pixels, `pixel` elements apart.
template <class X>
SINTER_INLINE void addPixels(const X *x, int32_t count, int32_t pixel, int32_t channels, int32_t zero, int32_t *sums) {
  constexpr int32_t atOnce = 255;
  for (int32_t c = 0; c < channels; c += 4) {
    const int32_t some = c + 4 <= channels ? 4 : channels - c;
    int32_t total[4] = {};
    const X *from = x + c;
    for (int32_t left = count; left > 0; left -= atOnce) {
      int32_t even = 0, odd = 0;
      const X *const end = from + (left < atOnce ? left : atOnce) * pixel;
      if (some == 4)
        for (; from != end; from += pixel) {
          const int32_t bytes = loadWord(from);
          even = widenEven<X>(even, bytes);
          odd = widenOdd<X>(odd, bytes);
        }
      else
        for (; from != end; from += pixel) {
          const int32_t bytes = loadBytes(from, some);
          even = widenEven<X>(even, bytes);
          odd = widenOdd<X>(odd, bytes);
        }
      addHalves<X>(even, &total[0], &total[2]);
      addHalves<X>(odd, &total[1], &total[3]);
    }
    for (int32_t i = 0; i < some; ++i)
      sums[c + i] += total[i] - count * zero;
  }
}

/// sums[n][block][c] += x[n][block][h][w][c] - zero, over all h and w. Channels are dense in both.
template <class X>
void channelSums(const ChannelSumsParams &params, const View<X, 5> &x, const View<int32_t, 3> &sums) {
  const int32_t height = int32_t(x.sizes[2]), width = int32_t(x.sizes[3]), pixel = int32_t(x.strides[3]);
  const bool isOneRun = x.strides[2] == x.strides[3] * x.sizes[3];
  for (int64_t n = 0; n < x.sizes[0]; ++n)
    for (int64_t block = 0; block < x.sizes[1]; ++block) {
      const X *image = x.data + n * x.strides[0] + block * x.strides[1];
      int32_t *to = sums.data + n * sums.strides[0] + block * sums.strides[1];
      for (int32_t h = 0; h < (isOneRun ? 1 : height); ++h)
        addPixels(image + h * x.strides[2], isOneRun ? width * height : width, pixel, int32_t(x.sizes[4]),
                  int32_t(params.zero), to);
    }
}

} // namespace
} // namespace sinter
