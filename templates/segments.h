// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile over a list of segments: sums stay in registers while the rows of A jump from tap to tap and from
// channel block to channel block. conv.h writes the lists.
#pragma once

#include "templates/tile.h"

namespace sinter {
namespace {

/// k steps of the sum: row i of A starts at a + i * stride, B's rows follow each other at b.
template <class TA, class TB>
struct Segment {
  const TA *a;
  const TB *b;
  int64_t k;
  SINTER_INLINE_MEMBER const TA *row(int i, int64_t stride) const { return a + i * stride; }
};
/// The same with rows of A anywhere: over the border, or from several rows of an image.
template <class TA, class TB, int R>
struct GatheredSegment {
  const TA *rows[R];
  const TB *b;
  int64_t k;
  SINTER_INLINE_MEMBER const TA *row(int i, int64_t) const { return rows[i]; }
};

/// out[R][NV] = the sum over all segments, or += where `more`. Element p of a row lies p * step behind its start.
/// One copy serves all kernels of a model that have this tile.
template <int R, int NV, class V, class Segment>
void rankSegments(const Segment *segments, int64_t count, int64_t stride, int64_t step, const char *ahead, bool more,
                  V *out) {
  using E = ElementOf<V>;
  constexpr int lanes = kLanesOf<V>;
  V acc[R][NV];
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      acc[i][j] = more ? out[i * NV + j] : V{};
  }
  for (const Segment *s = segments; s != segments + count; ++s) {
    const auto *b = s->b;
    const int64_t k = s->k;
    for (int64_t p = 0; p < k; ++p) {
      V w[NV];
      SINTER_UNROLL
      for (int j = 0; j < NV; ++j)
        w[j] = load<V>(b + j * lanes);
      b += NV * lanes;
      __builtin_prefetch(ahead, 0, 2);
      ahead += 64;
      SINTER_UNROLL
      for (int i = 0; i < R; ++i) {
        const V x = splat<V>(convert<E>(s->row(i, stride)[p * step]));
        SINTER_UNROLL
        for (int j = 0; j < NV; ++j)
          acc[i][j] = multiplyAdd(x, w[j], acc[i][j]);
      }
    }
  }
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      out[i * NV + j] = acc[i][j];
  }
}

/// Zeros to point to where a row lies outside of the image: as long as a gathered segment may be.
constexpr int64_t kZeroRun = 64;
template <class T>
struct ZeroRow {
  static constexpr T values[kZeroRun] = {};
};

/// A short list that runs the tile when it is full.
template <int R, int NV, class V, class Segment, int kCapacity>
struct SegmentList {
  Segment items[kCapacity];
  int64_t size;
  int64_t stride, step;
  const char *ahead;
  bool *more;
  V *sums;

  SINTER_INLINE_MEMBER void flush() {
    if (size > 0) {
      rankSegments<R, NV>(&items[0], size, stride, step, ahead, *more, sums);
      *more = true;
    }
    size = 0;
  }
  SINTER_INLINE_MEMBER Segment &next() {
    if (size == kCapacity)
      flush();
    return items[size++];
  }
};

} // namespace
} // namespace sinter
