// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile under int_gemm.h and int_conv.h: sums of R rows of bytes by NV vectors of columns, and how they go
// through an epilogue to where they are stored.
#pragma once

#include "templates/dot4/int_dot.h"
#include "templates/dot4/matrix_tile.h"
#include "templates/dot4/panel_words.h"
#include "templates/dot4/weight_pairs.h"

namespace sinter {
namespace {

/// The bytes that sums of products run over, seen from an output's first one: countH times countW runs of `length`
/// adjacent bytes, stepH and stepW apart. Members are Fixed or int64_t.
template <class CountH, class CountW, class Length, class StepH, class StepW>
struct ByteRuns {
  CountH countH;
  CountW countW;
  Length length;
  StepH stepH;
  StepW stepW;

  /// Bytes of weights for a column, in steps of so many.
  SINTER_INLINE_MEMBER constexpr int64_t perColumn(int64_t step) const {
    return countH * countW * ((length + step - 1) / step) * step;
  }
};

/// Bytes of a panel of NR columns of so many bytes, and of what X adds to them.
template <class X, int NR>
SINTER_INLINE constexpr int64_t panelBytes(int64_t perColumn) {
  return (perColumn + foursBehind(X::extras, NR) * 4) * NR;
}

/// sums[R][kStreams][NV] of the fours that steps go through; `b`: the weights of the next one.
template <int R, int NV, int kStreams, class X, class V>
struct IntTileSums {
  static constexpr int vectors = NV * kStreams;
  V at[R][vectors];
  const int8_t *b;
  int64_t pitch;

  SINTER_INLINE_MEMBER IntTileSums(const int8_t *b, int64_t pitch) : b(b), pitch(pitch) {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      SINTER_UNROLL
      for (int j = 0; j < vectors; ++j)
        at[i][j] = V{};
    }
  }
  /// One four, whose weights lie `skipped` fours behind b: product(i)(sum, weights) adds its products with row i to a
  /// sum.
  template <class Product>
  SINTER_INLINE_MEMBER void add(Product product, int64_t skipped = 0) {
    V w[vectors];
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j)
      memcpy(&w[j], b + j / NV * pitch + (skipped * NV + j % NV) * int64_t(sizeof(V)), sizeof(V));
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      const auto ofRow = product(i);
      SINTER_UNROLL
      for (int j = 0; j < vectors; ++j)
        at[i][j] = ofRow(at[i][j], w[j]);
    }
  }
  /// four(i): row i's bytes in every lane.
  template <class Four>
  SINTER_INLINE_MEMBER void addFours(Four four) {
    if constexpr (X::isWords) {
      SINTER_UNROLL
      for (int i = 0; i < R; ++i) {
        addByWords<X, NV>(&at[i][0], four(i), b);
        SINTER_IN_ORDER;
      }
      b += 2 * NV * int64_t(sizeof(V));
      return;
    }
    add([&](int i) SINTER_INLINE_LAMBDA {
      return [x = four(i)](V sum, V w) SINTER_INLINE_LAMBDA { return dotOf<X>(sum, x, w); };
    });
    b += NV * int64_t(sizeof(V));
  }
  /// What pairs of weights lack, once b is behind all fours: at(place), row 0's bytes, of which row i's are i * stride
  /// on.
  template <class Stride, class At>
  SINTER_INLINE_MEMBER void addExtras(Stride stride, At at) {
    SINTER_UNROLL
    for (int s = 0; s < kStreams; ++s) {
      const int8_t *weights = b + s * pitch;
      const int8_t *places = weights + X::extras * NV * int64_t(sizeof(V));
      for (int64_t e = 0; e < X::extras; ++e, weights += NV * sizeof(V)) {
        int32_t place;
        memcpy(&place, places + e * int64_t(sizeof(place)), sizeof(place));
        const uint8_t *from = at(placeOf(place));
        V w[NV]; // a vector at a time: all at once, gcc would copy by halves, for which the products would wait
        SINTER_UNROLL
        for (int j = 0; j < NV; ++j)
          memcpy(&w[j], weights + j * int64_t(sizeof(V)), sizeof(V));
        SINTER_UNROLL
        for (int i = 0; i < R; ++i) {
          const V x = fourAt<X, V>(from + i * stride);
          SINTER_UNROLL
          for (int j = 0; j < NV; ++j)
            this->at[i][s * NV + j] = dotOf<X>(this->at[i][s * NV + j], x, w[j]);
        }
      }
    }
  }
  /// The fours of a vector of each row, of whose bytes the first is at row(i).
  template <class Row>
  SINTER_INLINE_MEMBER void addVectors(Row row) {
    V x[R];
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      memcpy(&x[i], row(i), sizeof(V));
      if constexpr (X::isFlipped)
        x[i] ^= splat<V>(int32_t(0x80808080u));
    }
    const auto lane = [&](auto fixed) SINTER_INLINE_LAMBDA {
      constexpr int kLane = int(decltype(fixed)::value);
      SINTER_IN_ORDER; // gcc would read the weights of all four lanes at once, and lack registers
      add(
          [&](int i) SINTER_INLINE_LAMBDA {
            return [from = x[i]](V sum, V w)
                       SINTER_INLINE_LAMBDA { return dot4Lane<X::isSigned, kLane>(sum, from, w); };
          },
          kLane);
    };
    lane(Fixed<0>{});
    lane(Fixed<1>{});
    lane(Fixed<2>{});
    lane(Fixed<3>{});
    b += 4 * NV * int64_t(sizeof(V));
  }
};

