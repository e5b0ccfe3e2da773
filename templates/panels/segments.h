// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile over a list of segments: sums stay in registers while the rows of A jump from tap to tap and from
// channel block to channel block. conv.h writes the lists.
#pragma once

#include "templates/panels/tile.h"

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
/// The same with up to R rows of A anywhere: over the border, or from several rows of an image.
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
  Sums<R, NV, V> sums;
  sums.start();
  int64_t room = kSumDepth;
  for (const Segment *s = segments; s != segments + count; ++s) {
    const auto *b = s->b;
    const int64_t k = s->k;
    for (int64_t p = 0; p < k;) {
      const int64_t stop = k - p < room ? k : p + room;
      room -= stop - p;
      for (; p < stop; ++p) {
        sums.add([&](int i) { return s->row(i, stride)[p * step]; }, b, ahead);
        b += NV * kLanesOf<V>;
        ahead += 64;
      }
      if (room == 0) {
        sums.end(out, more);
        sums.start();
        more = true;
        room = kSumDepth;
      }
    }
  }
  sums.end(out, more);
}
/// The same for a run-time number of rows, one of kSizes.
template <TileSizes kSizes, int NV, class V, class Segment>
void rankSegmentsOf(int64_t rows, const Segment *segments, int64_t count, int64_t stride, int64_t step,
                    const char *ahead, bool more, V *out) {
  withRows<kSizes>(rows, [&](auto fixed) {
    rankSegments<int(decltype(fixed)::value), NV>(segments, count, stride, step, ahead, more, out);
  });
}

/// Zeros to point to where a row lies outside of the image: as long as a gathered segment may be.
constexpr int64_t kZeroRun = 64;
template <class T>
struct ZeroRow {
  static constexpr T values[kZeroRun] = {};
};

/// A short list that runs the tile when it is full.
template <TileSizes kSizes, int NV, class V, class Segment, int kCapacity>
struct SegmentList {
  int64_t rows, stride, step;
  const char *ahead;
  bool *more;
  V *sums;
  int64_t size = 0;
  Segment items[kCapacity];

  SINTER_INLINE_MEMBER SegmentList(int64_t rows, int64_t stride, int64_t step, const char *ahead, bool *more, V *sums)
      : rows(rows), stride(stride), step(step), ahead(ahead), more(more), sums(sums) {}
  /// One copy for all kernels with these tiles.
  SINTER_NOINLINE void flush() {
    if (size > 0) {
      rankSegmentsOf<kSizes, NV>(rows, &items[0], size, stride, step, ahead, *more, sums);
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
