// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution of 8-bit channels-last images for small cores without vectors: each output's window is read
// where it lies, or at borders from a copy in scratch filled up with the zero point. Weights: [channel][taps].
#pragma once

#include "templates/image.h"

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

/// One output of all channels. KH and KW: the kernel, unrolled; 0 where it is any.
template <int KH, int KW, class TA, class TB, class Put>
SINTER_INLINE void windowSums(const TA *window, int32_t row, int32_t pixel, const TB *weights, int32_t channels,
                              int32_t kernelH, int32_t kernelW, Put put) {
  for (int32_t c = 0; c < channels; ++c, ++window) {
    int32_t sum = 0;
    if constexpr (KH > 0) {
      SINTER_UNROLL
      for (int kh = 0; kh < KH; ++kh) {
        SINTER_UNROLL
        for (int kw = 0; kw < KW; ++kw)
          sum += int32_t(window[kh * row + kw * pixel]) * weights[kh * KW + kw];
      }
      weights += KH * KW;
    } else {
      for (int32_t kh = 0; kh < kernelH; ++kh)
        for (int32_t kw = 0; kw < kernelW; ++kw)
          sum += int32_t(window[kh * row + kw * pixel]) * *weights++;
    }
    put(c, sum);
  }
}

/// groups == channels == filters, channels in one block. `scratch`: a window of all channels. What depends on weights
/// only is in the epilogue's bias: `zero` is what stands for 0 outside of the image.
template <class Shape, class TA, class TB, class TC, class Epilogue>
void depthwiseLines(const Shape &s, const TA *in, int32_t zero, const TB *weights, TC *out, TA *scratch,
                    int64_t firstRow, int64_t lastRow, Epilogue epilogue) {
  const int32_t channels = int32_t(s.channels);
  for (int32_t n = 0; n < s.batch; ++n)
    for (int32_t h = int32_t(firstRow); h < lastRow; ++h)
      for (int32_t w = 0; w < s.outWidth; ++w) {
        const int32_t y = h * int32_t(s.strideH) - int32_t(s.padTop), x = w * int32_t(s.strideW) - int32_t(s.padLeft);
        const TA *image = in + n * int32_t(s.in.batch), *window = scratch;
        int32_t row = int32_t(s.kernelW) * channels, pixel = channels;
        if (y >= 0 && x >= 0 && y + (s.kernelH - 1) * s.dilationH < s.height &&
            x + (s.kernelW - 1) * s.dilationW < s.width) {
          window = image + y * int32_t(s.in.row) + x * int32_t(s.in.pixel);
          row = int32_t(s.dilationH * s.in.row);
          pixel = int32_t(s.dilationW * s.in.pixel);
        } else {
          gatherWindow(s, image, zero, y, x, scratch);
        }
        TC *to = out + n * int32_t(s.out.batch) + h * int32_t(s.out.row) + w * int32_t(s.out.pixel);
        const auto put = [&](int32_t c, int32_t v) { store(to + c, epilogue(v, n, c, h, w)); };
        if (s.kernelH == 3 && s.kernelW == 3)
          windowSums<3, 3>(window, row, pixel, weights, channels, 3, 3, put);
        else
          windowSums<0, 0>(window, row, pixel, weights, channels, int32_t(s.kernelH), int32_t(s.kernelW), put);
      }
}

} // namespace
} // namespace sinter