/// out[R][streams][NV] = sums of products of R rows of bytes, `stride` apart, with weights
/// [streams][run][four of a run][NV vectors][4] and what X adds behind them, streams `pitch` bytes apart. A run whose
/// length is no multiple of 4 ends with the four bytes before its end: weights are zero for those that the four before
/// had.
template <int R, int NV, int kStreams, class X, class V, class Stride, class Runs>
SINTER_HOST_DEVICE void dotTile(const uint8_t *a, Stride stride, const Runs &runs, const int8_t *b, int64_t pitch,
                                V *out) {
  IntTileSums<R, NV, kStreams, X, V> sums(b, pitch);
  for (int64_t h = 0; h < runs.countH; ++h)
    for (int64_t w = 0; w < runs.countW; ++w) {
      const uint8_t *run = a + h * runs.stepH + w * runs.stepW;
      const int64_t length = runs.length, fours = length / 4;
      const int64_t inVectors = kHasDotByLane<X::isSigned, V> ? fours / 4 * 4 : 0;
      if constexpr (kHasDotByLane<X::isSigned, V>)
        for (int64_t q = 0; q < inVectors; q += 4)
          sums.addVectors([&](int i) SINTER_INLINE_LAMBDA { return run + i * stride + q * 4; });
      for (int64_t q = inVectors; q < fours; ++q)
        sums.addFours([&](int i) SINTER_INLINE_LAMBDA { return fourAt<X, V>(run + i * stride + q * 4); });
      if (length % 4 == 0)
        continue;
      if (length > 4)
        sums.addFours([&](int i) SINTER_INLINE_LAMBDA { return fourAt<X, V>(run + i * stride + length - 4); });
      else
        sums.addFours([&](int i) SINTER_INLINE_LAMBDA { return fourAt<X, V>(run + i * stride, runs.length); });
    }
  if constexpr (X::extras > 0)
    sums.addExtras(stride, [&](FourPlace place) SINTER_INLINE_LAMBDA {
      return a + place.row * runs.stepH + place.column * runs.stepW + place.byte;
    });
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < NV * kStreams; ++j)
      out[i * NV * kStreams + j] = sums.at[i][j];
  }
}

/// dotTile of bytes as X takes them.
template <int R, int NV, int kStreams, class X, class V, class Stride, class Runs>
SINTER_INLINE void byteTile(const uint8_t *a, Stride stride, const Runs &runs, const int8_t *b, int64_t pitch, V *out) {
  if constexpr (X::together == 8)
    squareTile<R, NV * kLanesOf<V>, kStreams, X>(a, stride, runs, b, pitch, out);
  else
    dotTile<R, NV, kStreams, X>(a, stride, runs, b, pitch, out);
}

/// The vectors that a panel of NR columns is summed up in.
template <int NR>
using IntPanelVector = Vec<int32_t, (kLanes<int32_t> <= NR ? kLanes<int32_t> : NR)>;

