// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scores: products of queries with a block of keys. Of floats and halves in floats. Where keys are rows of bytes
// (cache_rows.h), queries become such rows as well, and products are whole numbers, the same on every target: those of
// dot4 where it is fast (templates/dot4/pack_rows.h), else one by one. Under attention.h.
#pragma once

#include "templates/attention/attention_shape.h"
#include "templates/attention/quantize_rows.h"
#include "templates/direct/gemm_unpacked.h"
#include "templates/dot4/int_gemm.h"
#include "templates/dot4/pack_rows.h"
#include "templates/maps/turn.h"

namespace sinter {
namespace {

/// kt[depth][n] = K[n][depth] transposed, as floats.
template <class TK>
SINTER_INLINE void turnKeys(const TK *keys, int64_t pitch, float *kt, int64_t n, int64_t depth) {
  if constexpr (kSame<TK, float>) {
    turn(keys, pitch, kt, n, depth, n);
  } else {
    // As they are, at the end of where the floats go: these never come before what is yet to be read.
    TK *const turned = reinterpret_cast<TK *>(kt + depth * n) - depth * n;
    turn(keys, pitch, turned, n, depth, n);
    map<float>(depth * n, [&](auto tag, int64_t i) {
      using V = typename decltype(tag)::Type;
      store(kt + i, load<V>(turned + i));
    });
  }
}

/// C[m, n] = score(Q[m, k] K[n, k]^T, i, j) for few queries. `widened`: kWidenedKeys * k floats. `turns`: there are
/// enough to transpose such keys.
template <int R, int NR, class TQ, class TK, class Score>
SINTER_INLINE void dotsOfKeys(const TQ *q, int64_t qPitch, const TK *keys, int64_t kPitch, float *c, int64_t pitch,
                              int64_t m, int64_t n, int64_t k, [[maybe_unused]] float *widened,
                              [[maybe_unused]] bool turns, Score score) {
  if constexpr (kSame<TK, float>) {
    gemmDots(q, qPitch, keys, kPitch, c, pitch, m, n, k, score);
  } else {
    for (int64_t first = 0; first < n; first += kWidenedKeys) {
      const int64_t count = n - first < kWidenedKeys ? n - first : kWidenedKeys;
      const auto scored = [&](auto x, int64_t i, int64_t j) { return score(x, i, first + j); };
      if (turns) {
        turnKeys(keys + first * kPitch, kPitch, widened, count, k);
        gemmRows<R, NR>(q, qPitch, Fixed<1>{}, widened, count, c + first, pitch, m, count, k, scored);
        continue;
      }
      for (int64_t j = 0; j < count; ++j)
        map<float>(k, [&](auto tag, int64_t p) {
          using V = typename decltype(tag)::Type;
          store(widened + j * k + p, load<V>(keys + (first + j) * kPitch + p));
        });
      gemmDots(q, qPitch, widened, k, c + first, pitch, m, count, k, scored);
    }
  }
}
/// Keys of floats or halves, R queries at a time; NR columns of a tile.
template <int R, int NR, class TQ, class TK>
struct KeyProducts {
  const AttentionShape &shape;
  const TQ *q;
  float *room; ///< a block's keys transposed, or some of them as floats
  const TK *keys = nullptr;
  int64_t count = 0;

  template <class Places>
  SINTER_INLINE_MEMBER KeyProducts(const AttentionShape &s, const Places &places, const TQ *q, float *scratch)
      : shape(s), q(q), room(scratch + places.keys) {}
  SINTER_INLINE_MEMBER void take(const TK *block, int64_t n) {
    keys = block, count = n;
    if (shape.hasMany(R))
      turnKeys(keys, shape.kPitch, room, n, shape.depth);
  }
  /// c[rows, here] = score(products of queries `first` and on with the first keys of the block, i, j).
  template <class Score>
  SINTER_INLINE_MEMBER void scores(int64_t first, int64_t rows, int64_t here, float *c, int64_t pitch, Score score) {
    const TQ *const block = q + first * shape.qPitch;
    if (shape.hasMany(R))
      gemmRows<R, NR>(block, shape.qPitch, Fixed<1>{}, room, count, c, pitch, rows, here, shape.depth, score);
    else
      dotsOfKeys<R, NR>(block, shape.qPitch, keys, shape.kPitch, c, pitch, rows, here, shape.depth, room,
                        shape.hasMany(kQueriesThatTurn), score);
  }
};

/// Keys of bytes.
template <int R, int NR, class TQ>
struct KeyProducts<R, NR, TQ, int8_t> {
  const AttentionShape &shape;
  int8_t *queries;
  int32_t *sums;
  int8_t *room; ///< a block's keys, packed or transposed
  const int8_t *keys = nullptr;
  int64_t count = 0;

  template <class Places>
  SINTER_INLINE_MEMBER KeyProducts(const AttentionShape &s, const Places &places, const TQ *q, float *scratch)
      : shape(s), queries(reinterpret_cast<int8_t *>(scratch + places.queries)),
        sums(reinterpret_cast<int32_t *>(scratch + places.keySums)), room(packedBytes(scratch + places.keys)) {
    for (int64_t i = 0; i < s.queries; ++i) {
      int8_t *const row = queries + i * queryBytes(s.depth);
      quantizeRow(q + i * s.qPitch, s.depth, row);
      if (isPacked() && !Dot4Bytes::isSigned)
        for (int64_t p = 0; p < s.depth; ++p)
          row[p] = int8_t(row[p] ^ -128);
    }
  }
  SINTER_INLINE_MEMBER bool isPacked() const { return kHasDot4 && shape.depth % 4 == 0; }
  SINTER_INLINE_MEMBER void take(const int8_t *block, int64_t n) {
    keys = block, count = n;
    if constexpr (kHasDot4)
      if (isPacked()) {
        packColumns<NR>(keys, shape.kPitch, n, shape.depth, room);
        if constexpr (!Dot4Bytes::isSigned)
          sumColumns<NR>(room, n, shape.depth, sums);
        return;
      }
    if (shape.hasMany(R))
      turn(keys, shape.kPitch, room, n, shape.depth, n);
  }
  template <class Score>
  SINTER_INLINE_MEMBER void scores(int64_t first, int64_t rows, int64_t here, float *c, int64_t pitch, Score score) {
    const int64_t qPitch = queryBytes(shape.depth);
    const int8_t *const block = queries + first * qPitch;
    const auto scored = [&](auto dot, int64_t i, int64_t j) {
      using F = Like<decltype(dot), float>;
      float scale = 0.0f;
      readScales(block + i * qPitch, 0, shape.depth, 1, &scale);
      return score(F(convert<F>(dot) * splat<F>(scale)), i, j);
    };
    if constexpr (kHasDot4)
      if (isPacked()) {
        intGemm<R, NR, Dot4Bytes>(block, qPitch, room, c, pitch, rows, here, shape.depth,
                                  [&](auto dot, int64_t i, int64_t j) {
                                    using I = decltype(dot);
                                    if constexpr (!Dot4Bytes::isSigned) // each byte of a query is 128 too many
                                      dot = sub(dot, mul(load<I>(sums + j), splat<I>(128)));
                                    return scored(dot, i, j);
                                  });
        return;
      }
    if (shape.hasMany(R))
      gemmRows<R, NR>(block, qPitch, Fixed<1>{}, room, count, c, pitch, rows, here, shape.depth, scored);
    else
      gemmDots(block, qPitch, keys, shape.kPitch, c, pitch, rows, here, shape.depth, scored);
  }
};

} // namespace
} // namespace sinter
