// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolution of 8-bit feature maps, channels last, with three taps in width, on dual 16-bit multiply-adds.
// Four channels at a time are widened into planes of int16 lines in scratch, their zero point taken off, padding 0. A
// word of a plane is two neighbours, so that no operand is ever shuffled: two outputs take four instructions per row of
// taps. The packed weights hold for each channel
//   [bias] [factor, as rescale.h has it]   and for each row of taps   [w0, w1] [w1, w2]
#pragma once

#include "templates/maps/image.h"
#include "templates/quantized/rescale.h"

namespace sinter {
namespace {

/// What follows from the shape. `mostRows`: of the output, kMostRows.
struct DualDepthwiseSizes {
  bool isWhole;        ///< short rows are one group
  int64_t group, rest; ///< outputs of a row at a time: as many as registers hold
  int64_t left;        ///< pixels that taps meet: padding that a line holds, unless a group is the whole row
  int64_t line;        ///< elements
  int64_t rows;        ///< of outputs per visit: scratch is limited, and lines that two visits need are widened twice
  int64_t plane, scratch; ///< elements
};
template <class Shape>
constexpr DualDepthwiseSizes dualDepthwiseSizes(const Shape &s, int64_t mostRows) {
  DualDepthwiseSizes p = {};
  p.isWhole = s.outWidth <= 6;
  p.group = p.isWhole ? s.outWidth : s.outWidth % 6 != 0 && s.outWidth % 4 == 0 ? 4 : 6;
  p.rest = p.group ? s.outWidth % p.group : 0;
  p.left = p.isWhole ? 0 : s.padLeft;
  const int64_t needed = (s.outWidth - 1) * s.strideW + 3 - s.padLeft + p.left;
  const int64_t filled = p.isWhole && needed > s.width ? s.width : needed;
  p.line = filled < 2 ? 2 : (filled + 1) / 2 * 2;
  constexpr int64_t most = 512;
  const int64_t fitting = (most / p.line - s.kernelH) / s.strideH + 1, wanted = mostRows == 0 ? 2 : mostRows;
  p.rows = fitting < 1 ? 1 : fitting < wanted ? fitting : wanted;
  p.plane = ((p.rows - 1) * s.strideH + s.kernelH) * p.line;
  p.scratch = 4 * p.plane;
  return p;
}
/// The same as constants.
template <class Shape>
struct DualDepthwisePlan {
  static constexpr Shape s{};
  static constexpr DualDepthwiseSizes sizes = dualDepthwiseSizes(s, kMostRows<Shape>);
  static constexpr bool isWhole = sizes.isWhole;
  static constexpr int group = int(sizes.group), rest = int(sizes.rest), left = int(sizes.left), line = int(sizes.line),
                       rows = int(sizes.rows), plane = int(sizes.plane), scratch = int(sizes.scratch);
  static constexpr int words = 2 + 2 * int(s.kernelH);
};

/// One line of four planes: a row of the input between its paddings, or zeros where `row` is null. `zero`: the zero
/// point, negated, in both halves; `zeroBytes`: itself, in all bytes.
template <class Shape, class TA>
SINTER_INLINE void widenPlanes(const Shape &s, const TA *row, int32_t zero, int32_t zeroBytes, int32_t count,
                               int16_t *line) {
  using Plan = DualDepthwisePlan<Shape>;
  constexpr int left = Plan::left, fitting = Plan::line - left;
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
  const auto pair = [&](int32_t at, int32_t x, int32_t y) {
    const int32_t low = lowHalves(x, y), high = highHalves(x, y);
    each(at, widenEven<TA>(zero, low), widenOdd<TA>(zero, low), widenEven<TA>(zero, high), widenOdd<TA>(zero, high));
  };
  // Words of two pixels; those that reach over an end of the row have only one, or none.
  constexpr int first = (left + 1) / 2 * 2, end = (left + width) / 2 * 2;
  const auto atBorder = [&](int32_t at) {
    const auto pixel = [&](int32_t i) {
      return i >= left && i < left + width ? loadBytes(row + (i - left) * int32_t(s.in.pixel), count) : zeroBytes;
    };
    if (at + 1 < left || at >= left + width)
      each(at, 0, 0, 0, 0);
    else
      pair(at, pixel(at), pixel(at + 1));
  };
  int32_t at = 0;
  for (; at < first; at += 2)
    atBorder(at);
  const TA *from = row + (first - left) * int32_t(s.in.pixel);
  for (; at < end; at += 2, from += 2 * int32_t(s.in.pixel))
    pair(at, loadBytes(from, count), loadBytes(from + int32_t(s.in.pixel), count));
  for (; at < Plan::line; at += 2)
    atBorder(at);
}

/// What word `kWord` of a line adds to the outputs: inputs 2 kWord and 2 kWord + 1.
template <int kCount, class Shape>
SINTER_INLINE void dualTapsOf(int kWord, int32_t pair, int32_t w01, int32_t w12, int32_t (&sums)[kCount]) {
  constexpr int stride = int(Shape::strideW), skipped = int(Shape::padLeft) - DualDepthwisePlan<Shape>::left;
  SINTER_UNROLL
  for (int i = 0; i < kCount; ++i) {
    const int at = i * stride - skipped; // of the first tap
    if (at == 2 * kWord)
      sums[i] = dualMac(pair, w01, sums[i]);
    else if (at == 2 * kWord + 1)
      sums[i] = highLowMac(pair, w01, sums[i]);
    else if (at + 1 == 2 * kWord)
      sums[i] = dualMac(pair, w12, sums[i]);
    else if (at + 2 == 2 * kWord)
      sums[i] = lowHighMac(pair, w12, sums[i]);
  }
}

/// A row of taps from word kWord of the line on.
template <int kCount, int kLine, int kWord, class Shape>
SINTER_INLINE void dualTapRow(const int16_t *line, int32_t w01, int32_t w12, int32_t (&sums)[kCount]) {
  using Plan = DualDepthwisePlan<Shape>;
  constexpr int words = Plan::isWhole ? Plan::line / 2 : ((kCount - 1) * int(Shape::strideW) + 3 + 1) / 2;
  if constexpr (kWord + 1 < words) {
    int32_t first, second;
    loadTwo<kLine * Plan::line / 2 + kWord>(line, first, second);
    dualTapsOf<kCount, Shape>(kWord, first, w01, w12, sums);
    dualTapsOf<kCount, Shape>(kWord + 1, second, w01, w12, sums);
    dualTapRow<kCount, kLine, kWord + 2, Shape>(line, w01, w12, sums);
  } else if constexpr (kWord < words) {
    int32_t last = loadWord(line + kLine * Plan::line + 2 * kWord);
    pin(last);
    dualTapsOf<kCount, Shape>(kWord, last, w01, w12, sums);
  }
}

/// kCount outputs of a row, the first one's taps from `line` on: rows of taps from kRow on.
template <int kCount, int kRow, class Shape>
SINTER_INLINE void dualTaps(const int16_t *line, const int32_t *weights, int32_t (&sums)[kCount]) {
  if constexpr (kRow < int(Shape::kernelH)) {
    int32_t w01, w12;
    loadTwo<2 + 2 * kRow>(weights, w01, w12);
    dualTapRow<kCount, kRow, 0, Shape>(line, w01, w12, sums);
    dualTaps<kCount, kRow + 1, Shape>(line, weights, sums);
  }
}

template <int kCount, class TC, class Epilogue>
SINTER_NOINLINE void storeDefined(const int32_t *sums, int32_t factor, TC *out, int32_t pixel,
                                  const Epilogue &epilogue) {
  SINTER_UNROLL
  for (int i = 0; i < kCount; ++i)
    out[i * pixel] = TC(epilogue(sums[i], factor));
}

/// Rows of one channel's outputs, the first row's taps from `line` on, its first result at `out`. Not inline: what the
/// loops around it hold would fill registers that sums need. `n`, `c`, `h`: of the first result.
template <class Shape, class TC, class Epilogue>
SINTER_NOINLINE void dualChannel(const int16_t *line, const int32_t *weights, TC *out, int32_t rows,
                                 const Epilogue &given, int32_t n, int32_t c, int32_t h) {
  using Plan = DualDepthwisePlan<Shape>;
  constexpr Shape s{};
  constexpr int32_t pixel = int32_t(s.out.pixel);
  const Epilogue epilogue = given; // a store of bytes may change what lies elsewhere
  const auto run = [&](auto count, int32_t w) SINTER_INLINE_LAMBDA {
    constexpr int kCount = int(decltype(count)::value);
    int32_t sums[kCount];
    const int32_t bias = weights[0];
    SINTER_UNROLL
    for (int i = 0; i < kCount; ++i)
      sums[i] = bias;
    dualTaps<kCount, 0, Shape>(line, weights, sums);
    if constexpr (kIsRescaleThen<Epilogue>) {
      SINTER_UNROLL
      for (int i = 0; i < kCount; ++i)
        out[i * pixel] = TC(epilogue.template run<false>(sums[i], weights[1], n, c, h, w + i));
    } else if constexpr (kIsRescale<Epilogue>) {
      const int32_t factor = weights[1];
      if (factor >= 0) {
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
    line += kCount * int(s.strideW);
    out += kCount * pixel;
  };
  constexpr int groups = int(s.outWidth) / Plan::group;
  for (; rows > 0; --rows, ++h) {
    if constexpr (groups == 1) {
      run(Fixed<Plan::group>{}, 0);
    } else {
      const int16_t *const end = line + groups * Plan::group * int(s.strideW);
      do
        run(Fixed<Plan::group>{}, int32_t(s.outWidth) - int32_t(end - line) / int32_t(s.strideW) - Plan::rest);
      while (line != end);
    }
    if constexpr (Plan::rest > 0)
      run(Fixed<Plan::rest>{}, int32_t(s.outWidth) - Plan::rest);
    line += int(s.strideH) * Plan::line - int(s.outWidth * s.strideW);
    out += int32_t(s.out.row) - int32_t(s.outWidth) * pixel;
  }
}

/// As dualConv; one filter per channel, three taps in width, no dilation. `scratch`: DualDepthwisePlan::scratch
/// elements, aligned to words.
template <class Shape, class TA, class TC, class First, class Last, class Epilogue>
void dualDepthwise(const Shape &s, const TA *in, int32_t inZero, const int32_t *weights, TC *out, int16_t *scratch,
                   First firstRow, Last lastRow, const Epilogue &epilogue) {
  using Plan = DualDepthwisePlan<Shape>;
  const int32_t zero = halves(-inZero, -inZero), zeroBytes = int32_t(uint32_t(uint8_t(inZero)) * 0x01010101u);
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
          widenPlanes(s, inside ? image + y * int32_t(s.in.row) : nullptr, zero, zeroBytes, count,
                      scratch + i * Plan::line);
        }
        for (int32_t j = 0; j < count; ++j)
          dualChannel<Shape>(scratch + j * Plan::plane, weights + (c + j) * Plan::words,
                             out + n * int32_t(s.out.batch) + top * int32_t(s.out.row) + c + j, end - top, epilogue, n,
                             c + j, top);
      }
    }
}

} // namespace
} // namespace sinter