/// Whether the low bytes of four vectors of int32 lanes are put together by few instructions: lowBytes(a, b, c, d), the
/// low bytes of their lanes, behind each other.
template <class V>
constexpr bool kJoinsLowBytes = false;
#if defined(__aarch64__) && defined(SINTER_IS_GNU)
template <>
[[maybe_unused]] constexpr bool kJoinsLowBytes<Vec<int32_t, 4>> = true;
SINTER_INLINE Vec<int8_t, 16> lowBytes(Vec<int32_t, 4> a, Vec<int32_t, 4> b, Vec<int32_t, 4> c, Vec<int32_t, 4> d) {
  Vec<int8_t, 16> low;
  Vec<int32_t, 4> high;
  __asm__("uzp1 %0.8h, %2.8h, %3.8h\n\t"
          "uzp1 %1.8h, %4.8h, %5.8h\n\t"
          "uzp1 %0.16b, %0.16b, %1.16b"
          : "=&w"(low), "=&w"(high)
          : "w"(a), "w"(b), "w"(c), "w"(d));
  return low;
}
#elif defined(SINTER_IS_GNU) && (defined(__AVX2__) || (defined(__SSE2__) && !defined(__AVX__))) && !defined(__AVX512F__)
template <>
[[maybe_unused]] constexpr bool kJoinsLowBytes<Vec<int32_t, kLanes<int32_t>>> = true;
/// Packs saturate, so that they take what the bytes are as unsigned ones, and AVX2's work in each half by itself.
template <class V>
SINTER_INLINE Vec<int8_t, int(sizeof(V))> lowBytes(V a, V b, V c, V d) {
  const V low = splat<V>(255);
  a &= low, b &= low, c &= low, d &= low;
#if defined(__AVX2__)
  const auto front = __builtin_ia32_packssdw256(a, b), back = __builtin_ia32_packssdw256(c, d);
  const V bytes = (V)__builtin_ia32_packuswb256(front, back);
  return (Vec<int8_t, 32>)__builtin_shufflevector(bytes, bytes, 0, 4, 1, 5, 2, 6, 3, 7);
#else
  const auto front = __builtin_ia32_packssdw128(a, b), back = __builtin_ia32_packssdw128(c, d);
  return (Vec<int8_t, 16>)__builtin_ia32_packuswb128(front, back);
#endif
}
#endif

/// to[j] = compute(lanes of sums from j on, j) for the n sums there are, at least one (Fixed or not): whole vectors. A
/// rest is computed with lanes that the vector before it has as well, before any of these is written: what `compute`
/// reads may lie where this writes.
template <class V, class N, class TC, class Compute>
SINTER_INLINE void storeEach(const int32_t *sums, N n, TC *to, const Compute &compute) {
  constexpr int lanes = kLanesOf<V>;
  constexpr int64_t known = kFixed<N>;
  if constexpr (lanes > 1 && known < lanes) {
    if (n < lanes) {
      storeEach<Vec<int32_t, lanes / 2>>(sums, n, to, compute);
      return;
    }
  }
  const auto at = [&](int64_t j) SINTER_INLINE_LAMBDA { return compute(load<V>(sums + j), j); };
  constexpr bool joins = sizeof(TC) == 1 && kJoinsLowBytes<decltype(at(0))>;
  const auto four = [&](int64_t j) SINTER_INLINE_LAMBDA {
    if constexpr (joins) {
      const auto a = at(j), b = at(j + lanes), c = at(j + 2 * lanes), d = at(j + 3 * lanes);
      store(reinterpret_cast<int8_t *>(to + j), lowBytes(a, b, c, d));
    }
  };
  const auto whole = [&] {
    constexpr int64_t together = joins ? 4 * lanes : 1;
    if constexpr (known >= 0) {
      constexpr int64_t fours = joins ? known / together : 0;
      SINTER_UNROLL
      for (int64_t i = 0; i < fours; ++i)
        four(i * together);
      constexpr int64_t pairs = joins ? known / lanes % 4 / 2 : 0, from = fours * together;
      if constexpr (pairs == 1) { // of a three the last one alone is the faster
        const auto a = at(from), b = at(from + lanes);
        const auto low = lowBytes(a, b, a, b);
        memcpy(to + from, &low, 2 * lanes);
      }
      SINTER_UNROLL
      for (int64_t j = from + pairs * 2 * lanes; j < known / lanes * lanes; j += lanes)
        store(to + j, at(j));
    } else {
      const int64_t inFours = joins ? n / together * together : 0;
      for (int64_t j = 0; j < inFours; j += together)
        four(j);
      for (int64_t j = inFours; j + lanes <= n; j += lanes)
        store(to + j, at(j));
    }
  };
  if (n % lanes == 0) {
    whole();
    return;
  }
  const auto last = at(n - lanes);
  whole();
  store(to + (n - lanes), last);
}

} // namespace
} // namespace sinter
