// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels of a map in channel blocks (NHWC included) as rows of tiles of terms (term_tiles.h). Under term_conv.h.
#pragma once

#include "templates/maps/rows.h"
#include "templates/terms/term_tiles.h"

namespace sinter {
namespace {

/// Outputs of a convolution as rows of a product, through the rows firstRow .. lastRow - 1 of all images.
template <class Shape>
struct PixelsAsRows {
  const Shape &s;
  int64_t firstRow, ofImage;

  SINTER_INLINE_MEMBER PixelsAsRows(const Shape &s, int64_t firstRow, int64_t lastRow)
      : s(s), firstRow(firstRow), ofImage((lastRow - firstRow) * s.outWidth) {}

  SINTER_INLINE_MEMBER int64_t count() const { return s.batch * ofImage; }

  /// to[i]: where row + i reads the input for a tap, negative outside of it.
  void places(int64_t tap, int64_t row, int64_t rows, int64_t *to) const {
    const int64_t tapRow = tap / s.kernelW, column = tap % s.kernelW * s.dilationW - s.padLeft;
    int64_t n = row / ofImage, h = firstRow + row % ofImage / s.outWidth, w = row % ofImage % s.outWidth;
    for (int64_t i = 0; i < rows; ++n, h = firstRow)
      for (; h < firstRow + ofImage / s.outWidth && i < rows; ++h, w = 0) {
        const int64_t met = metRow(s, windowStart(s, h), tapRow);
        for (; w < s.outWidth && i < rows; ++w, ++i) {
          const int64_t x = w * s.strideW + column;
          to[i] = met >= 0 && x >= 0 && x < s.width ? n * s.in.batch + met + x * s.in.pixel : -1;
        }
      }
  }

  /// body(skipped, count, n, h, w) for rows that are one image's.
  template <class Body>
  SINTER_INLINE_MEMBER void byImages(int64_t row, int64_t rows, Body body) const {
    for (int64_t done = 0; done < rows;) {
      const int64_t n = (row + done) / ofImage, pixel = (row + done) % ofImage;
      const int64_t count = ofImage - pixel < rows - done ? ofImage - pixel : rows - done;
      body(done, count, n, firstRow + pixel / s.outWidth, pixel % s.outWidth);
      done += count;
    }
  }
};

/// Sixteen channels of a pixel, from c on, of which `count` are: zeros stand for the others.
template <class V, class TA>
struct ChannelLanes {
  ImageLayout l;
  int64_t c, count, offset;
  bool isTogether; ///< they lie beside each other

  SINTER_INLINE_MEMBER ChannelLanes(const ImageLayout &l, int64_t c, int64_t left)
      : l(l), c(c), count(left < 0    ? 0
                          : left < 16 ? left
                                      : 16),
        offset(channelOffset(l, left > 0 ? c : 0)), isTogether(c % l.block + count <= l.block || count == 0) {}

  SINTER_INLINE_MEMBER V together(const TA *pixel) const {
#if defined(__AVX512BW__) && defined(__AVX512VL__) && defined(SINTER_IS_GNU)
    // What the mask leaves out is not read. In assembly: the header with such instructions takes long to compile.
    const auto mask = uint16_t((1u << count) - 1);
    struct Lanes {
      TA at[16];
    };
    const auto *from = reinterpret_cast<const Lanes *>(pixel + offset);
    Vec<typename IntOfSize<sizeof(TA)>::Unsigned, kTermLanes<TA>> lanes;
    if constexpr (sizeof(TA) == 4)
      __asm__("vmovdqu32 %1, %0%{%2%}%{z%}" : "=v"(lanes) : "m"(*from), "Yk"(mask));
    else
      __asm__("vmovdqu16 %1, %0%{%2%}%{z%}" : "=v"(lanes) : "m"(*from), "Yk"(mask));
    Lanes read;
    SINTER_COPY(&read, &lanes, sizeof(read));
    return load<V>(&read.at[0]);
#else
    return loadN<V>(pixel + offset, count);
#endif
  }
  SINTER_INLINE_MEMBER V apart(const TA *pixel) const {
    TA lanes[16] = {};
    for (int64_t i = 0; i < count; ++i)
      lanes[i] = pixel[channelOffset(l, c + i)];
    return load<V>(&lanes[0]);
  }
};

/// A step of rows of tiles, as splitRows has them, whose row tiles lie `apart`: `lower` channels of the pixels at
/// lowerPlaces[...] of `in` beside `upper` ones of those at upperPlaces[...].
template <class V, class TA>
SINTER_NOINLINE void splitPixels(const TA *in, const ChannelLanes<V, TA> &lower, const int64_t *lowerPlaces,
                                 const ChannelLanes<V, TA> &upper, const int64_t *upperPlaces, int64_t rows,
                                 int64_t apart, uint32_t *to) {
  const auto each = [&](auto read) SINTER_INLINE_LAMBDA {
    for (int64_t i = 0; i < rows; ++i) {
      const V x = lowerPlaces[i] >= 0 ? read(lower, in + lowerPlaces[i]) : V{};
      const V y = upperPlaces[i] >= 0 ? read(upper, in + upperPlaces[i]) : V{};
      storeTerms<kTermsOf<TA>>(x, y, to + i / kTileRows * apart + i % kTileRows * 16, kTermWords);
    }
  };
  if (lower.isTogether && upper.isTogether)
    each([](const auto &lanes, const TA *pixel) SINTER_INLINE_LAMBDA { return lanes.together(pixel); });
  else
    each([](const auto &lanes, const TA *pixel) SINTER_INLINE_LAMBDA { return lanes.apart(pixel); });
}

/// Numbers begin .. begin + depth - 1, tap after tap and of each channel after channel of group g, of the outputs from
/// `row` on. Of several taps, channels are whole sixteens.
template <class Shape, class TA>
SINTER_INLINE void splitWindows(const PixelsAsRows<Shape> &pixels, const TA *in, int64_t g, int64_t row, int64_t rows,
                                int64_t begin, int64_t depth, uint32_t *to) {
  using V = Vec<float, kTermLanes<TA>>;
  constexpr int64_t words = kTermsOf<TA> * kTermWords;
  const int64_t channels = pixels.s.channels / pixels.s.groups;
  const int64_t steps = (depth + kTermStep - 1) / kTermStep;
  int64_t places[2][kMostTermRows], taps[2] = {-1, -1}; // of a tap and of the one behind it
  const auto placesOf = [&](int64_t number) SINTER_INLINE_LAMBDA {
    const int64_t tap = number / channels;
    if (taps[tap % 2] != tap)
      pixels.places(tap, row, rows, &places[tap % 2][0]);
    taps[tap % 2] = tap;
    return &places[tap % 2][0];
  };
  for (int64_t step = 0; step < steps; ++step) {
    const int64_t lower = begin + step * kTermStep, upper = lower + 16, end = begin + depth;
    const auto lanesOf = [&](int64_t number) SINTER_INLINE_LAMBDA {
      const int64_t c = number % channels, left = end - number, ofTap = channels - c;
      return ChannelLanes<V, TA>(pixels.s.in, g * channels + c, left < ofTap ? left : ofTap);
    };
    const int64_t *lowerPlaces = placesOf(lower);
    splitPixels(in, lanesOf(lower), lowerPlaces, lanesOf(upper), upper < end ? placesOf(upper) : lowerPlaces, rows,
                steps * words, to + step * words);
  }
}

} // namespace
} // namespace sinter
