// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantized averages (quantized_average.h) of planes by vectors: lanes along the bytes of a window where sums are
// integers, whose order is free; along the outputs of a row where these are float's; and where a row has few, windows
// of as many channels side by side, each a chain of additions that waits for itself.
#pragma once

#include "templates/loops/gather.h"
#include "templates/loops/lanes.h"
#include "templates/pool/quantized_average.h"

namespace sinter {
namespace {

/// The sum of `count` bytes: 16-bit lanes hold 128 of them.
template <class X>
SINTER_HOST_DEVICE int32_t byteSum(const X *from, int64_t count) {
  constexpr int lanes = kLanes<Like<X, int16_t>>;
  using V = Vec<int16_t, lanes>;
  int32_t total = 0;
  const int64_t whole = count - count % lanes;
  for (int64_t i = 0; i < whole;) {
    const int64_t end = whole - i < 128 * lanes ? whole : i + 128 * lanes;
    V some{};
    for (; i < end; i += lanes)
      some += load<V>(from + i);
    Vec<int16_t, lanes / 2> halves[2];
    SINTER_COPY(&halves, &some, sizeof(some));
    for (const auto half : halves)
      total = add(total, sum(rawConvert<Vec<int32_t, lanes / 2>>(half)));
  }
  forRest<int16_t, lanes>(whole, count, [&](auto tag, int64_t i) {
    total = add(total, sum(load<Like<typename decltype(tag)::Type, int32_t>>(from + i)));
  });
  return total;
}

/// The taps of window o that lie inside: where the first one lies, and how many they are.
struct TapsInside {
  int64_t place, count;
};
SINTER_INLINE TapsInside tapsOfWindow(const PoolAxis &axis, int64_t o) {
  int64_t first = 0, last = axis.kernel;
  while (first < last && axis.place(o, first) < 0)
    ++first;
  while (first < last && axis.place(o, last - 1) >= axis.in)
    --last;
  return {axis.place(o, first), last - first};
}

/// Planes with integer sums, where neighbours in a row are adjacent and so are taps.
template <class P, class X, class Y>
SINTER_HOST_DEVICE void quantizedPlanesByBytes(const QuantizedAverage<P> &average, const PoolAxis (&a)[3],
                                               const X *from, int64_t plane, Y *to, int64_t outPlane,
                                               int64_t channels) {
  for (int64_t oz = 0; oz < a[0].out; ++oz)
    for (int64_t oy = 0; oy < a[1].out; ++oy)
      for (int64_t ox = 0; ox < a[2].out; ++ox) {
        const TapsInside z = tapsOfWindow(a[0], oz), y = tapsOfWindow(a[1], oy), x = tapsOfWindow(a[2], ox);
        const bool isOneRun = x.count == a[2].in && a[1].inStride == x.count && a[1].dilation == 1;
        const int64_t runs = isOneRun ? 1 : y.count, length = isOneRun ? y.count * x.count : x.count;
        const int64_t row = a[1].dilation * a[1].inStride, slice = a[0].dilation * a[0].inStride;
        const int32_t zeros = mul(average.zero, int32_t(z.count * y.count * x.count));
        const int64_t count = average.rowsOfWindow(a, oz, oy) * average.columnsOfWindow(a, ox);
        const X *at = from + z.place * a[0].inStride + y.place * a[1].inStride + x.place;
        Y *result = to + oz * a[0].outStride + oy * a[1].outStride + ox * a[2].outStride;
        for (int64_t c = 0; c < channels; ++c, at += plane, result += outPlane) {
          int32_t total = 0;
          for (int64_t kz = 0; kz < z.count; ++kz)
            for (int64_t run = 0; run < runs; ++run)
              total = add(total, byteSum(at + kz * slice + run * row, length));
          *result = average.template finish<Y>(sub(total, zeros), count);
        }
      }
}

/// One row of outputs of one plane in float, lanes along it. `step`: elements from window to window.
template <class P, class X, class Y>
SINTER_HOST_DEVICE void quantizedRow(const QuantizedAverage<P> &average, const PoolAxis (&a)[3], int64_t oz, int64_t oy,
                                     const X *from, Y *to) {
  const int64_t rows = average.rowsOfWindow(a, oz, oy), step = a[2].stride * a[2].inStride;
  // Windows first to last - 1 lie inside of the row with all of their columns.
  int64_t first = a[2].first(0), last = a[2].last(a[2].kernel - 1);
  first = first < a[2].out ? first : a[2].out;
  last = last > first ? last : first;
  const auto some = [&](int64_t ox, int64_t end) {
    for (; ox < end; ++ox) {
      float sums[1];
      averageSums(average, a, oz, oy, ox, from, sums);
      to[ox * a[2].outStride] = average.template finish<Y>(sums[0], rows * average.columnsOfWindow(a, ox));
    }
  };
  some(0, first);
  const int64_t count = first < last ? rows * average.columnsOfWindow(a, first) : 0;
  const auto vector = [&](auto tag, int64_t ox) SINTER_INLINE_LAMBDA {
    using V = typename decltype(tag)::Type;
    using I = Like<V, int32_t>;
    const int64_t behind = a[2].place(ox, a[2].kernel - 1) + 2 * kLanesOf<V>;
    const bool isEven = step == 2 && behind <= a[2].in; // reads the element behind, too
    V sums{};
    forEachTapInside(a, oz, oy, ox, [&](int64_t offset) SINTER_INLINE_LAMBDA {
      const X *at = from + offset;
      const I x = step == 1 ? load<I>(at)
                  : isEven  ? loadEven<I>(at)
                            : ofLanes<I>([&](int64_t lane) SINTER_INLINE_LAMBDA { return int32_t(at[lane * step]); });
      sums = sums + average.template term<V>(x);
    });
    const Like<V, Y> result = average.template finish<Y>(sums, count);
    if (a[2].outStride == 1)
      store(to + ox, result);
    else
      storeStrided(to + ox * a[2].outStride, a[2].outStride, result);
  };
  constexpr int lanes = kLanes<float>;
  if (last - first >= lanes) { // what is left is made with some that the vector before it has, too
    for (int64_t ox = first; ox + lanes <= last; ox += lanes)
      vector(Tag<Vec<float, lanes>>{}, ox);
    if ((last - first) % lanes)
      vector(Tag<Vec<float, lanes>>{}, last - lanes);
  } else {
    forRest<float, lanes>(first, last, vector);
  }
  some(last, a[2].out);
}

/// kPlanes planes in float, side by side. terms[x]: what the bits of an element add.
template <int kPlanes, class P, class X, class Y>
SINTER_HOST_DEVICE void quantizedPlanesAbreast(const QuantizedAverage<P> &average, const PoolAxis (&a)[3],
                                               const float *terms, const X *from, int64_t plane, Y *to,
                                               int64_t outPlane) {
  for (int64_t oz = 0; oz < a[0].out; ++oz)
    for (int64_t oy = 0; oy < a[1].out; ++oy)
      for (int64_t ox = 0; ox < a[2].out; ++ox) {
        float sums[kPlanes];
        SINTER_UNROLL
        for (int i = 0; i < kPlanes; ++i)
          sums[i] = 0;
        forEachTapInside(a, oz, oy, ox, [&](int64_t offset) SINTER_INLINE_LAMBDA {
          SINTER_UNROLL
          for (int i = 0; i < kPlanes; ++i)
            sums[i] += terms[uint8_t(from[offset + i * plane])];
        });
        const int64_t count = average.rowsOfWindow(a, oz, oy) * average.columnsOfWindow(a, ox);
        Y *result = to + oz * a[0].outStride + oy * a[1].outStride + ox * a[2].outStride;
        for (int i = 0; i < kPlanes; ++i)
          result[i * outPlane] = average.template finish<Y>(sums[i], count);
      }
}

/// The planes of one image, `plane` apart; how many of `channels` are done.
template <class P, class X, class Y>
SINTER_HOST_DEVICE int64_t quantizedPlanes(const P &p, const PoolAxis (&a)[3], const X *from, int64_t plane, Y *to,
                                           int64_t outPlane, int64_t channels) {
  const QuantizedAverage<P> average(p);
  if (p.integer_sums) {
    if (a[2].inStride != 1 || a[2].dilation != 1)
      return 0;
    quantizedPlanesByBytes(average, a, from, plane, to, outPlane, channels);
    return channels;
  }
  if (a[2].last(a[2].kernel - 1) - a[2].first(0) >= 4) {
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t oz = 0; oz < a[0].out; ++oz)
        for (int64_t oy = 0; oy < a[1].out; ++oy)
          quantizedRow(average, a, oz, oy, from + c * plane,
                       to + c * outPlane + oz * a[0].outStride + oy * a[1].outStride);
    return channels;
  }
  constexpr int abreast = 8;
  if (channels < abreast || channels * a[0].kernel * a[1].kernel * a[2].kernel < 1024)
    return 0;
  float terms[256];
  forLanes<float>(0, 256, [&](auto tag, int64_t bits) {
    using V = typename decltype(tag)::Type;
    const auto x = iota<Like<V, int32_t>>(int32_t(kIsSigned<X> && bits >= 128 ? bits - 256 : bits));
    store(&terms[bits], average.template term<V>(x));
  });
  int64_t c = 0;
  for (; c + abreast <= channels; c += abreast)
    quantizedPlanesAbreast<abreast>(average, a, &terms[0], from + c * plane, plane, to + c * outPlane, outPlane);
  return c;
}

} // namespace
} // namespace sinter
