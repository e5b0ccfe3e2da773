// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// conv of templates/panels/conv.h in tile registers, by terms of bf16 (term_products.h), for convolutions of single
// taps: pixels of all images are rows of a product, weights its columns.
#pragma once

#include "templates/panels/conv.h"
#include "templates/terms/term_pixels.h"
#include "templates/terms/term_products.h"

namespace sinter {
namespace {

/// As conv, of one tap each way, an input that is not spread out, and panels of 16 or 32 filters. `scratch`:
/// termScratchBytes of the rows firstRow .. lastRow - 1 of all images, a group's filters and its channels. `next`: what
/// will be read after this, or null. `range`: which panels.
template <int NR, class Tiles = AmxTiles, class Shape, class TA, class TB, class TC, class First, class Last,
          class Epilogue, class Range = AllPanels>
void termConv(const Shape &s, const TA *in, const TB *weights, TC *out, void *scratch, First firstRow, Last lastRow,
              Epilogue epilogue, const void *next = nullptr, Range range = {}) {
  using V = Vec<float, kTermLanes<TB>>;
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups, panels = (filters + NR - 1) / NR;
  const PixelsAsRows<Shape> pixels(s, firstRow, lastRow);
  int64_t places[kMostTermRows];
  for (int64_t g = 0; g < s.groups; ++g) {
    const int64_t last = range.end(g, panels) * NR, end = filters < last ? filters : last;
    termProducts<NR, kTermsOf<TA>, Tiles>(
        weights + g * panels * NR * channels, pixels.count(), range.begin(g, panels) * NR, end, channels, scratch,
        next ? next : weights,
        [&](int64_t row, int64_t rows, int64_t begin, int64_t depth, uint32_t *to) SINTER_INLINE_LAMBDA {
          pixels.places(row, rows, &places[0]);
          splitPixels(in, s.in, &places[0], rows, g * channels + begin, depth, to);
        },
        [&](const V *sums, int64_t rows, int64_t row, int64_t column) SINTER_INLINE_LAMBDA {
          pixels.byImages(row, rows,
                          [&](int64_t done, int64_t count, int64_t n, int64_t h, int64_t w) SINTER_INLINE_LAMBDA {
                            storePixels<NR / 16>(s, sums + done * (NR / 16), count, out, n, g * filters + column,
                                                 (g + 1) * filters, h, w, epilogue);
                          });
        });
  }
}

} // namespace
} // namespace sinter
