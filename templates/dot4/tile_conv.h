// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// intConv of int_conv.h in tile registers: tile_registers.h says how sums are made. Outputs of a row, or of all rows
// where each reads on behind the one before, are rows of a product.
#pragma once

#include "templates/dot4/int_conv.h"
#include "templates/dot4/tile_registers.h"

namespace sinter {
namespace {

/// Runs that end within a four, to its end: weights there are zero, and bytes are what the map has behind them.
template <class CountH, class CountW, class Length, class StepH, class StepW>
SINTER_INLINE auto wholeFours(const ByteRuns<CountH, CountW, Length, StepH, StepW> &runs) {
  const auto longer = [&](auto length) SINTER_INLINE_LAMBDA {
    return ByteRuns<CountH, CountW, decltype(length), StepH, StepW>{runs.countH, runs.countW, length, runs.stepH,
                                                                    runs.stepW};
  };
  if constexpr (kFixed<Length> >= 0)
    return longer(Fixed<(kFixed<Length> + 3) / 4 * 4>{});
  else
    return longer(int64_t((runs.length + 3) / 4 * 4));
}

/// As intConv, with the same weights and sums, for bytes that are not flipped and runs of whole steps
/// (tile_steps.h), of which the last may go up to three bytes on behind the windows of a row, which lie in the map.
/// `Tiles`: the instructions.
template <int NR, bool kMerged, class X, class Tiles = AmxTiles, class Shape, class TA, class TC, class First,
          class Last, class Epilogue>
void tileConv(const Shape &s, const TA *in, const int8_t *weights, TC *out, First firstRow, Last lastRow,
              Epilogue epilogue) {
  using V = IntPanelVector<NR>;
  static_assert(sizeof(TA) == 1, "bytes");
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  const auto runs = wholeFours(runsOf<kMerged>(s));
  const int64_t pitch = (filters + NR - 1) / NR * panelBytes<X, NR>(runs.perColumn(4));
  const auto rest = restOf<NR>(s);
  const auto stride = pixelStep(s);
  const int64_t together = isContiguous(s) ? lastRow - firstRow : 1, height = lastRow - firstRow;
  TileRegisters<Tiles> registers;
  for (int64_t n = 0; n < s.batch && height > 0; ++n)
    for (int64_t g = 0; g < s.groups; ++g) {
      const auto *map = reinterpret_cast<const uint8_t *>(in) + n * s.in.batch + g * channels;
      const auto from = [&](int64_t group, int64_t row) {
        return map + (firstRow + group * together) * s.strideH * s.in.row + row * stride;
      };
      const auto write = [&](const int32_t *sums, int64_t between, int64_t count, int64_t group, int64_t row,
                             int64_t panel) {
        const int64_t first = g * filters + panel * NR;
        storePixels<NR, V>(s, sums, between, count, filters - panel * NR, rest, out, n, first,
                           firstRow + group * together + row / s.outWidth, row % s.outWidth, epilogue);
      };
      tileProducts<NR, X>(registers, height / together, together * s.outWidth, filters, stride, runs,
                          weights + g * pitch, from, write);
    }
}

} // namespace
} // namespace sinter
