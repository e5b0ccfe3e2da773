// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile over a list of segments: sums stay in registers while the rows of A jump from tap to tap and from
// channel block to channel block. conv.h writes the lists.
#pragma once

#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// `pieces` times k steps of the sum: row i of A starts at a + i * stride, each piece of it `apart` elements behind the
/// one before; B's rows follow each other at b.
template <class TA, class TB>
struct Segment {
  const TA *a;
  const TB *b;
  int64_t k, pieces, apart; // no values of their own: lists of these are left as they are
};
/// The same with up to R rows of A anywhere: over the border, or from several rows of an image. Each has a distance
/// between its pieces of its own: none where it is zeros.
template <class TA, class TB, int R>
struct GatheredSegment {
  const TA *rows[R];
  int64_t apart[R];
  const TB *b;
  int64_t k, pieces;
};

/// Where rows of a segment stand. A pointer for three of them, which the addresses of loads can all be made of: with
/// one for all, additions would take the places of multiply-adds.
template <int R, class TA>
struct RowCursor {
  static constexpr int kPointers = (R + 2) / 3, kTogether = kLanes<float> > 1 ? 4 : 1;
  const TA *at[kPointers];
  int64_t stride;
  template <class TB>
  SINTER_INLINE_MEMBER RowCursor(const Segment<TA, TB> &segment, int64_t stride) : stride(stride) {
    SINTER_UNROLL
    for (int i = 0; i < kPointers; ++i)
      at[i] = segment.a + 3 * i * stride;
  }
  SINTER_INLINE_MEMBER const TA *row(int i) const { return at[i / 3] + i % 3 * stride; }
  SINTER_INLINE_MEMBER void advance(int64_t elements) {
    SINTER_UNROLL
    for (int i = 0; i < kPointers; ++i)
      at[i] += elements;
  }
  /// Behind the last of a piece's `elements`.
  template <class Segment>
  SINTER_INLINE_MEMBER void endPiece(const Segment &segment, int64_t elements) {
    advance(segment.apart - elements);
  }
  /// Without a branch: pieces may be as short as these elements.
  template <class Segment>
  SINTER_INLINE_MEMBER void advanceWithin(const Segment &segment, int64_t elements, bool endsPiece) {
    const int64_t between = segment.apart - segment.k;
    advance(elements + (endsPiece ? between : 0));
  }
};
/// Of gathered ones.
template <int R, class TA>
struct GatheredCursor {
  static constexpr int kTogether = 1;
  const TA *rows[R];
  const int64_t *apart;
  int64_t at = 0;
  template <class Segment>
  SINTER_INLINE_MEMBER GatheredCursor(const Segment &segment, int64_t) : apart(&segment.apart[0]) {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i)
      rows[i] = segment.rows[i];
  }
  SINTER_INLINE_MEMBER const TA *row(int i) const { return rows[i] + at; }
  SINTER_INLINE_MEMBER void advance(int64_t elements) { at += elements; }
  template <class Segment>
  SINTER_INLINE_MEMBER void endPiece(const Segment &, int64_t) {
    at = 0;
    SINTER_UNROLL
    for (int i = 0; i < R; ++i)
      rows[i] += apart[i];
  }
  template <class Segment>
  SINTER_INLINE_MEMBER void advanceWithin(const Segment &segment, int64_t elements, bool endsPiece) {
    advance(elements);
    if (endsPiece)
      endPiece(segment, 0);
  }
};
template <int R, class TA, class TB>
SINTER_INLINE RowCursor<R, TA> cursorOf(const Segment<TA, TB> &segment, int64_t stride) {
  return {segment, stride};
}
template <int R, class TA, class TB, int kMost>
SINTER_INLINE GatheredCursor<R, TA> cursorOf(const GatheredSegment<TA, TB, kMost> &segment, int64_t stride) {
  return {segment, stride};
}

template <class Pointer>
struct RowElementOf;
template <class T>
struct RowElementOf<const T *> {
  using Type = T;
};
template <class Pointer>
using RowElement = typename RowElementOf<Pointer>::Type;

/// Sums of up to `depth` steps of segments, which then go to `out`: = at first unless `more`, += from then on.
template <int R, int NV, class V>
struct SegmentSums {
  static constexpr int columns = NV * kLanesOf<V>;
  V *out;
  Ahead ahead;
  bool more;
  int64_t depth, room;
  Sums<R, NV, V> sums;

  SINTER_INLINE_MEMBER SegmentSums(V *out, Ahead ahead, bool more, int64_t depth)
      : out(out), ahead(ahead), more(more), depth(depth), room(depth) {
    sums.start();
  }
  /// One step, the q-th of a vector: elements a(i) of the rows times the row of B at b.
  template <int64_t q = 0, class A, class TB>
  SINTER_INLINE_MEMBER void add(A a, const TB *b) {
    constexpr int64_t ofStep = kAheadOfStep<columns, TB>;
    sums.template add<kAsksAt<q, ofStep>>(a, b, ahead.at);
    ahead.at += ahead.step;
  }
  /// Behind some steps, as many as `room` has been taken down by.
  SINTER_INLINE_MEMBER void endWhenFull() {
    if (room == 0) {
      sums.end(out, more);
      sums.start();
      more = true;
      room = depth;
    }
  }
};

