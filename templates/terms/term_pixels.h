// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels of a map in channel blocks (NHWC included) as rows of tiles of terms (term_tiles.h). Under term_conv.h.
#pragma once

#include "templates/maps/rows.h"
#include "templates/terms/term_tiles.h"

namespace sinter {
namespace {

/// Outputs of a convolution of single taps as rows of a product, through the rows firstRow .. lastRow - 1 of all
/// images.
template <class Shape>
struct PixelsAsRows {
  const Shape &s;
  int64_t firstRow, ofImage;

  SINTER_INLINE_MEMBER PixelsAsRows(const Shape &s, int64_t firstRow, int64_t lastRow)
      : s(s), firstRow(firstRow), ofImage((lastRow - firstRow) * s.outWidth) {}

  SINTER_INLINE_MEMBER int64_t count() const { return s.batch * ofImage; }

  /// to[i]: where row + i reads the input, negative outside of it.
  void places(int64_t row, int64_t rows, int64_t *to) const {
    int64_t n = row / ofImage, h = firstRow + row % ofImage / s.outWidth, w = row % ofImage % s.outWidth;
    for (int64_t i = 0; i < rows; ++n, h = firstRow)
      for (; h < firstRow + ofImage / s.outWidth && i < rows; ++h, w = 0) {
        const int64_t met = metRow(s, windowStart(s, h), 0);
        for (; w < s.outWidth && i < rows; ++w, ++i) {
          const int64_t x = w * s.strideW - s.padLeft;
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

/// Channels c .. c + depth - 1 of the pixels at places[...] of `in`, as splitRows has rows.
template <class TA>
SINTER_NOINLINE void splitPixels(const TA *in, const ImageLayout &l, const int64_t *places, int64_t rows, int64_t c,
                                 int64_t depth, uint32_t *to) {
  using V = Vec<float, kTermLanes<TA>>;
  constexpr int terms = kTermsOf<TA>;
  const int64_t steps = (depth + kTermStep - 1) / kTermStep;
  bool isInside = true;
  for (int64_t i = 0; i < rows; ++i)
    isInside = isInside && places[i] >= 0;
  for (int64_t step = 0; step < steps; ++step, c += kTermStep, depth -= kTermStep) {
    const ChannelLanes<V, TA> lower(l, c, depth), upper(l, c + 16, depth - 16);
    const auto each = [&](auto read) SINTER_INLINE_LAMBDA {
      for (int64_t i = 0; i < rows; ++i)
        read(places[i], to + ((i / kTileRows * steps + step) * terms * kTileRows + i % kTileRows) * 16);
    };
    if (isInside && lower.isTogether && upper.isTogether)
      each([&](int64_t place, uint32_t *words) SINTER_INLINE_LAMBDA {
        storeTerms<terms>(lower.together(in + place), upper.together(in + place), words, kTermWords);
      });
    else
      each([&](int64_t place, uint32_t *words) SINTER_INLINE_LAMBDA {
        if (place >= 0)
          storeTerms<terms>(lower.apart(in + place), upper.apart(in + place), words, kTermWords);
        else
          storeTerms<terms>(V{}, V{}, words, kTermWords);
      });
  }
}

} // namespace
} // namespace sinter
