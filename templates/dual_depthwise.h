// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution of 8-bit feature maps, channels last, with three taps in width, on dual 16-bit multiply-adds.
// Four channels at a time are widened into planes of int16 lines in scratch, their zero point taken off, padding 0. A
// word of a plane is two neighbours, so that no operand is ever shuffled: two outputs take four instructions per row of
// taps. The packed weights hold for each channel
//   [bias] [factor] [1 if the factor is proved (rescale.h)]   and for each row of taps   [w0, w1] [w1, w2]
#pragma once

#include "templates/image.h"
#include "templates/rescale.h"

namespace sinter {
namespace {

/// What follows from the shape; compiler/passes/dual_packing.cpp counts the same.
template <class Shape>
struct DualDepthwisePlan {
  static constexpr Shape s{};
  /// Outputs of a row at a time; those of an odd number must be a whole row.
  static constexpr int group = s.outWidth == 5 || s.outWidth == 3 ? int(s.outWidth) : 4;
  static constexpr int rest = int(s.outWidth) % group;
  static constexpr int line = (int(s.outWidth - 1) * int(s.strideW) + 3 + 3) / 4 * 4;
  /// Rows of outputs per visit: scratch is limited, and lines that two visits need are widened twice. A height of
  /// run time is that of a stripe, a row or two.
  static constexpr int most = 512, fitting = (most / line - int(s.kernelH)) / int(s.strideH) + 1;
  static constexpr int rows = fitting < 1                                      ? 1
                              : s.outHeight == 0 && fitting > 2                ? 2
                              : s.outHeight == 0 || fitting < int(s.outHeight) ? fitting
                                                                               : int(s.outHeight);
  static constexpr int plane = ((rows - 1) * int(s.strideH) + int(s.kernelH)) * line;
  static constexpr int scratch = 4 * plane;
  static constexpr int words = 3 + 2 * int(s.kernelH);
};

/// One line of four planes: a row of the input between its paddings, or zeros where `row` is null.
template <class Shape, class TA>
SINTER_INLINE void widenPlanes(const Shape &s, const TA *row, int32_t zero, int32_t count, int16_t *line) {
  using Plan = DualDepthwisePlan<Shape>;
  constexpr int left = int(Shape::padLeft), fitting = Plan::line - left;
  constexpr int width = fitting < int(Shape::width) ? fitting : int(Shape::width);
  const auto each = [&](int32_t at, int32_t a, int32_t b, int32_t c, int32_t d) {
    storeWord(line + at, a);
    storeWord(line + at + Plan::plane, b);
    storeWord(line + at + 2 * Plan::plane, c);
    storeWord(line + at + 3 * Plan::plane, d);
  };
  if (!row) {
    for (int32_t at = 0; at < Plan::line; at += 2)
      each(at, 0, 0, 0, 0);
    return;
  }
  // Words of two pixels; those that reach over an end of the row have only one, or none.
  constexpr int first = (left + 1) / 2 * 2, end = (left + width) / 2 * 2;
  const auto pixel = [&](int32_t at) {
    return at >= left && at < left + width ? loadBytes(row + (at - left) * int32_t(s.in.pixel), count) : 0;
  };
  const auto atBorder = [&](int32_t at) {
    const int32_t x = pixel(at), y = pixel(at + 1);
    const int32_t zx = at >= left && at < left + width ? zero : 0,
                  zy = at + 1 >= left && at + 1 < left + width ? zero : 0;
    const int32_t xEven = widenEven<TA>(zx, x), xOdd = widenOdd<TA>(zx, x), yEven = widenEven<TA>(zy, y),
                  yOdd = widenOdd<TA>(zy, y);
    each(at, lowHalves(xEven, yEven), lowHalves(xOdd, yOdd), highHalves(xEven, yEven), highHalves(xOdd, yOdd));
  };
  int32_t at = 0;
  for (; at < first; at += 2)
    atBorder(at);
  const TA *from = row + (first - left) * int32_t(s.in.pixel);
  for (; at < end; at += 2, from += 2 * int32_t(s.in.pixel)) {
    const int32_t x = loadBytes(from, count), y = loadBytes(from + int32_t(s.in.pixel), count);
    const int32_t xEven = widenEven<TA>(zero, x), xOdd = widenOdd<TA>(zero, x), yEven = widenEven<TA>(zero, y),
                  yOdd = widenOdd<TA>(zero, y);
    each(at, lowHalves(xEven, yEven), lowHalves(xOdd, yOdd), highHalves(xEven, yEven), highHalves(xOdd, yOdd));
  }
  for (; at < Plan::line; at += 2)
    atBorder(at);
}

/// kCount outputs of a row, the first one's taps from `line` on.
template <int kCount, class Shape>
SINTER_INLINE void dualTaps(const int16_t *line, const int32_t *w, int32_t bias, int32_t (&sums)[kCount]) {
  using Plan = DualDepthwisePlan<Shape>;
  constexpr int stride = int(Shape::strideW), words = ((kCount - 1) * stride + 3 + 1) / 2;
  SINTER_UNROLL
  for (int i = 0; i < kCount; ++i)
    sums[i] = bias;
  SINTER_UNROLL
  for (int kh = 0; kh < int(Shape::kernelH); ++kh) {
    int32_t w01 = w[2 * kh], w12 = w[2 * kh + 1];
    pin(w01);
    pin(w12);
    SINTER_UNROLL
    for (int x = 0; x < words; ++x) {
      int32_t pair = loadWord(line + kh * Plan::line + 2 * x); // inputs 2x and 2x + 1
      pin(pair);
      SINTER_UNROLL
      for (int i = 0; i < kCount; ++i) {
        if (i * stride == 2 * x)
          sums[i] = dualMac(pair, w01, sums[i]);
        else if (i * stride == 2 * x + 1)
          sums[i] = highLowMac(pair, w01, sums[i]);
        else if (i * stride + 1 == 2 * x)
          sums[i] = dualMac(pair, w12, sums[i]);
        else if (i * stride + 2 == 2 * x)
          sums[i] = lowHighMac(pair, w12, sums[i]);
      }
    }
  }
}

template <int kCount, class TC, class Epilogue>
[[gnu::noinline]] void storeDefined(const int32_t *sums, int32_t factor, TC *out, int32_t pixel,
                                    const Epilogue &epilogue) {
  SINTER_UNROLL
  for (int i = 0; i < kCount; ++i)
    out[i * pixel] = TC(epilogue.defined(sums[i], factor));
}

/// Where a channel's results go, and what they go through.
template <class TC, class Epilogue>
struct DualChannel {
  const int32_t *weights;
  int32_t n, c;
  const Epilogue &epilogue;