/// A segment whose pieces are whole vectors, by one loop over all of these: pieces may be as short as a block of
/// channels.
template <int R, class Sums, class Rows, class Segment, class Cursor>
SINTER_INLINE void addVectorsOfRows(Sums &sums, Rows &rows, const Segment &segment, Cursor &cursor) {
  const auto *b = segment.b;
  const int64_t ofPiece = segment.k / rows.steps;
  int64_t left = ofPiece * segment.pieces, leftOfPiece = ofPiece;
  while (left > 0) {
    int64_t vectors = left < sums.room / rows.steps ? left : sums.room / rows.steps;
    left -= vectors;
    sums.room -= vectors * rows.steps;
    for (; vectors > 0; --vectors) {
      rows.read([&](int i) SINTER_INLINE_LAMBDA { return cursor.row(i); });
      rows.forSteps([&](auto element, auto q) SINTER_INLINE_LAMBDA {
        sums.template add<q>(element, b);
        b += sums.columns;
      });
      const bool isLast = --leftOfPiece == 0;
      cursor.advanceWithin(segment, rows.steps, isLast);
      leftOfPiece = isLast ? ofPiece : leftOfPiece;
    }
    sums.endWhenFull();
  }
}

/// out[R][NV] = the sum over all segments, or += where `more`. Element p of a row lies p * step behind its start.
/// One copy serves all kernels of a model that have this tile.
template <int R, int NV, class V, class Segment, class Step>
void rankSegments(const Segment *segments, int64_t count, int64_t stride, Step step, Ahead ahead, bool more, V *out,
                  int64_t depth = kSumDepth) {
  using TA = RowElement<decltype(cursorOf<R>(*segments, stride).row(0))>;
  SegmentSums<R, NV, V> sums{out, ahead, more, depth};
  for (const Segment *s = segments; s != segments + count; ++s) {
    auto cursor = cursorOf<R>(*s, stride);
    if constexpr (kReadsVectors<V, TA, Step>) {
      RowVectors<R, V> rows;
      if (s->k % rows.steps == 0 && sums.room % rows.steps == 0) {
        addVectorsOfRows<R>(sums, rows, *s, cursor);
        continue;
      }
    }
    const auto *b = s->b;
    constexpr int together = kReadsVectors<V, TA, Step> ? 1 : decltype(cursor)::kTogether;
    for (int64_t piece = 0; piece < s->pieces; ++piece) {
      for (int64_t k = s->k; k > 0;) {
        int64_t steps = k < sums.room ? k : sums.room;
        sums.room -= steps;
        k -= steps;
        const auto run = [&](auto fixed) SINTER_INLINE_LAMBDA {
          constexpr int count = int(decltype(fixed)::value);
          SINTER_UNROLL
          for (int q = 0; q < count; ++q)
            sums.add([&](int i) SINTER_INLINE_LAMBDA { return cursor.row(i)[q * step]; }, b + q * sums.columns);
          cursor.advance(count * step);
          b += count * sums.columns;
          steps -= count;
        };
        while (steps >= together)
          run(Fixed<together>{});
        if (together > 1 && steps > 0) {
          if (steps >= 2)
            run(Fixed<2>{});
          if (steps >= 1)
            run(Fixed<1>{});
        }
        sums.endWhenFull();
      }
      cursor.endPiece(*s, s->k * step);
    }
  }
  sums.sums.end(out, sums.more);
}
/// The same for a run-time number of rows, one of kSizes.
template <TileSizes kSizes, int NV, class V, class Segment, class Step>
void rankSegmentsOf(int64_t rows, const Segment *segments, int64_t count, int64_t stride, Step step, Ahead ahead,
                    bool more, V *out, int64_t depth = kSumDepth) {
  withRows<kSizes>(rows, [&](auto fixed) {
    rankSegments<int(decltype(fixed)::value), NV>(segments, count, stride, step, ahead, more, out, depth);
  });
}

/// Zeros to point to where a row lies outside of the image: as long as a gathered segment may be.
constexpr int64_t kZeroRun = 64;
template <class T>
struct ZeroRow {
  static constexpr T values[kZeroRun] = {};
};

/// The pixels of a tile as rows of A in one channel block after the other; those outside of the image are zeros in all
/// of them.
template <int R, class TA>
struct PixelRows {
  const TA *at[R];
  int64_t moves[R]; // a mask of offsets

  SINTER_INLINE_MEMBER PixelRows() {
    for (int i = 0; i < R; ++i) {
      at[i] = &ZeroRow<TA>::values[0];
      moves[i] = 0;
    }
  }
  SINTER_INLINE_MEMBER void set(int64_t i, const TA *pixel) {
    at[i] = pixel;
    moves[i] = -1;
  }
  /// `offset` elements behind the first channel, no more than kZeroRun from there on.
  SINTER_INLINE_MEMBER const TA *row(int i, int64_t offset) const { return at[i] + (offset & moves[i]); }
  /// As the rows of a segment that begins `offset` elements behind the first channel.
  template <class TB>
  SINTER_INLINE_MEMBER void fill(GatheredSegment<TA, TB, R> &segment, int64_t offset, const TB *b, int64_t k,
                                 int64_t pieces, int64_t apart) const {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      segment.rows[i] = row(i, offset);
      segment.apart[i] = apart & moves[i];
    }
    segment.b = b;
    segment.k = k;
    segment.pieces = pieces;
  }
};

/// A short list that runs the tile when it is full.
template <TileSizes kSizes, int NV, class V, class Segment, int kCapacity, class Step>
struct SegmentList {
  int64_t rows, stride;
  Step step;
  Ahead ahead;
  bool *more;
  V *sums;
  int64_t size = 0;
  Segment items[kCapacity];

  SINTER_INLINE_MEMBER SegmentList(int64_t rows, int64_t stride, Step step, Ahead ahead, bool *more, V *sums)
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
