// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 8-bit products for small cores: the inputs of each output lie as a line of consecutive bytes, and four filters at a
// time are multiplied with it. A core (line_core_*.h) says how: what a line looks like, how weights are packed, and the
// loop over the bytes. Convolutions gather their windows into lines in scratch, a few pixels at a time.
#pragma once

#include "templates/image.h"
#include "templates/requantize.h"

namespace sinter {
namespace {

/// Lines of k bytes filled up to whole steps: what a filter's weights take, and with the core's header a line in
/// scratch.
template <class Core>
constexpr int64_t lineLength(int64_t k) {
  return (k + Core::kStep - 1) / Core::kStep * Core::kStep;
}
template <class Core>
constexpr int64_t linePitch(int64_t k) {
  return Core::kHeader + lineLength<Core>(k);
}
/// How many lines convLines gathers at a time, of `pixels` outputs: about 1.5 KiB.
template <class Core>
constexpr int64_t lineCount(int64_t k, int64_t pixels) {
  const int64_t fitting = 1536 / linePitch<Core>(k) / 4 * 4 + 4;
  return fitting < pixels ? fitting : pixels;
}

/// The window of one output as the core's line. What lies outside of the image is `zero`, the input's zero point.
template <class Core, class Shape, class TA>
SINTER_INLINE void gatherLine(const Shape &s, const TA *in, int32_t zero, int32_t h, int32_t w, uint8_t *line) {
  const int32_t y = h * int32_t(s.strideH) - int32_t(s.padTop), x = w * int32_t(s.strideW) - int32_t(s.padLeft);
  const int32_t channels = int32_t(s.channels), dilation = int32_t(s.dilationW);
  typename Core::Line to(line);
  for (int32_t kh = 0; kh < s.kernelH; ++kh) {
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
  to.end(int32_t(lineLength<Core>(s.kernelH * s.kernelW * s.channels) - s.kernelH * s.kernelW * s.channels));
}

/// Products of `count` lines, `pitch` bytes apart, with all filters: put(line, filter, sums, n) gets n sums of a line,
/// those of the filters from that one on.
template <class Core, class Put>
SINTER_INLINE void lineProducts(const uint8_t *lines, int32_t pitch, int32_t count, const uint8_t *weights,
                                int32_t length, int32_t filters, Put put) {
  for (int32_t c = 0; c < filters; c += 4, weights += 4 * length) {
    const uint8_t *line = lines;
    const int32_t wanted = filters - c < 4 ? filters - c : 4;
    for (int32_t i = 0; i < count; i += Core::kLines, line += Core::kLines * pitch) {
      int32_t sums[4 * Core::kLines];
      Core::dots(line, i + 1 < count ? pitch : 0, weights, length, &sums[0]);
      put(i, c, &sums[0], wanted);
      if (Core::kLines == 2 && i + 1 < count)
        put(i + 1, c, &sums[4], wanted);
    }
  }
}

/// Convolution of 8-bit channels-last images, groups = 1. `weights`: as the core packs them. The sums handed to
/// `epilogue(v, n, c, h, w)` are those of the core: what depends on the weights only (zero points) is in its bias.
/// `zero`: the input's zero point. `scratch`: lineCount lines of linePitch, 4 bytes aligned.
template <class Core, class Shape, class TA, class TC, class Epilogue>
void convLines(const Shape &s, const TA *in, int32_t zero, const uint8_t *weights, TC *out, uint8_t *scratch,
               int64_t firstRow, int64_t lastRow, Epilogue epilogue) {
  const int32_t k = int32_t(s.kernelH * s.kernelW * s.channels), width = int32_t(s.outWidth);
  const int32_t first = int32_t(firstRow) * width, last = int32_t(lastRow) * width;
  // Pixels behind each other are lines as they are.
  const bool isDirect = Core::template reads<TA>() && k % Core::kStep == 0 && s.kernelH * s.kernelW == 1 &&
                        s.padTop == 0 && s.padLeft == 0 && s.strideW == 1 && s.strideH * s.in.row == width * s.in.pixel;
  const int32_t strip = isDirect ? last - first : int32_t(lineCount<Core>(k, s.outHeight * s.outWidth));
  for (int32_t n = 0; n < s.batch; ++n) {
    const TA *image = in + n * int32_t(s.in.batch);
    int32_t h = int32_t(firstRow), w = 0;
    for (int32_t p = first; p < last; p += strip) {
      const int32_t count = p + strip < last ? strip : last - p;
      const uint8_t *lines = scratch;
      int32_t pitch = int32_t(linePitch<Core>(k)), nextH = h, nextW = w;
      if (isDirect) {
        lines = reinterpret_cast<const uint8_t *>(image) + p * int32_t(s.in.pixel);
        pitch = int32_t(s.in.pixel);
      } else {
        for (int32_t i = 0; i < count; ++i) {
          gatherLine<Core>(s, image, zero, nextH, nextW, scratch + i * pitch);
          if (++nextW == width) {
            nextW = 0;
            ++nextH;
          }
        }
      }
      const bool isDense = s.out.row == width * s.out.pixel;
      TC *strips = out + n * int32_t(s.out.batch);
      const auto at = [&](int32_t i) {
        return isDense ? strips + (p + i) * int32_t(s.out.pixel)
                       : strips + (h + (w + i) / width) * int32_t(s.out.row) + (w + i) % width * int32_t(s.out.pixel);
      };
      if constexpr (Core::kFour && kIsRequantize<Epilogue>)
        Core::requantized(lines, pitch, count, weights, int32_t(lineLength<Core>(k)), int32_t(s.filters), epilogue, at);
      else
        lineProducts<Core>(lines, pitch, count, weights, int32_t(lineLength<Core>(k)), int32_t(s.filters),
                           [&](int32_t i, int32_t c, const int32_t *sums, int32_t wanted) {
                             TC *to = at(i) + c;
                             for (int32_t q = 0; q < wanted; ++q)
                               store(to + q, epilogue(sums[q], n, c + q, h + (w + i) / width, (w + i) % width));
                           });
      h = nextH;
      w = nextW;
    }
  }
}

/// C[m, n] = epilogue(A[m, k] B[k, n]), rows lda and ldc apart, each row of A a line; `scratch` holds one line.
template <class Core, class TA, class TC, class Epilogue>
void gemmLines(const TA *a, int64_t lda, const uint8_t *weights, TC *c, int64_t ldc, int64_t m, int64_t n, int64_t k,
               uint8_t *scratch, Epilogue epilogue) {
  const bool isDirect = Core::template reads<TA>() && k % Core::kStep == 0;
  const int32_t strip = isDirect ? int32_t(m) : 1;
  for (int32_t i = 0; i < m; i += strip) {
    const uint8_t *lines = isDirect ? reinterpret_cast<const uint8_t *>(a) : scratch;
    if (!isDirect) {
      typename Core::Line to(scratch);
      to.copy(a + i * int32_t(lda), int32_t(k));
      to.end(int32_t(lineLength<Core>(k) - k));
    }
    const auto at = [&](int32_t row) { return c + (i + row) * int32_t(ldc); };
    if constexpr (Core::kFour && kIsRequantize<Epilogue>)
      Core::requantized(lines, int32_t(lda), strip, weights, int32_t(lineLength<Core>(k)), int32_t(n), epilogue, at);
    else
      lineProducts<Core>(lines, int32_t(lda), strip, weights, int32_t(lineLength<Core>(k)), int32_t(n),
                         [&](int32_t row, int32_t j, const int32_t *sums, int32_t wanted) {
                           TC *to = at(row) + j;
                           for (int32_t q = 0; q < wanted; ++q)
                             store(to + q, epilogue(sums[q], i + row, j + q));
                         });
  }
}

} // namespace
} // namespace sinter
