// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of depthwise convolutions of bytes where an instruction multiplies pairs of int16 (x86 without VNNI,
// WebAssembly): bytes are widened, and two taps, one below the other, woven into an int32 lane; those of the last row
// of an odd kernel lie side by side. A tile of outputs shares what is woven of its columns: of 16 registers four
// outputs of two vectors take 8 for sums, 2 for woven taps and 1 for a product. Under int_depthwise.h.
#pragma once

#include "templates/dot4/byte_lanes.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// acc + the sum of two products in each lane.
template <class V>
SINTER_INLINE void addPairs(V &acc, V x, V w) {
  acc += multiplyPairs(x, w);
}
/// Channels that are widened together, of a block of kBytes.
template <int kBytes>
constexpr int kWidened = kBytes < kLanes<int16_t> ? kBytes : kLanes<int16_t>;

/// kBytes bytes from p as int16, those of AVX2 and AVX-512 in fours so that zipPairs leaves sums in order.
template <class X, int kBytes>
SINTER_INLINE auto loadWide(const uint8_t *p) {
  using D = Vec<int32_t, kBytes / 4>;
  using B = Vec<typename IfType<X::isSigned, int8_t, uint8_t>::Type, kBytes>;
  using H = Vec<int16_t, kBytes>;
  D d;
  memcpy(&d, p, sizeof(d));
  if constexpr (kBytes == 16)
    d = __builtin_shufflevector(d, d, 0, 2, 1, 3);
  else if constexpr (kBytes == 32)
    d = __builtin_shufflevector(d, d, 0, 4, 1, 5, 2, 6, 3, 7);
  if constexpr (X::isFlipped)
    d ^= splat<D>(int32_t(0x80808080u));
  return rawConvert<H>((B)d);
}

/// The weights of kBytes channels for kernels of up to 9 rows of KW taps, as pairs: of rows 0 and 1, 2 and 3 ..., each
/// a vector for each tap; then of the last row from tap 0, 2 ... on, and from tap -1, 1 ... on.
template <int KW, int kBytes>
struct PairedTaps {
  static constexpr int unit = kWidened<kBytes>, halves = kBytes / unit * 2, mostRows = 9;
  using V = Vec<int32_t, unit / 2>;
  V at[mostRows / 2 * KW + KW + 1][halves];

  /// From [row of taps][four of a row][channel][4].
  SINTER_INLINE_MEMBER PairedTaps(int64_t rows, const int8_t *weights) {
    SINTER_UNROLL
    for (int half = 0; half < halves; ++half) {
      const auto tap = [&](int64_t row, int64_t column) {
        if (column < 0 || column >= KW)
          return V{};
        const int64_t four = row * ((KW + 3) / 4) + column / 4;
        V w;
        memcpy(&w, weights + (four * kBytes + half * kLanesOf<V>)*4, sizeof(w));
        return (V)((V)((UnsignedOf<V>)w << int32_t(24 - column % 4 * 8)) >> 24);
      };
      const auto pair = [](V low, V high) { return (V)((UnsignedOf<V>)high << 16) | (low & splat<V>(0xffff)); };
      int64_t i = 0;
      for (int64_t row = 0; row + 1 < rows; row += 2)
        for (int64_t column = 0; column < KW; ++column)
          at[i++][half] = pair(tap(row, column), tap(row + 1, column));
      if (rows % 2 != 0)
        for (int64_t first = 0; first >= -1; --first)
          for (int64_t column = first; column < KW; column += 2)
            at[i++][half] = pair(tap(rows - 1, column), tap(rows - 1, column + 1));
    }
  }
};

