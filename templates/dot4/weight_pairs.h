// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x86 without VNNI multiplies four bytes of a lane by pmaddubsw, which adds two products as int16 and saturates, and
// then adds the two sums as int32. That is exact where no pair of weights can saturate: 255 (a + b) fits 16 bits for a
// + b <= 128, as do negative ones. Constant weights can be made so: of a pair that is larger, half stays, and the other
// half goes to an extra four at the end of the panel, which is multiplied with the same bytes once more.
//
// A panel of NR columns: [four][column][4], then as many extra fours, [extra][column][4], then the places of these as
// int32, filled up to NR of them. Under int_tile.h; made by compiler/interpreter/kernels/pack_pairs.cpp.
#pragma once

#include "runtime-lite/scalar.h"

namespace sinter {
namespace {

/// Whether a pair's products with two unsigned bytes always fit 16 bits when they are added.
SINTER_INLINE constexpr bool isSmallPair(int a, int b) {
  const int positive = (a > 0 ? a : 0) + (b > 0 ? b : 0), negative = (a < 0 ? a : 0) + (b < 0 ? b : 0);
  return positive <= 128 && negative >= -128;
}

/// The most bytes that a panel may have as words (panel_words.h): half of a first-level cache.
constexpr int64_t kMostWordBytes = 16 << 10;
/// Whether a convolution makes words of a panel of so many bytes, of pairs that are not small, for `tiles` tiles: it
/// takes about as long as one of them.
SINTER_INLINE constexpr bool paysToWiden(int64_t bytes, int64_t tiles) {
  return bytes * 2 <= kMostWordBytes && tiles >= 4;
}

/// Fours that a panel has behind its own.
SINTER_INLINE constexpr int64_t foursBehind(int64_t extras, int64_t columns) {
  return extras + (extras + columns - 1) / columns;
}

/// Which bytes a four is multiplied with: those from `byte` on of the run in this row and column of the window.
struct FourPlace {
  int64_t row, column, byte;
};
SINTER_INLINE constexpr bool fitsPlace(int64_t rows, int64_t columns, int64_t bytes) {
  return rows <= 128 && columns <= 256 && bytes <= 65536;
}
SINTER_INLINE constexpr int32_t packedPlace(FourPlace place) {
  return int32_t(place.row << 24 | place.column << 16 | place.byte);
}
SINTER_INLINE constexpr FourPlace placeOf(int32_t packed) { return {packed >> 24, packed >> 16 & 255, packed & 65535}; }

} // namespace
} // namespace sinter
