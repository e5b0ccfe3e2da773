// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution with lanes along rows, for planar tensors (NCHW and the like, any number of spatial dims) that conv.h and
// conv_planar.h do not take: volumes, groups with few filters, filters made at run time, integers.
//
// A tile of F filters by NV vectors of a row stays in registers over all channels and taps.
#pragma once

#include "templates/direct/conv_direct.h"

namespace sinter {
namespace {

/// body(offset in a channel, row of taps) for the rows of taps that lie in the image, axes d .. D - 2.
template <int D, int d, class Body>
SINTER_INLINE void tapRows(const ConvDirectShape<D> &s, const int64_t *position, int64_t offset, int64_t row,
                           Body body) {
  if constexpr (d + 1 >= D) {
    body(offset, row);
  } else {
    const ConvAxis &axis = s.axes[d];
    for (int64_t tap = 0; tap < axis.kernel; ++tap) {
      const int64_t x = position[d] * axis.stride - axis.pad + tap * axis.dilation;
      if (x >= 0 && x < axis.in)
        tapRows<D, d + 1>(s, position, offset + x * axis.inStep, row * axis.kernel + tap, body);
    }
  }
}

/// Some taps of a row of one channel: where the first output of a tile reads the first, and its weight, as offsets.
struct RowSegment {
  int64_t a, w;
};
constexpr int64_t kRowSegments = 256;
/// How segments go on: from tap to tap, from output to output, from filter to filter.
struct RowSteps {
  int64_t taps, dilation, stride, filter, inputZero, filterZero;
};

/// Sums of F filters at NV vectors of outputs over a list of segments; added to `out` where there are `more`. kUnit:
/// the stride is 1.
template <int F, int NV, bool kUnit, class V, class TA, class TB>
void rowSegments(const TA *in, const TB *weights, const RowSegment *segments, int64_t count, const RowSteps &steps,
                 bool more, V *out) {
  using S = ElementOf<V>;
  constexpr int lanes = kLanesOf<V>;
  const int64_t stride = kUnit ? 1 : steps.stride, dilation = steps.dilation, filter = steps.filter;
  V acc[F][NV] = {};
  for (const RowSegment *segment = segments; segment != segments + count; ++segment) {
    const TA *a = in + segment->a;
    for (const TB *w = weights + segment->w, *end = w + steps.taps; w != end; ++w, a += dilation) {
      V value[NV];
      SINTER_UNROLL
      for (int j = 0; j < NV; ++j) {
        value[j] = kUnit ? load<V>(a + j * lanes) : loadStrided<V>(a + j * lanes * stride, stride);
        if constexpr (!kIsFloat<S>)
          value[j] = sub(value[j], splat<V>(S(steps.inputZero)));
      }
      SINTER_UNROLL
      for (int i = 0; i < F; ++i) {
        const V weight = splat<V>(lessZero<S>(w[i * filter], steps.filterZero));
        SINTER_UNROLL
        for (int j = 0; j < NV; ++j)
          acc[i][j] = multiplyAdd(weight, value[j], acc[i][j]);
      }
    }
  }
  SINTER_UNROLL
  for (int i = 0; i < F; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      out[i * NV + j] = more ? add(out[i * NV + j], acc[i][j]) : acc[i][j];
  }
}

/// So many filters are summed up together at most.
constexpr int kRowFilters = 6;

/// The rows of taps that the outputs of a row meet, of all channels, as segments at the row's begin.
template <int D>
struct RowList {
  const ConvDirectShape<D> &s;
  int64_t channels, taps;
  const int64_t *position;
  int64_t size = 0;
  bool isWhole = true; ///< whether there are no more than these
  RowSegment segments[kRowSegments];
  SINTER_INLINE_MEMBER RowList(const ConvDirectShape<D> &s, int64_t channels, int64_t taps, const int64_t *position)
      : s(s), channels(channels), taps(taps), position(position) {}