/// sums[output][kBytes channels] of kOutputs outputs, SW pixels of the input apart.
template <class X, int kOutputs, int SW, int KW, int kBytes, class Shape>
SINTER_INLINE void pairedOutputs(const Shape &s, const uint8_t *in, const PairedTaps<KW, kBytes> &taps, int32_t *sums) {
  using Taps = PairedTaps<KW, kBytes>;
  using V = typename Taps::V;
  constexpr int unit = Taps::unit, columns = (kOutputs - 1) * SW + KW;
  const int64_t row = s.dilationH * s.in.row;
  for (int64_t c = 0; c < kBytes / unit; ++c) {
    const V(*w)[Taps::halves] = taps.at;
    V acc[kOutputs][2] = {};
    const auto add = [&](int j, const auto &woven, int64_t i) SINTER_INLINE_LAMBDA {
      SINTER_UNROLL
      for (int half = 0; half < 2; ++half)
        addPairs(acc[j][half], woven[half], w[i][c * 2 + half]);
    };
    const uint8_t *from = in + c * unit;
    for (int64_t pairs = s.kernelH / 2; pairs > 0; --pairs, from += 2 * row, w += KW) {
      SINTER_UNROLL
      for (int x = 0; x < columns; ++x) {
        const auto upper = loadWide<X, unit>(from + x * s.in.pixel);
        const auto lower = loadWide<X, unit>(from + row + x * s.in.pixel);
        const V woven[2] = {zipPairs<0>(upper, lower), zipPairs<1>(upper, lower)};
        SINTER_UNROLL
        for (int j = 0; j < kOutputs; ++j)
          if (x - j * SW >= 0 && x - j * SW < KW)
            add(j, woven, x - j * SW);
        SINTER_IN_ORDER; // gcc would widen all columns at once, and lack registers
      }
    }
    if (s.kernelH % 2 != 0) {
      SINTER_UNROLL
      for (int x = 0; x < columns; x += 2) {
        const auto left = loadWide<X, unit>(from + x * s.in.pixel); // beyond the last column weights are zero
        const auto right = x + 1 < columns ? loadWide<X, unit>(from + (x + 1) * s.in.pixel) : left;
        const V woven[2] = {zipPairs<0>(left, right), zipPairs<1>(left, right)};
        SINTER_UNROLL
        for (int j = 0; j < kOutputs; ++j) {
          const int tap = x - j * SW;
          if (tap >= -1 && tap < KW)
            add(j, woven, tap % 2 == 0 ? tap / 2 : (KW + 1) / 2 + (tap + 1) / 2);
        }
      }
    }
    SINTER_UNROLL
    for (int j = 0; j < kOutputs; ++j) {
      store(sums + j * kBytes + c * unit, acc[j][0]);
      store(sums + j * kBytes + c * unit + kLanesOf<V>, acc[j][1]);
    }
  }
}

/// A row of outputs of a kernel of KW columns, dilation 1 and stride SW in w. `write(sums, x, count)`: of `count`
/// outputs, kBytes apart.
template <class X, int SW, int KW, int kBytes, class Shape, class Write>
SINTER_INLINE void pairedRow(const Shape &s, const uint8_t *in, const PairedTaps<KW, kBytes> &taps, Write write) {
  const auto width = outWidthOf(s);
  rowTiles<4>(width, [&](int64_t count, int64_t x) {
    int32_t sums[4 * kBytes];
    withRows<kTileSizes<4, decltype(outWidthOf(s))>>(count, [&](auto outputs) SINTER_INLINE_LAMBDA {
      pairedOutputs<X, int(decltype(outputs)::value), SW>(s, in + x * SW * s.in.pixel, taps, &sums[0]);
    });
    write(&sums[0], x, count);
  });
}

/// Whether rows have this kernel, with all bytes that it reads before `end`.
template <int KW, int kBytes, class Shape>
SINTER_INLINE bool isPairedRow(const Shape &s, const uint8_t *in, const uint8_t *end) {
  const int64_t last = (s.kernelH - 1) * s.dilationH * s.in.row + ((s.outWidth - 1) * s.strideW + KW - 1) * s.in.pixel;
  return end - in >= last + kBytes;
}

} // namespace
} // namespace sinter
