// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second operand of int_gemm.h where a call makes it, as keys and values of attention: rows of bytes go into the
// order in which products read them, [ceil(n / NR)][ceil(k / 4)][NR][4]. What is packed behind the last column and the
// last row is bytes of these again: products drop such columns, and such rows are for zeros to be multiplied with.
#pragma once

#include "templates/dot4/byte_lanes.h"
#include "templates/dot4/int_tile.h"
#include "templates/maps/turn.h"

namespace sinter {
namespace {

/// Whether this target multiplies bytes faster than floats: four at a time, or pairs that become int16.
#if defined(__SSE2__) || defined(__aarch64__) || defined(__wasm_simd128__)
constexpr bool kHasDot4 = kLanes<int32_t> >= 4;
#else
constexpr bool kHasDot4 = false;
#endif
/// Whether it has one instruction for four products; and the kind of bytes that this takes beside signed ones.
#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)
constexpr bool kDot4IsOne = true;
using Dot4Bytes = UnsignedBytes;
#elif defined(__ARM_FEATURE_DOTPROD) && defined(__aarch64__)
constexpr bool kDot4IsOne = true;
using Dot4Bytes = SignedBytes;
#else
constexpr bool kDot4IsOne = false;
using Dot4Bytes = SignedBytes;
#endif

/// Columns in squares of as many as there are fours in a row, at most `lanes`. k is a multiple of four.
template <int NR, int lanes>
SINTER_INLINE void packSquares(const int8_t *rows, int64_t pitch, int64_t n, int64_t k, int8_t *to) {
  const int64_t fours = k / 4;
  if constexpr (lanes < 4) {
    for (int64_t j = 0; j < n; ++j)
      for (int64_t q = 0; q < fours; ++q)
        memcpy(to + ((j / NR * fours + q) * NR + j % NR) * 4, rows + j * pitch + q * 4, 4);
  } else if (fours < lanes) {
    packSquares<NR, lanes / 2>(rows, pitch, n, k, to);
  } else {
    static_assert(NR % lanes == 0, "a panel is whole squares");
    using V = Vec<float, lanes>;
    for (int64_t j = 0; j < n; j += lanes) {
      int8_t *const panel = to + (j / NR * fours * NR + j % NR) * 4;
      const int8_t *row[lanes];
      SINTER_UNROLL
      for (int r = 0; r < lanes; ++r) {
        row[r] = rows + (j + r < n ? j + r : n - 1) * pitch;
      }
      for (int64_t q = 0; q < fours; q += lanes) {
        const int64_t here = q + lanes <= fours ? q : fours - lanes; // the last square has fours of that before it
        V square[lanes];
        SINTER_UNROLL
        for (int r = 0; r < lanes; ++r)
          memcpy(&square[r], row[r] + here * 4, sizeof(V));
        turnSquare<lanes / 2>(square);
        SINTER_UNROLL
        for (int r = 0; r < lanes; ++r)
          memcpy(panel + (here + r) * NR * 4, &square[r], sizeof(V));
      }
    }
  }
}

/// B[k, n] of n rows that are its columns, `pitch` bytes apart, each k bytes, a multiple of four.
template <int NR>
SINTER_HOST_DEVICE void packColumns(const int8_t *rows, int64_t pitch, int64_t n, int64_t k, int8_t *to) {
  packSquares<NR, (kLanes<float> <= NR ? kLanes<float> : NR)>(rows, pitch, n, k, to);
}

/// sums[j] = the sum of column j's bytes. k is a multiple of four.
template <int NR>
SINTER_HOST_DEVICE void sumColumns(const int8_t *packed, int64_t n, int64_t k, int32_t *sums) {
  using V = IntPanelVector<NR>;
  constexpr int lanes = kLanesOf<V>;
  const int64_t fours = k / 4;
  for (int64_t j = 0; j < n; j += lanes) {
    const int8_t *const panel = packed + (j / NR * fours * NR + j % NR) * 4;
    V sum{};
    for (int64_t q = 0; q < fours; ++q) {
      V bytes;
      memcpy(&bytes, panel + q * NR * 4, sizeof(V));
      sum = dot4<Dot4Bytes::isSigned>(sum, splat<V>(0x01010101), bytes);
    }
    memcpy(sums + j, &sum, sizeof(V));
  }
}

/// Bytes of four rows from `column` on, flipped or not, in vectors of at most kBytes, as many as there are whole ones.
/// Returns the first column that is left.
template <int NR, int kBytes, class X = SignedBytes>
SINTER_INLINE int64_t packFours(const int8_t *const (&row)[4], int64_t column, int64_t n, int64_t panel, int8_t *to) {
  if constexpr (kBytes >= 16) {
    using V = Vec<int32_t, kBytes / 4>;
    static_assert(NR % kLanesOf<V> == 0, "a panel is whole vectors");
    for (; column + kBytes <= n; column += kBytes) {
      V fours[4];
      const auto pairs = [&](int i) {
        const auto bytes = [&](int r) {
          return loadToWeave<X, kBytes>(reinterpret_cast<const uint8_t *>(row[r]) + column, NoEnd{});
        };
        return pairsOf(bytes(i), bytes(i + 1));
      };
      weave(pairs(0), pairs(2), fours);
      SINTER_UNROLL
      for (int v = 0; v < 4; ++v) {
        const int64_t j = column + v * kLanesOf<V>;
        memcpy(to + j / NR * panel + j % NR * 4, &fours[v], sizeof(V));
      }
    }
    return packFours<NR, kBytes / 2, X>(row, column, n, panel, to);
  } else {
    return column;
  }
}

/// B[k, n] of its k rows, `pitch` bytes apart, each n bytes.
template <int NR>
SINTER_HOST_DEVICE void packRows(const int8_t *rows, int64_t pitch, int64_t n, int64_t k, int8_t *to) {
  const int64_t fours = (k + 3) / 4, panel = fours * NR * 4;
  constexpr int bytes = SINTER_VECTOR_BYTES < 4 * NR ? int(SINTER_VECTOR_BYTES) : 4 * NR;
  for (int64_t q = 0; q < fours; ++q, to += NR * 4) {
    const int8_t *row[4];
    SINTER_UNROLL
    for (int r = 0; r < 4; ++r) {
      row[r] = rows + (q * 4 + r < k ? q * 4 + r : k - 1) * pitch;
    }
    for (int64_t j = packFours<NR, bytes>(row, 0, n, panel, to); j < n; ++j)
      for (int r = 0; r < 4; ++r)
        to[j / NR * panel + j % NR * 4 + r] = row[r][j];
  }
}

/// The same in steps of so many bytes, fours, of which the last one ends with k: what the one before it has, and what
/// is behind k where k has no whole step, is `nothing`: n bytes that become zeros. X says whether bytes are flipped.
template <int NR, class X>
SINTER_HOST_DEVICE void packRowsInSteps(const int8_t *rows, int64_t pitch, int64_t n, int64_t k, int64_t step,
                                        const int8_t *nothing, int8_t *to) {
  const int64_t fours = (k + step - 1) / step * step / 4, panel = fours * NR * 4;
  constexpr int bytes = SINTER_VECTOR_BYTES < 4 * NR ? int(SINTER_VECTOR_BYTES) : 4 * NR;
  for (int64_t q = 0; q < fours; ++q, to += NR * 4) {
    const int64_t begin = q * 4 / step * step, from = begin + step <= k || k < step ? begin : k - step;
    const int8_t *row[4];
    SINTER_UNROLL
    for (int r = 0; r < 4; ++r) {
      const int64_t p = from + q * 4 - begin + r;
      row[r] = p < begin || p >= k ? nothing : rows + p * pitch;
    }
    for (int64_t j = packFours<NR, bytes, X>(row, 0, n, panel, to); j < n; ++j)
      for (int r = 0; r < 4; ++r)
        to[j / NR * panel + j % NR * 4 + r] = int8_t(X::isFlipped ? row[r][j] ^ -128 : row[r][j]);
  }
}

/// All of n bytes as the other kind.
SINTER_INLINE void flipAll(int8_t *bytes, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    bytes[i] = int8_t(bytes[i] ^ -128);
}

} // namespace
} // namespace sinter