  /// flush() whenever the list is full, and at its end unless that is the first time.
  template <class Flush>
  SINTER_INLINE_MEMBER void fill(Flush flush) {
    for (int64_t c = 0; c < channels; ++c)
      tapRows<D, 0>(s, position, 0, 0, [&](int64_t offset, int64_t tapRow) {
        if (size == kRowSegments) {
          flush();
          size = 0;
          isWhole = false;
        }
        segments[size++] = {c * s.in.plane + offset, c * taps + tapRow * s.axes[D - 1].kernel};
      });
    if (!isWhole)
      flush();
  }
};

/// Sums of `filters` filters at NV vectors of outputs from x0 on, over a list of rows of taps. At the ends of a row,
/// what lies in it and the zeros behind are copied first: many rows before any is read, since what was just written
/// piecewise is slow to read.
template <TileSizes kSizes, int NV, class V, int D, class TA, class TB>
void convRowTile(const ConvDirectShape<D> &s, const TA *in, const TB *weights, const RowSegment *rows, int64_t count,
                 int64_t perFilter, int64_t filters, int64_t x0, bool more, V *sums) {
  constexpr int64_t outputs = NV * kLanesOf<V>, room = 2048;
  const ConvAxis &axis = s.axes[D - 1];
  const int64_t x = x0 * axis.stride - axis.pad, lastTap = (axis.kernel - 1) * axis.dilation;
  RowSteps steps = {axis.kernel, axis.dilation, axis.stride, perFilter, int64_t(s.inputZero), int64_t(s.filterZero)};
  const auto sum = [&](const TA *from, const RowSegment *segments, int64_t size) {
    withRows<kSizes>(filters, [&](auto fixed) {
      constexpr int F = int(decltype(fixed)::value);
      if (steps.stride == 1)
        rowSegments<F, NV, true>(from, weights, segments, size, steps, more, sums);
      else
        rowSegments<F, NV, false>(from, weights, segments, size, steps, more, sums);
    });
    more = true;
  };
  if (x >= 0 && x + (outputs - 1) * axis.stride + lastTap < axis.in) {
    sum(in + x, rows, count);
    return;
  }
  // All taps of a row together, or each by itself: where its outputs are not adjacent, they are in the copy.
  const bool together = axis.stride == 1 && outputs + lastTap <= room / 8;
  const int64_t span = together ? outputs + lastTap : outputs;
  steps.taps = together ? axis.kernel : 1;
  steps.stride = 1;
  TA outside{};
  if constexpr (!kIsFloat<ElementOf<V>>)
    outside = TA(s.inputZero);
  TA copies[room];
  RowSegment segments[room / outputs];
  int64_t size = 0;
  for (const RowSegment *row = rows; row != rows + count; ++row)
    for (int64_t kw = 0; kw < axis.kernel; kw += steps.taps) {
      if ((size + 1) * span > room) {
        sum(&copies[0], &segments[0], size);
        size = 0;
      }
      TA *copy = &copies[size * span];
      for (int64_t i = 0, at = x + kw * axis.dilation; i < span; ++i, at += axis.stride)
        copy[i] = at >= 0 && at < axis.in ? in[row->a + at] : outside;
      segments[size] = {size * span, row->w + kw};
      ++size;
    }
  sum(&copies[0], &segments[0], size);
}

/// Channels `plane` apart, neighbours of the last axis adjacent in input and output. Weights
/// [filter][channel][taps...]. S sums up; kSizes: of the tiles into which a group's filters fall. `epilogue(v, n,
/// filter, positions...)`. Only output rows firstRow .. lastRow - 1, counted over all axes but the last one. No
/// scratch, no alignment.
template <class S, TileSizes kSizes = kTileSizes<kRowFilters, int64_t>, int D, class TA, class TB, class TC,
          class Epilogue>
void convRows(const ConvDirectShape<D> &s, const TA *in, const TB *weights, TC *out, int64_t firstRow, int64_t lastRow,
              Epilogue epilogue) {
  using V = Vec<S, kLanes<S>>;
  constexpr int lanes = kLanesOf<V>;
  constexpr int wide = SINTER_VECTOR_BYTES == 32 ? 2 : 4;
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  int64_t taps = 1;
  for (const ConvAxis &axis : s.axes)
    taps *= axis.kernel;
  const int64_t width = s.axes[D - 1].out;
  const auto some = [&](int64_t n, int64_t group, int64_t count, int64_t k) {
    const TA *image = in + n * s.in.batch + group * channels * s.in.plane;
    const TB *w = weights + k * channels * taps;
    for (int64_t i = firstRow; i < lastRow; ++i) {
      int64_t position[D] = {};
      int64_t rest = i, at = n * s.out.batch + k * s.out.plane;
      for (int d = D - 1; d-- > 0; rest /= s.axes[d].out) {
        position[d] = rest % s.axes[d].out;
        at += position[d] * s.axes[d].outStep;
      }
      RowList<D> list(s, channels, taps, &position[0]);
      list.fill([] {});
      for (int64_t x = 0; x < width;) {
        const int64_t vectors = width - x >= wide * lanes ? wide : 1;
        V sums[kRowFilters * wide];
        bool more = false;
        const auto tile = [&](const RowList<D> &some) {
          if (vectors == wide)
            convRowTile<kSizes, wide>(s, image, w, &some.segments[0], some.size, channels * taps, count, x, more,
                                      &sums[0]);
          else
            convRowTile<kSizes, 1>(s, image, w, &some.segments[0], some.size, channels * taps, count, x, more,
                                   &sums[0]);
          more = true;
        };
        if (list.isWhole) {
          tile(list);
        } else {
          RowList<D> part(s, channels, taps, &position[0]);
          part.fill([&] { tile(part); });
        }
        const auto write = [&](auto v, int64_t filter, int64_t where) {
          TC *result = out + at + filter * s.out.plane + where;
          if constexpr (D == 1)
            store(result, epilogue(v, n, k + filter, where));
          else if constexpr (D == 2)
            store(result, epilogue(v, n, k + filter, position[0], where));
          else
            store(result, epilogue(v, n, k + filter, position[0], position[1], where));
        };
        for (int64_t f = 0; f < count; ++f)
          for (int64_t j = 0; j < vectors; ++j) {
            const V v = sums[f * vectors + j];
            const int64_t where = x + j * lanes;
            if (where + lanes <= width) {
              write(v, f, where);
            } else if constexpr (lanes > 1) {
              S one[lanes];
              memcpy(&one, &v, sizeof(one));
              forRest<S, lanes>(where, width, [&](auto tag, int64_t x1) {
                write(load<typename decltype(tag)::Type>(&one[x1 - where]), f, x1);
              });
            }
          }
        x += vectors * lanes;
      }
    }
  };
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t group = 0; group < s.groups; ++group)
      rowTiles<kRowFilters>(filters,
                            [&](int64_t count, int64_t first) { some(n, group, count, group * filters + first); });
}

/// The same for single taps at each element, of planes without gaps: a channel is one row, however short its own rows
/// are. The epilogue sees all elements of a plane as one row, too.
template <class S, TileSizes kSizes = kTileSizes<kRowFilters, int64_t>, int D, class TA, class TB, class TC,
          class Epilogue>
void convPoints(const ConvDirectShape<D> &s, const TA *in, const TB *weights, TC *out, int64_t firstRow,
                int64_t lastRow, Epilogue epilogue) {
  const int64_t width = s.axes[D - 1].out, begin = firstRow * width, places = (lastRow - firstRow) * width;
  const ConvDirectShape<1> row = {
      s.batch,     s.channels,  s.filters, s.groups, s.in, s.out, {{places, places, 1, 1, 1, 0, 1, 1}},
      s.inputZero, s.filterZero};
  const auto atPlace = [epilogue, begin](auto v, int64_t n, int64_t filter, int64_t place) {
    if constexpr (D == 1)
      return epilogue(v, n, filter, begin + place);
    else if constexpr (D == 2)
      return epilogue(v, n, filter, int64_t(0), begin + place);
    else
      return epilogue(v, n, filter, int64_t(0), int64_t(0), begin + place);
  };
  convRows<S, kSizes>(row, in + begin, weights, out + begin, 0, 1, atPlace);
}

} // namespace
} // namespace sinter
