// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums and products along an axis that may be run-time data. Half types accumulate in float, integers wrap.
// Where what lies behind the axis is contiguous, all of a row is added to the row before; each line is added up in the
// same order either way.
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/loops/lanes.h"
#include "templates/loops/odometer.h"

namespace sinter {
namespace {

struct CumulateParams {
  bool product;   ///< else sum
  bool exclusive; ///< without the element itself
  bool reverse;   ///< from the end
};

/// One line of n elements, stepIn and stepOut apart.
template <class V, class T>
SINTER_FUNCTION void cumulateLine(const CumulateParams &params, const T *in, T *out, int64_t n, int64_t stepIn,
                                  int64_t stepOut) {
  V sum = V(params.product ? 1 : 0);
  for (int64_t i = 0; i < n; ++i) {
    const V before = sum;
    const V element = convert<V>(*in);
    sum = params.product ? mul(sum, element) : add(sum, element);
    *out = convert<T>(params.exclusive ? before : sum);
    in += stepIn;
    out += stepOut;
  }
}

/// Lines side by side, `vectors` vectors W of them, whose sums stay in registers.
template <class W, int vectors, class T>
SINTER_INLINE void cumulateVectors(const CumulateParams &params, const T *in, T *out, int64_t n, int64_t stepIn,
                                   int64_t stepOut) {
  W sums[vectors];
  SINTER_UNROLL
  for (int v = 0; v < vectors; ++v)
    sums[v] = splat<W>(ElementOf<W>(params.product ? 1 : 0));
  for (int64_t i = 0; i < n; ++i, in += stepIn, out += stepOut) {
    SINTER_UNROLL
    for (int v = 0; v < vectors; ++v) {
      const W before = sums[v], element = load<W>(in + v * kLanesOf<W>);
      sums[v] = params.product ? W(mul(before, element)) : W(add(before, element));
      store(out + v * kLanesOf<W>, params.exclusive ? before : sums[v]);
    }
  }
}

/// `count` such lines.
template <class V, class T>
SINTER_FUNCTION void cumulateRows(const CumulateParams &params, const T *in, T *out, int64_t n, int64_t stepIn,
                                  int64_t stepOut, int64_t count) {
  constexpr int lanes = kLanes<V>, vectors = kVectorRegisters / 2; // the others hold elements
  int64_t first = 0;
  for (; first + vectors * lanes <= count; first += vectors * lanes)
    cumulateVectors<Vec<V, lanes>, vectors>(params, in + first, out + first, n, stepIn, stepOut);
  for (; first + 4 * lanes <= count; first += 4 * lanes)
    cumulateVectors<Vec<V, lanes>, 4>(params, in + first, out + first, n, stepIn, stepOut);
  forLanes<V>(first, count, [&](auto tag, int64_t j) {
    cumulateVectors<typename decltype(tag)::Type, 1>(params, in + j, out + j, n, stepIn, stepOut);
  });
}

/// How many elements behind `axis` lie one after the other.
template <class T, int Rank>
SINTER_FUNCTION int64_t contiguousBehind(const View<T, Rank> &view, int64_t axis) {
  int64_t run = 1;
  for (int d = Rank - 1; d > axis; --d) {
    if (view.sizes[d] != 1 && view.strides[d] != run)
      return 1;
    run *= view.sizes[d];
  }
  return run;
}

/// Status 5 when the axis is out of range.
template <class T, int Rank, class I, int AxisRank>
SINTER_FUNCTION int cumulate(const CumulateParams &params, View<const T, Rank> x, View<const I, AxisRank> axis,
                             View<T, Rank> y) {
  using V = typename IfType<kIsHalf<T>, float, T>::Type;
  int64_t along = static_cast<int64_t>(axis.data[0]);
  along += along < 0 ? Rank : 0;
  if (along < 0 || along >= Rank)
    return 5;
  if (elements(x) == 0)
    return 0;
  const int64_t n = x.sizes[along], sign = params.reverse ? -1 : 1, last = params.reverse ? n - 1 : 0;
  const int64_t stepIn = sign * x.strides[along], stepOut = sign * y.strides[along];
  const int64_t count = contiguousBehind(x, along);
  const bool byRows = count > 1 && contiguousBehind(y, along) == count;
  View<const T, Rank> starts = x; // where lines begin, or rows of them
  for (int64_t d = along + 1; byRows && d < Rank; ++d)
    starts.sizes[d] = 1;
  Odometer<Rank> line;
  do {
    const T *const in = line.start(x) + last * x.strides[along];
    T *const out = line.start(y) + last * y.strides[along];
    if (byRows)
      cumulateRows<V>(params, in, out, n, stepIn, stepOut, count);
    else
      cumulateLine<V>(params, in, out, n, stepIn, stepOut);
  } while (line.next(starts, along));
  return 0;
}

} // namespace
} // namespace sinter
