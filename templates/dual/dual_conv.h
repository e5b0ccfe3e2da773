// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two-dimensional convolution of 8-bit feature maps, channels last, on dual 16-bit multiply-adds. Rows are widened once
// to int16, their zero point taken off, into a window of lines from the arena: padding is 0 there, and no tile knows of
// borders. A pointwise convolution (1x1, stride 1) widens two of them at a time. Inputs of few channels may have them
// as planes, which are woven on the way (dual_planar.h). Weights: dual_tile.h.
#pragma once

#include "templates/dual/dual_planar.h"
#include "templates/dual/dual_tile.h"
#include "templates/maps/image.h"

namespace sinter {
namespace {

/// line[i] = in[i] - zero for n elements; `zero` is in both halves of a word, negated. kByFours: n is a multiple of 4,
/// and elements 1 and 2 of four change places (two instructions less).
template <bool kByFours, class TA>
SINTER_INLINE void widenRun(const TA *in, int32_t zero, int16_t *line, int32_t n) {
  const auto four = [&](int32_t at) SINTER_INLINE_LAMBDA {
    const int32_t bytes = loadWord(in + at), even = widenEven<TA>(zero, bytes), odd = widenOdd<TA>(zero, bytes);
    storeWord(line + at, kByFours ? even : lowHalves(even, odd));
    storeWord(line + at + 2, kByFours ? odd : highHalves(even, odd));
  };
  for (const TA *const end = in + (n & ~15); in != end; in += 16, line += 16) {
    SINTER_UNROLL
    for (int32_t at = 0; at < 16; at += 4)
      four(at);
  }
  for (const TA *const end = in + (n & 12); in != end; in += 4, line += 4)
    four(0);
  if constexpr (!kByFours)
    for (int32_t i = 0; i < (n & 3); ++i)
      line[i] = int16_t(in[i] + lowHalf(zero));
}
SINTER_INLINE void zeroRun(int16_t *line, int32_t n) {
  for (int32_t i = 0; i < n; ++i)
    line[i] = 0;
}

/// How an input has its channels.
enum class Channels { Last, First };

/// What follows from a convolution's shape. `mostRows`: of the output, kMostRows.
struct DualConvSizes {
  int64_t channels; ///< of a pixel in a line: an even number where pixels would not begin at whole words otherwise
  bool isPlanar, byFours, isPointwise; ///< the input; four channels at a time; 1x1 with stride 1
  bool isVertical;                     ///< pairs of pixels lie below each other where rows are short and odd
  int64_t rows, run;                   ///< of outputs at a time; steps
  int64_t lineWidth, line, lines;      ///< pixels of a line, its elements, lines of the window
  int64_t pixel, scratch;              ///< bytes; elements
};
template <class Shape>
constexpr DualConvSizes dualConvSizes(const Shape &s, int64_t mostRows, Channels order) {
  DualConvSizes p = {};
  p.channels = s.channels * s.strideW % 2 ? s.channels + 1 : s.channels;
  p.isPlanar = order == Channels::First;
  p.byFours = s.channels % 4 == 0 && !p.isPlanar;
  p.isPointwise = s.kernelH * s.kernelW == 1 && s.strideH * s.strideW == 1 && !p.isPlanar;
  p.isVertical = !p.isPointwise && s.outWidth % 2 && s.outWidth < 16 && mostRows > 1;
  p.rows = p.isVertical ? 2 : 1;
  p.run = (s.kernelW * p.channels + 1) / 2;
  p.lineWidth = (s.outWidth + (p.isVertical ? 0 : s.outWidth % 2) - 1) * s.strideW + s.kernelW;
  p.line = (p.lineWidth * p.channels + 1 + 3) / 4 * 4;
  p.lines = s.kernelH + (p.rows - 1) * s.strideH;
  p.pixel = 2 * (p.isVertical ? s.strideH * p.line : s.strideW * p.channels);
  p.scratch = p.isPointwise ? 2 * p.channels : p.lines * p.line;
  return p;
}
/// The same as constants.
template <class Shape, Channels kChannels = Channels::Last>
struct DualConvPlan {
  static constexpr Shape s{};
  static constexpr DualConvSizes sizes = dualConvSizes(s, kMostRows<Shape>, kChannels);
  static constexpr bool isPlanar = sizes.isPlanar, byFours = sizes.byFours, isPointwise = sizes.isPointwise,
                        isVertical = sizes.isVertical;
  static constexpr int channels = int(sizes.channels), rows = int(sizes.rows), run = int(sizes.run),
                       lineWidth = int(sizes.lineWidth), line = int(sizes.line), lines = int(sizes.lines),
                       pixel = int(sizes.pixel), scratch = int(sizes.scratch);
};

/// A pixel's channels, filled up to whole steps.
template <class Plan, class TA>
SINTER_INLINE void widenPixel(const TA *in, int32_t zero, int16_t *to) {
  widenRun<Plan::byFours>(in, zero, to, int32_t(Plan::s.channels));
  if constexpr (Plan::s.channels != Plan::channels)
    to[Plan::s.channels] = 0;
}

/// One line of the window: row y of the input between its paddings, or zeros.
template <class Plan, class Shape, class TA>
SINTER_INLINE void widenLine(const Shape &s, const TA *image, int32_t y, int32_t zero, int16_t *line) {
  if (y < 0 || y >= int32_t(s.height)) {
    zeroRun(line, Plan::line);
    return;
  }
  constexpr int c = Plan::channels, left = int(Shape::padLeft);
  constexpr int fitting = Plan::lineWidth - left;
  constexpr int width = fitting < int(Shape::width) ? fitting : int(Shape::width);
  const TA *row = image + y * int32_t(s.in.row);
  if constexpr (left > 0)
    zeroRun(line, left * c);
  if constexpr (Plan::isPlanar) {
    weavePlanes<int(Shape::channels), c>(row, int32_t(s.in.plane), int32_t(s.in.pixel), zero, line + left * c, width);
  } else if (c == int32_t(Shape::channels) && int32_t(s.in.pixel) == c) {
    widenRun<Plan::byFours>(row, zero, line + left * c, width * c);
  } else {
    for (int32_t x = 0; x < width; ++x)
      widenPixel<Plan>(row + x * int32_t(s.in.pixel), zero, line + (left + x) * c);
  }
  zeroRun(line + (left + width) * c, Plan::line - (left + width) * c);
}

/// Lines that the next rows of outputs need too move to the window's top.
template <class Plan>
SINTER_INLINE void moveWindow(int16_t *window, int32_t by) {
  int16_t *to = window;
  for (const int16_t *from = window + by * Plan::line; from != window + Plan::lines * Plan::line; from += 4, to += 4) {
    const int32_t first = loadWord(from), second = loadWord(from + 2);
    asm volatile("" ::: "memory"); // no call of memmove
    storeWord(to, first);
    storeWord(to + 2, second);
  }
}

template <class Plan, class Shape, class TA, class TC, class Epilogue>
SINTER_INLINE void dualRowsOf(const Shape &s, const TA *image, int32_t zero, const int32_t *weights, TC *result,
                              int16_t *window, const int32_t *proved, const int32_t *end, int32_t n, int32_t firstRow,
                              int32_t lastRow, const Epilogue &epilogue) {
  int32_t held = 0, y = firstRow * int32_t(s.strideH) - int32_t(s.padTop); // lines in the window, and the first's row
  for (int32_t h = firstRow; h < lastRow; h += Plan::rows) {
    for (; held < Plan::lines; ++held)
      widenLine<Plan>(s, image, y + held, zero, window + held * Plan::line);
    TC *row = result + h * int32_t(s.out.row);
    constexpr int step = Plan::isVertical ? 1 : 2;
    for (int32_t w = 0; w < int32_t(s.outWidth); w += step) {
      TilePlace<TC> place = {row + w * int32_t(s.out.pixel), int32_t(s.out.pixel), n, h, w, h, w + 1};
      if constexpr (Plan::isVertical) {
        place.h1 = h + 1, place.w1 = w;
        place.second = h + 1 < lastRow ? int32_t(s.out.row) : 0;
      } else if constexpr (Shape::outWidth % 2 != 0) {
        place.second = w + 1 < int32_t(s.outWidth) ? place.second : 0;
      }
      dualPixels<int(Shape::kernelH), Plan::run, 2 * Plan::line, Plan::pixel>(
          window + w * int32_t(s.strideW) * Plan::channels, weights, proved, end, place, epilogue);
    }
    constexpr int by = Plan::rows * int(Shape::strideH);
    y += by;
    held = by < Plan::lines ? Plan::lines - by : 0;
    if constexpr (by < Plan::lines)
      if (h + Plan::rows < lastRow)
        moveWindow<Plan>(window, by);
  }
}

/// Where an input pixel and its output are, from the first one of a row on.
template <class Shape, class TA, class TC>
struct PixelWalk {
  const Shape &s;
  const TA *in;
  TC *out;
  int32_t h, w = 0;

