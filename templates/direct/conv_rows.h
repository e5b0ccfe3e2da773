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

/// Elements x, x + stride, ... of a row of `size`, `outside` where they are not in it.
template <class V, class T>
SINTER_INLINE V loadClipped(const T *row, int64_t x, int64_t stride, int64_t size, T outside) {
  T lanes[kLanesOf<V>];
  for (int i = 0; i < kLanesOf<V>; ++i) {
    const int64_t at = x + i * stride;
    lanes[i] = at >= 0 && at < size ? row[at] : outside;
  }
  return load<V>(&lanes[0]);
}

/// Sums of filters k .. k + F - 1 at NV vectors of outputs from x0 on.
template <int F, int NV, class V, int D, class TA, class TB>
void convRowTile(const ConvDirectShape<D> &s, const TA *in, const TB *weights, int64_t channels, int64_t taps,
                 const int64_t *position, int64_t x0, V *out) {
  using S = ElementOf<V>;
  constexpr int lanes = kLanesOf<V>;
  const ConvAxis &axis = s.axes[D - 1];
  V acc[F][NV] = {};
  TA outside{};
  if constexpr (!kIsFloat<S>)
    outside = TA(s.inputZero);
  const auto centered = [&](V v) {
    if constexpr (kIsFloat<S>)
      return v;
    else
      return sub(v, splat<V>(S(s.inputZero)));
  };
  for (int64_t c = 0; c < channels; ++c)
    tapRows<D, 0>(s, position, 0, 0, [&](int64_t offset, int64_t tapRow) {
      const TA *row = in + c * s.in.plane + offset;
      const TB *w = weights + c * taps + tapRow * axis.kernel;
      for (int64_t kw = 0; kw < axis.kernel; ++kw) {
        const int64_t x = x0 * axis.stride - axis.pad + kw * axis.dilation;
        V value[NV];
        const bool inside = x >= 0 && x + (NV * lanes - 1) * axis.stride < axis.in;
        if (inside && axis.stride == 1) {
          SINTER_UNROLL
          for (int j = 0; j < NV; ++j)
            value[j] = centered(load<V>(row + x + j * lanes));
        } else {
          for (int j = 0; j < NV; ++j)
            value[j] =
                centered(inside ? loadStrided<V>(row + x + j * lanes * axis.stride, axis.stride)
                                : loadClipped<V>(row, x + j * lanes * axis.stride, axis.stride, axis.in, outside));
        }
        SINTER_UNROLL
        for (int i = 0; i < F; ++i) {
          const V weight = splat<V>(lessZero<S>(w[i * channels * taps + kw], s.filterZero));
          SINTER_UNROLL
          for (int j = 0; j < NV; ++j)
            acc[i][j] = multiplyAdd(weight, value[j], acc[i][j]);
        }
      }
    });
  SINTER_UNROLL
  for (int i = 0; i < F; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j)
      out[i * NV + j] = acc[i][j];
  }
}

/// Channels `plane` apart, neighbours of the last axis adjacent in input and output. Weights
/// [filter][channel][taps...]. S sums up; `epilogue(v, n, filter, positions...)`. No scratch, no alignment.
template <class S, int D, class TA, class TB, class TC, class Epilogue>
void convRows(const ConvDirectShape<D> &s, const TA *in, const TB *weights, TC *out, Epilogue epilogue) {
  using V = Vec<S, kLanes<S>>;
  constexpr int lanes = kLanesOf<V>;
  constexpr int many = 4, wide = SINTER_VECTOR_BYTES == 32 ? 2 : 4;
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  int64_t rows = 1, taps = s.axes[D - 1].kernel;
  for (int d = 0; d < D - 1; ++d) {
    rows *= s.axes[d].out;
    taps *= s.axes[d].kernel;
  }
  const int64_t width = s.axes[D - 1].out;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t k = 0; k < s.filters;) {
      const int64_t group = k / filters;
      const int64_t count = (group + 1) * filters - k >= many ? many : 1;
      const TA *image = in + n * s.in.batch + group * channels * s.in.plane;
      const TB *w = weights + k * channels * taps;
      for (int64_t i = 0; i < rows; ++i) {
        int64_t position[D] = {};
        int64_t rest = i, at = n * s.out.batch + k * s.out.plane;
        for (int d = D - 1; d-- > 0; rest /= s.axes[d].out) {
          position[d] = rest % s.axes[d].out;
          at += position[d] * s.axes[d].outStep;
        }
        for (int64_t x = 0; x < width;) {
          const int64_t vectors = width - x >= wide * lanes ? wide : 1;
          V sums[many * wide];
          if (count == many && vectors == wide)
            convRowTile<many, wide>(s, image, w, channels, taps, position, x, &sums[0]);
          else if (count == many)
            convRowTile<many, 1>(s, image, w, channels, taps, position, x, &sums[0]);
          else if (vectors == wide)
            convRowTile<1, wide>(s, image, w, channels, taps, position, x, &sums[0]);
          else
            convRowTile<1, 1>(s, image, w, channels, taps, position, x, &sums[0]);
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
      k += count;
    }
}

} // namespace
} // namespace sinter
