// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 8-bit contractions for small cores: the inputs of each output lie as an im2col row of bytes, and four filters at a
// time are multiplied with it. A core (row_core_*.h) says how: what an im2col row looks like, how weights are packed,
// and the loop over the bytes. An im2col row is one run of bytes, or one for each row of a convolution's window; runs
// that lie in the image as they are wanted are read there, other windows are gathered into scratch, a few pixels at a
// time.
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/maps/image.h"
#include "templates/quantized/requantize.h"

namespace sinter {
namespace {

/// im2col rows behind each other, each of `runs` runs of `length` bytes.
struct Im2colRows {
  const uint8_t *at;
  int32_t count, pitch; ///< bytes from row to row
  int32_t runPitch;     ///< and from run to run
  int32_t runs, length;
};

/// Runs of k bytes filled up to whole steps: what a filter's weights take. With the core's header: a row in scratch.
template <class Core>
constexpr int64_t im2colLength(int64_t k) {
  return (k + Core::kStep - 1) / Core::kStep * Core::kStep;
}
template <class Core>
constexpr int64_t im2colPitch(int64_t k, int64_t runs) {
  return Core::kHeader + runs * im2colLength<Core>(k / runs);
}
/// How many rows of k bytes convIm2col gathers at a time, of `pixels` outputs: about 1.5 KiB, but few where most lie in
/// the image.
template <class Core>
constexpr int64_t im2colCount(int64_t k, int64_t runs, bool isInPlace, int64_t pixels) {
  const int64_t fitting = isInPlace ? 4 : 1536 / im2colPitch<Core>(k, runs) / 4 * 4 + 4;
  return fitting < pixels ? fitting : pixels;
}
/// The runs per row that take fewer instructions: each row of the window by itself may need more steps (of nine
/// instructions for four filters), all in one must be gathered.
template <class Core>
constexpr int64_t im2colRuns(int64_t kernelH, int64_t kernelW, int64_t channels, int64_t filters) {
  const int64_t k = kernelW * channels, steps = im2colLength<Core>(k) / Core::kStep,
                more = kernelH * steps - im2colLength<Core>(kernelH * k) / Core::kStep;
  return Core::kTakesRuns && (filters + 3) / 4 * more * 9 < kernelH * (8 + 3 * steps) ? kernelH : 1;
}
/// Whether im2col rows are read where they lie, inside of the image.
template <class Core, class TA, class Shape>
constexpr bool readsInPlace(const Shape &s, int64_t runs) {
  return Core::template reads<TA>() && runs == s.kernelH &&
         (s.kernelW == 1 || (s.dilationW == 1 && s.in.pixel == s.channels));
}

/// Of pixels that are im2col rows (1x1 windows) so many at most are multiplied at a time: once their outputs are
/// written, they are not read again (the memory plan counts on it).
constexpr int32_t kPixelsInPlace = 8;

/// How many of the outputs from (h, w) on, `most` or less, are read in place: their windows are inside of the image,
/// and so is what whole steps read beyond them. They are in row h, unless rows of pixels adjoin.
template <class Core, class Shape>
SINTER_INLINE int32_t rowsInPlace(const Shape &s, int32_t h, int32_t w, int32_t most) {
  const int32_t y = h * int32_t(s.strideH) - int32_t(s.padTop), x = w * int32_t(s.strideW) - int32_t(s.padLeft);
  const int32_t lastRow = y + int32_t((s.kernelH - 1) * s.dilationH), row = int32_t(s.in.row);
  const int32_t columns = int32_t(s.width - s.kernelW) - x, height = int32_t(s.height);
  const int32_t room = (height - 1 - lastRow) * row + (int32_t(s.width) - 1 - x) * int32_t(s.in.pixel) +
                       int32_t(s.channels - im2colLength<Core>(s.kernelW * s.channels));
  if (y < 0 || x < 0 || lastRow >= height || columns < 0 || room < 0)
    return 0;
  const bool isOneRow = s.kernelH == 1 && s.kernelW == 1 && s.strideH == 1 && s.strideW == 1 && s.padLeft == 0 &&
                        s.outWidth == s.width && s.in.row == s.width * s.in.pixel;
  const int32_t inside = columns / int32_t(s.strideW) + 1, whole = room / int32_t(s.strideW * s.in.pixel) + 1;
  int32_t count = isOneRow ? kPixelsInPlace : int32_t(s.outWidth) - w;
  if (!isOneRow && inside < count)
    count = inside;
  if (whole < count)
    count = whole;
  return count < most ? count : most;
}

/// The window of one output as the core's row. What lies outside of the image is `zero`, the input's zero point.
template <class Core, int kRuns, class Shape, class TA>
SINTER_INLINE void gatherRow(const Shape &s, const TA *in, int32_t zero, int32_t h, int32_t w, uint8_t *row) {
  const int32_t y = h * int32_t(s.strideH) - int32_t(s.padTop), x = w * int32_t(s.strideW) - int32_t(s.padLeft);
  const int32_t channels = int32_t(s.channels), dilation = int32_t(s.dilationW);
  const int32_t run = int32_t(s.kernelH / kRuns * s.kernelW) * channels;
  typename Core::Row to(row);
  for (int32_t kh = 0; kh < s.kernelH; ++kh) {
    if (kRuns > 1 && kh > 0)
      to.skip(int32_t(im2colLength<Core>(run)) - run);
    const int32_t row = y + kh * int32_t(s.dilationH);
    if (row < 0 || row >= s.height) {
      to.fill(uint8_t(zero), int32_t(s.kernelW) * channels);
      continue;
    }
    const TA *at = in + row * int32_t(s.in.row) + x * int32_t(s.in.pixel);
    if (x >= 0 && x + (int32_t(s.kernelW) - 1) * dilation < s.width && dilation == 1 && s.in.pixel == s.channels) {
      to.copy(at, int32_t(s.kernelW) * channels);
      continue;
    }
    for (int32_t kw = 0; kw < s.kernelW; ++kw, at += dilation * int32_t(s.in.pixel))
      if (const int32_t column = x + kw * dilation; column >= 0 && column < s.width)
        to.copy(at, channels);
      else
        to.fill(uint8_t(zero), channels);
  }
  to.end();
}

/// Dot products of im2col rows with all filters: put(row, filter, sum) gets a sum, or those of four filters as a
/// vector. What becomes a float goes by itself: Helium's vectors take denormals for zeros.
template <class Core, class TC, class Put>
SINTER_INLINE void dotRows(const Im2colRows &rows, const uint8_t *weights, int32_t filters, Put put) {
  if constexpr (Core::kFour)
    Core::fence();
  for (int32_t c = 0; c < filters; c += 4, weights += 4 * rows.runs * rows.length) {
    const uint8_t *row = rows.at;
    const int32_t wanted = filters - c < 4 ? filters - c : 4;
    for (int32_t i = 0; i < rows.count; i += Core::kRows, row += Core::kRows * rows.pitch) {
      if constexpr (Core::kFour) {
        const auto sums = Core::four(row, rows, weights);
        if (!kIsFloat<TC> && !kIsHalf<TC> && wanted == 4)
          put(i, c, sums);
        else
          for (int32_t q = 0; q < wanted; ++q)
            put(i, c + q, int32_t(sums[q]));
      } else {
        int32_t sums[4 * Core::kRows];
        const bool isPair = Core::kRows == 2 && i + 1 < rows.count;
        Core::dots(row, isPair ? rows.pitch : 0, weights, rows.length, &sums[0]);
        for (int32_t q = 0; q < wanted; ++q)
          put(i, c + q, sums[q]);
        for (int32_t q = 0; isPair && q < wanted; ++q)
          put(i + 1, c + q, sums[4 * (Core::kRows - 1) + q]);
      }
    }
  }
  if constexpr (Core::kFour)
    Core::fence();
}

/// Convolution of 8-bit channels-last images, groups = 1. `weights`: as the core packs them, for rows of kRuns runs.
/// The sums handed to `epilogue(v, n, c, h, w)` are those of the core: what depends on the weights only (zero points)
/// is in its bias. `zero`: the input's zero point. `scratch`: im2colCount rows of im2colPitch, 4 bytes aligned; none is
/// needed where all are read in place.
template <class Core, int kRuns, class Shape, class TA, class TC, class Epilogue>
void convIm2col(const Shape &s, const TA *in, int32_t zero, const uint8_t *weights, TC *out, uint8_t *scratch,
                int64_t firstRow, int64_t lastRow, Epilogue epilogue) {
  const int32_t k = int32_t(s.kernelH * s.kernelW * s.channels), width = int32_t(s.outWidth);
  const int32_t last = int32_t(lastRow - firstRow) * width;
  const bool isInPlace = readsInPlace<Core, TA>(s, kRuns);
  const int32_t strip = int32_t(im2colCount<Core>(k, kRuns, isInPlace, s.outHeight * s.outWidth));
  const bool isDense = s.out.row == width * s.out.pixel;
  Im2colRows rows;
  rows.runs = kRuns;
  rows.length = int32_t(im2colLength<Core>(k / kRuns));
  for (int32_t n = 0; n < s.batch; ++n) {
    const TA *image = in + n * int32_t(s.in.batch);
    TC *to = out + n * int32_t(s.out.batch) + int32_t(firstRow * s.out.row);
    int32_t h = int32_t(firstRow), w = 0;
    for (int32_t p = 0; p < last; p += rows.count) {
      const int32_t firstH = h, firstW = w;
      rows.count = isInPlace ? rowsInPlace<Core>(s, h, w, last - p) : 0;
      if (rows.count > 0) {
        rows.at = reinterpret_cast<const uint8_t *>(image) +
                  (h * int32_t(s.strideH) - int32_t(s.padTop)) * int32_t(s.in.row) +
                  (w * int32_t(s.strideW) - int32_t(s.padLeft)) * int32_t(s.in.pixel);
        rows.pitch = int32_t(s.strideW * s.in.pixel);
        rows.runPitch = int32_t(s.dilationH * s.in.row);
        w += rows.count;
        h += w / width;
        w %= width;
      } else {
        if (!scratch) // place-scratch found that no window is gathered
          SINTER_UNREACHABLE;
        rows.at = scratch;
        rows.pitch = int32_t(im2colPitch<Core>(k, kRuns));
        rows.runPitch = rows.length;
        do {
          gatherRow<Core, kRuns>(s, image, zero, h, w, scratch + rows.count++ * rows.pitch);
          if (++w == width) {
            w = 0;
            ++h;
          }
        } while (rows.count < strip && p + rows.count < last && !(isInPlace && rowsInPlace<Core>(s, h, w, 1)));
      }
      const auto rowOf = [&](int32_t i)
                             SINTER_INLINE_LAMBDA { return firstH + int32_t(uint32_t(firstW + i) / uint32_t(width)); };
      const auto columnOf = [&](int32_t i)
                                SINTER_INLINE_LAMBDA { return int32_t(uint32_t(firstW + i) % uint32_t(width)); };
      const auto at = [&](int32_t i) SINTER_INLINE_LAMBDA {
        return isDense ? to + (p + i) * int32_t(s.out.pixel)
                       : to + (rowOf(i) - int32_t(firstRow)) * int32_t(s.out.row) + columnOf(i) * int32_t(s.out.pixel);
      };
      if constexpr (Core::kFour && kIsRequantize<Epilogue>)
        Core::requantized(rows, weights, int32_t(s.filters), epilogue, at);
      else
        dotRows<Core, TC>(rows, weights, int32_t(s.filters), [&](int32_t i, int32_t c, auto sums) SINTER_INLINE_LAMBDA {
          store(at(i) + c, epilogue(sums, n, c, rowOf(i), columnOf(i)));
        });
    }
  }
}

/// C[m, n] = epilogue(A[m, k] B[k, n]), rows lda and ldc apart, each row of A an im2col row; `scratch` holds one.
template <class Core, class TA, class TC, class Epilogue>
void gemmIm2col(const TA *a, int64_t lda, const uint8_t *weights, TC *c, int64_t ldc, int64_t m, int64_t n, int64_t k,
                uint8_t *scratch, Epilogue epilogue) {
  const bool isDirect = Core::template reads<TA>() && k % Core::kStep == 0;
  Im2colRows rows = {scratch, isDirect ? int32_t(m) : 1, int32_t(lda), 0, 1, int32_t(im2colLength<Core>(k))};
  for (int32_t i = 0; i < m; i += rows.count) {
    if (isDirect) {
      rows.at = reinterpret_cast<const uint8_t *>(a);
    } else {
      typename Core::Row to(scratch);
      to.copy(a + i * int32_t(lda), int32_t(k));
      to.end();
    }
    const auto at = [&](int32_t row) SINTER_INLINE_LAMBDA { return c + (i + row) * int32_t(ldc); };
    if constexpr (Core::kFour && kIsRequantize<Epilogue>)
      Core::requantized(rows, weights, int32_t(n), epilogue, at);
    else
      dotRows<Core, TC>(rows, weights, int32_t(n), [&](int32_t row, int32_t j, auto sums) SINTER_INLINE_LAMBDA {
        store(at(row) + j, epilogue(sums, i + row, j));
      });
  }
}

} // namespace
} // namespace sinter
