// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums and products, a warp for each line along the axis, 32 elements of it at a time. The axis may be run-time
// data: so are the number of lines, which warps take in turns. Float sums of a line are added in another order than on
// CPUs, the same in every run.
#pragma once

#include "templates/cuda/warp_reduce.h"
#include "templates/linear_algebra/cumulate.h"

namespace sinter {
namespace {

/// `warp`: the number of this one, of `warps`.
template <class T, int Rank, class I, int AxisRank>
SINTER_DEVICE int cumulateLines(int64_t warp, int64_t warps, const CumulateParams &p, View<const T, Rank> x,
                                View<const I, AxisRank> axis, View<T, Rank> y) {
  using V = typename IfType<kIsHalf<T>, float, T>::Type;
  int64_t along = int64_t(axis.data[0]);
  along += along < 0 ? Rank : 0;
  if (along < 0 || along >= Rank)
    return 5;
  int64_t n = 0, stepIn = 0, stepOut = 0, lines = 1;
  for (int d = 0; d < Rank; ++d) {
    n = d == along ? x.sizes[d] : n;
    stepIn = d == along ? x.strides[d] : stepIn;
    stepOut = d == along ? y.strides[d] : stepOut;
    lines *= d == along ? 1 : x.sizes[d];
  }
  const V none = V(p.product ? 1 : 0);
  const auto merge = [&](V a, V b) { return p.product ? V(mul(a, b)) : V(add(a, b)); };
  for (int64_t line = warp; line < lines; line += warps) {
    const T *in = x.data;
    T *out = y.data;
    int64_t rest = line;
    for (int d = Rank; d-- > 0;)
      if (d != along) {
        in += rest % x.sizes[d] * x.strides[d];
        out += rest % x.sizes[d] * y.strides[d];
        rest /= x.sizes[d];
      }
    V before = none;
    for (int64_t first = 0; first < n; first += cuda::kWarp) {
      const int64_t i = first + cuda::laneIndex(), at = p.reverse ? n - 1 - i : i;
      const V upTo = merge(before, cuda::scanWarp(i < n ? convert<V>(in[at * stepIn]) : none, merge));
      const V earlier = cuda::valueOfLane(upTo, cuda::laneIndex() == 0 ? 0 : cuda::laneIndex() - 1);
      if (i < n)
        out[at * stepOut] = convert<T>(!p.exclusive ? upTo : cuda::laneIndex() == 0 ? before : earlier);
      before = cuda::valueOfLane(upTo, cuda::kWarp - 1);
    }
  }
  return 0;
}

} // namespace
} // namespace sinter