  SINTER_INLINE_MEMBER void step() {
    in += int32_t(s.in.pixel);
    out += int32_t(s.out.pixel);
    if (++w == int32_t(s.outWidth)) {
      w = 0;
      ++h;
      in += int32_t(s.in.row) - int32_t(s.width * s.in.pixel); // nothing between rows that are dense
      out += int32_t(s.out.row) - int32_t(s.outWidth * s.out.pixel);
    }
  }
};

/// 1x1 with stride 1: no lines, two pixels at a time, on over the ends of rows.
template <class Plan, class Shape, class TA, class TC, class Epilogue>
SINTER_INLINE void dualPointwise(const Shape &s, const TA *image, int32_t zero, const int32_t *weights, TC *result,
                                 int16_t *pixels, const int32_t *proved, const int32_t *end, int32_t n,
                                 int32_t firstRow, int32_t lastRow, const Epilogue &epilogue) {
  PixelWalk<Shape, TA, TC> at = {s, image + firstRow * int32_t(s.in.row), result + firstRow * int32_t(s.out.row),
                                 firstRow};
  const bool isDense = s.in.row == s.width * s.in.pixel && s.in.pixel == Plan::channels;
  TilePlace<TC> place = {};
  place.n = n;
  for (int32_t left = (lastRow - firstRow) * int32_t(s.outWidth); left > 0; left -= 2) {
    place.out = at.out, place.h = at.h, place.w = at.w;
    const bool isPair = left > 1;
    if (isDense && isPair) {
      widenRun<Plan::byFours>(at.in, zero, pixels, 2 * Plan::channels);
      at.step();
    } else {
      widenPixel<Plan>(at.in, zero, pixels);
      at.step();
      if (isPair)
        widenPixel<Plan>(at.in, zero, pixels + Plan::channels);
    }
    place.second = isPair ? int32_t(at.out - place.out) : 0;
    place.h1 = at.h, place.w1 = at.w;
    at.step(); // perhaps past the last one
    dualPixels<1, Plan::run, 0, Plan::pixel>(pixels, weights, proved, end, place, epilogue);
  }
}

/// `in`, `out`: channels last, their channels' stride is 1; kChannels says where the input is otherwise. Of Shape only
/// height, outHeight and padTop may vary at run time; one group, no dilation, no padding but for padTop of padLeft in
/// contractions. `inZero`: the input's zero point. `weights`: aligned to words, `groups` of four filters, of which the
/// first `proved` have proved factors. `scratch`: DualConvPlan::scratch elements, aligned to words. `epilogue`: a
/// Rescale, or (v, n, c, h, w). Output rows firstRow .. lastRow - 1.
template <Channels kChannels = Channels::Last, class Shape, class TA, class TC, class First, class Last, class Epilogue>
void dualConv(const Shape &s, const TA *in, int32_t inZero, const int32_t *weights, TC *out, int16_t *scratch,
              int32_t groups, int32_t proved, First firstRow, Last lastRow, const Epilogue &epilogue) {
  using Plan = DualConvPlan<Shape, kChannels>;
  const int32_t zero = halves(-inZero, -inZero);
  constexpr int32_t words = kGroupWords<int(Shape::kernelH) * Plan::run, Epilogue>;
  const int32_t *const provedEnd = weights + proved * words, *const end = weights + groups * words;
  for (int32_t n = 0; n < int32_t(s.batch); ++n) {
    const TA *image = in + n * int32_t(s.in.batch);
    TC *result = out + n * int32_t(s.out.batch);
    if constexpr (Plan::isPointwise)
      dualPointwise<Plan>(s, image, zero, weights, result, scratch, provedEnd, end, n, int32_t(firstRow),
                          int32_t(lastRow), epilogue);
    else
      dualRowsOf<Plan>(s, image, zero, weights, result, scratch, provedEnd, end, n, int32_t(firstRow), int32_t(lastRow),
                       epilogue);
  }
}

} // namespace
} // namespace sinter
