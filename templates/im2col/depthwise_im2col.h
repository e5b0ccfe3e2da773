// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution of 8-bit channels-last images for small cores without vectors: each output's window is read
// where it lies, or at borders from a copy in scratch filled up with the zero point. Weights:
// [taps][channel].
#pragma once

#include "templates/maps/image.h"

namespace sinter {
namespace {

/// The window of output (h, w), all channels, as [kernelH][kernelW][channels]. Outside of the image it is `zero`.
template <class Shape, class TA>
SINTER_INLINE void gatherWindow(const Shape &s, const TA *in, int32_t zero, int32_t y, int32_t x, TA *window) {
  const int32_t channels = int32_t(s.channels);
  for (int32_t kh = 0; kh < s.kernelH; ++kh)
    for (int32_t kw = 0; kw < s.kernelW; ++kw, window += channels) {
      const int32_t row = y + kh * int32_t(s.dilationH), column = x + kw * int32_t(s.dilationW);
      if (row >= 0 && row < s.height && column >= 0 && column < s.width)
        memcpy(window, in + row * int32_t(s.in.row) + column * int32_t(s.in.pixel), size_t(channels) * sizeof(TA));
      else
        memset(window, zero, size_t(channels) * sizeof(TA));
    }
}

#if defined(__ARM_ARCH_6M__) && defined(__OPTIMIZE__)
// Signed bytes can be loaded with an offset in a register only: three offsets serve the three columns of both. All
// eight low registers, so a function of its own.
#define SINTER_TAP(i)                                                                                                  \
  "ldrsb %[s], [%[x], %[" i "]]\n ldrsb %[t], [%[w], %[" i "]]\n muls %[s], %[t]\n adds %[sum], %[sum], %[s]\n"
#define SINTER_ROW SINTER_TAP("zero") SINTER_TAP("one") SINTER_TAP("two")
[[maybe_unused]] SINTER_NOINLINE static void windowSums3x3(const int8_t *x, int32_t row, const int8_t *w,
                                                           int32_t channels, int32_t n, int32_t *sums) {
  const int32_t *const end = sums + n;
  const int32_t wide = 3 * channels, xBack = 1 - 2 * row, wBack = 1 - 2 * wide;
  int32_t sum, s, t;
  __asm__ volatile(".syntax unified\n ldr %[t], %[row]\n mov r8, %[t]\n ldr %[t], %[wide]\n mov r9, %[t]\n"
                   "ldr %[t], %[xBack]\n mov r10, %[t]\n ldr %[t], %[wBack]\n mov r11, %[t]\n"
                   "1:\n movs %[sum], #0\n" SINTER_ROW "add %[x], r8\n add %[w], r9\n" SINTER_ROW
                   "add %[x], r8\n add %[w], r9\n" SINTER_ROW "add %[x], r10\n add %[w], r11\n"
                   "ldr %[s], %[sums]\n str %[sum], [%[s]]\n adds %[s], #4\n str %[s], %[sums]\n"
                   "ldr %[t], %[end]\n cmp %[s], %[t]\n bne 1b\n"
                   : [x] "+l"(x), [w] "+l"(w), [sum] "=&l"(sum), [s] "=&l"(s), [t] "=&l"(t), [sums] "+m"(sums)
                   : [zero] "l"(0), [one] "l"(channels), [two] "l"(2 * channels), [row] "m"(row), [wide] "m"(wide),
                     [xBack] "m"(xBack), [wBack] "m"(wBack), [end] "m"(end)
                   : "r8", "r9", "r10", "r11", "cc", "memory");
}
#undef SINTER_TAP
#undef SINTER_ROW
#endif

/// Sums of n channels of a window whose rows lie `row` apart, its pixels `channels` apart, as those of the weights.
template <int KH, int KW, class TA, class TB>
SINTER_INLINE void windowSums(const TA *window, int32_t row, const TB *weights, int32_t channels, int32_t n,
                              int32_t kernelH, int32_t kernelW, int32_t *sums) {
#if defined(__ARM_ARCH_6M__) && defined(__OPTIMIZE__)
  if constexpr (KH == 3 && KW == 3 && kSame<TA, int8_t> && kSame<TB, int8_t>)
    return windowSums3x3(window, row, weights, channels, n, sums);
#endif
  for (int32_t c = 0; c < n; ++c, ++window, ++weights) {
    int32_t sum = 0;
    if constexpr (KH > 0) {
      SINTER_UNROLL
      for (int32_t kh = 0; kh < KH; ++kh) {
        SINTER_UNROLL
        for (int32_t kw = 0; kw < KW; ++kw)
          sum += int32_t(window[kh * row + kw * channels]) * weights[(kh * KW + kw) * channels];
      }
    } else {
      for (int32_t kh = 0; kh < kernelH; ++kh)
        for (int32_t kw = 0; kw < kernelW; ++kw)
          sum += int32_t(window[kh * row + kw * channels]) * weights[(kh * kernelW + kw) * channels];
    }
    sums[c] = sum;
  }
}

/// groups == channels == filters, channels in one block. `scratch`: a window of all channels. What depends on weights
/// only is in the epilogue's bias: `zero` is what stands for 0 outside of the image.
template <class Shape, class TA, class TB, class TC, class Epilogue>
void depthwiseIm2col(const Shape &s, const TA *in, int32_t zero, const TB *weights, TC *out, TA *scratch,
                     int64_t firstRow, int64_t lastRow, Epilogue epilogue) {
  const int32_t channels = int32_t(s.channels), taps = int32_t(s.kernelH * s.kernelW);
  constexpr int32_t most = 16;
  for (int32_t n = 0; n < s.batch; ++n)
    for (int32_t h = int32_t(firstRow); h < lastRow; ++h)
      for (int32_t w = 0; w < s.outWidth; ++w) {
        const int32_t y = h * int32_t(s.strideH) - int32_t(s.padTop), x = w * int32_t(s.strideW) - int32_t(s.padLeft);
        const TA *image = in + n * int32_t(s.in.batch), *window = scratch;
        int32_t row = int32_t(s.kernelW) * channels;
        if (y >= 0 && x >= 0 && y + (s.kernelH - 1) * s.dilationH < s.height && x + s.kernelW <= s.width &&
            s.dilationW == 1 && s.in.pixel == channels) {
          window = image + y * int32_t(s.in.row) + x * int32_t(s.in.pixel);
          row = int32_t(s.dilationH * s.in.row);
        } else {
          gatherWindow(s, image, zero, y, x, scratch);
        }
        TC *to = out + n * int32_t(s.out.batch) + h * int32_t(s.out.row) + w * int32_t(s.out.pixel);
        for (int32_t c = 0; c < channels; c += most) {
          int32_t sums[most];
          const int32_t count = channels - c < most ? channels - c : most;
          if (s.kernelH == 3 && s.kernelW == 3)
            windowSums<3, 3>(window + c, row, weights + c, channels, count, 3, 3, &sums[0]);
          else
            windowSums<0, 0>(window + c, row, weights + c, channels, count, int32_t(s.kernelH),
                             taps / int32_t(s.kernelH), &sums[0]);
          for (int32_t q = 0; q < count; ++q)
            store(to + c + q, epilogue(sums[q], n, c + q, h, w));
        }
      }
}

} // namespace
} // namespace sinter
