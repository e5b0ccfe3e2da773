// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums and products along an axis that may be run-time data. Half types accumulate in float, integers wrap.
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/loops/odometer.h"

namespace sinter {
namespace {

struct CumulateParams {
  bool product;   ///< else sum
  bool exclusive; ///< without the element itself
  bool reverse;   ///< from the end
};

/// Status 5 when the axis is out of range.
template <class T, int Rank, class I, int AxisRank>
SINTER_HOST_DEVICE int cumulate(const CumulateParams &params, View<const T, Rank> x, View<const I, AxisRank> axis,
                                View<T, Rank> y) {
  using V = typename IfType<kIsHalf<T>, float, T>::Type;
  int64_t along = static_cast<int64_t>(axis.data[0]);
  along += along < 0 ? Rank : 0;
  if (along < 0 || along >= Rank)
    return 5;
  if (elements(x) == 0)
    return 0;
  const int64_t n = x.sizes[along];
  const int64_t sign = params.reverse ? -1 : 1;
  Odometer<Rank> line;
  do {
    const T *in = line.start(x) + (params.reverse ? (n - 1) * x.strides[along] : 0);
    T *out = line.start(y) + (params.reverse ? (n - 1) * y.strides[along] : 0);
    V sum = V(params.product ? 1 : 0);
    for (int64_t i = 0; i < n; ++i) {
      const V before = sum;
      const V element = convert<V>(*in);
      sum = params.product ? mul(sum, element) : add(sum, element);
      *out = convert<T>(params.exclusive ? before : sum);
      in += sign * x.strides[along];
      out += sign * y.strides[along];
    }
  } while (line.next(x, along));
  return 0;
}

} // namespace
} // namespace sinter
