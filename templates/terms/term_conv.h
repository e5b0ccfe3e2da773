// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// conv of templates/panels/conv.h in tile registers, by terms of bf16 (term_products.h): the outputs of all images are
// rows of a product, each the numbers that its window has, weights are columns.
#pragma once

#include "templates/panels/conv.h"
#include "templates/terms/term_pixels.h"
#include "templates/terms/term_products.h"

namespace sinter {
namespace {

/// As conv, of an input that is not spread out and panels of 16 or 32 filters; with several taps of channels of a group
/// that are whole sixteens. `scratch`: termScratchBytes of the rows firstRow .. lastRow - 1 of all images, a group's
/// filters and its channels by taps. `next`: what will be read after this, or null. `range`: which panels.
template <int NR, class Tiles = AmxTiles, class Shape, class TA, class TB, class TC, class First, class Last,
          class Epilogue, class Range = AllPanels>
void termConv(const Shape &s, const TA *in, const TB *weights, TC *out, void *scratch, First firstRow, Last lastRow,
              Epilogue epilogue, const void *next = nullptr, Range range = {}) {
  using V = Vec<float, kTermLanes<TB>>;
  const int64_t filters = s.filters / s.groups, panels = (filters + NR - 1) / NR;
  const int64_t k = tapRows(s) * s.kernelW * (s.channels / s.groups);
  const PixelsAsRows<Shape> pixels(s, firstRow, lastRow);
  for (int64_t g = 0; g < s.groups; ++g) {
    const int64_t last = range.end(g, panels) * NR, end = filters < last ? filters : last;
    termProducts<NR, kTermsOf<TA>, Tiles>(
        weights + g * panels * NR * k, pixels.count(), range.begin(g, panels) * NR, end, k, scratch,
        next ? next : weights,
        [&](int64_t row, int64_t rows, int64_t begin, int64_t depth, uint32_t *to)
            SINTER_INLINE_LAMBDA { splitWindows(pixels, in, g, row, rows, begin, depth, to); },
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