  template <int kCount, class Shape>
  SINTER_INLINE_MEMBER void run(const int16_t *line, TC *out, int32_t pixel, int32_t h, int32_t w) const {
    int32_t sums[kCount];
    dualTaps<kCount, Shape>(line, weights + 3, weights[0], sums);
    if constexpr (kIsRescale<Epilogue>) {
      const int32_t factor = weights[1];
      if (weights[2]) {
        SINTER_UNROLL
        for (int i = 0; i < kCount; ++i)
          out[i * pixel] = TC(epilogue.proved(sums[i], factor));
      } else {
        int32_t copy[kCount]; // sums in registers must not have an address
        SINTER_UNROLL
        for (int i = 0; i < kCount; ++i)
          copy[i] = sums[i];
        storeDefined<kCount>(&copy[0], factor, out, pixel, epilogue);
      }
    } else {
      SINTER_UNROLL
      for (int i = 0; i < kCount; ++i)
        out[i * pixel] = TC(epilogue(sums[i], int64_t(n), int64_t(c), int64_t(h), int64_t(w + i)));
    }
  }
};

/// As dualConv; one filter per channel, three taps in width, no dilation. `scratch`: DualDepthwisePlan::scratch
/// elements, aligned to words.
template <class Shape, class TA, class TC, class First, class Last, class Epilogue>
void dualDepthwise(const Shape &s, const TA *in, int32_t inZero, const int32_t *weights, TC *out, int16_t *scratch,
                   First firstRow, Last lastRow, const Epilogue &epilogue) {
  using Plan = DualDepthwisePlan<Shape>;
  const int32_t zero = halves(-inZero, -inZero);
  for (int32_t n = 0; n < int32_t(s.batch); ++n)
    for (int32_t c = 0; c < int32_t(s.channels); c += 4) {
      const int32_t count = Shape::channels % 4 == 0 || c + 4 <= int32_t(s.channels) ? 4 : int32_t(s.channels) - c;
      const TA *image = in + n * int32_t(s.in.batch) + c;
      for (int32_t top = int32_t(firstRow); top < int32_t(lastRow); top += Plan::rows) {
        const int32_t end = top + Plan::rows < int32_t(lastRow) ? top + Plan::rows : int32_t(lastRow);
        const int32_t lines = (end - top - 1) * int32_t(s.strideH) + int32_t(s.kernelH);
        for (int32_t i = 0; i < lines; ++i) {
          const int32_t y = top * int32_t(s.strideH) - int32_t(s.padTop) + i;
          const bool inside = y >= 0 && y < int32_t(s.height);
          widenPlanes(s, inside ? image + y * int32_t(s.in.row) : nullptr, zero, count, scratch + i * Plan::line);
        }
        for (int32_t j = 0; j < count; ++j) {
          const DualChannel<TC, Epilogue> channel = {weights + (c + j) * Plan::words, n, c + j, epilogue};
          const int32_t pixel = int32_t(s.out.pixel);
          for (int32_t h = top; h < end; ++h) {
            const int16_t *line = scratch + j * Plan::plane + (h - top) * int32_t(s.strideH) * Plan::line;
            TC *row = out + n * int32_t(s.out.batch) + h * int32_t(s.out.row) + c + j;
            int32_t w = 0;
            for (; w + Plan::group <= int32_t(s.outWidth); w += Plan::group)
              channel.template run<Plan::group, Shape>(line + w * int32_t(s.strideW), row + w * pixel, pixel, h, w);
            if constexpr (Plan::rest > 0)
              channel.template run<Plan::rest, Shape>(line + w * int32_t(s.strideW), row + w * pixel, pixel, h, w);
          }
        }
      }
    }
}

} // namespace
} // namespace sinter
