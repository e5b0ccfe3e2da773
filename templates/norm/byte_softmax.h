// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk of a softmax from 8 bits to 8 bits: exponentials depend on the difference to the largest element only. Their
// arithmetic is the caller's: floats (quantized_softmax.h) or integers (softmax_by_table.h).
#pragma once

#include "runtime-lite/vec_type.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

/// Along the middle dim of x and y [outer, n, inner]. share(difference), difference >= 0: an exponential, of type Sum;
/// step(share, total): the element of y.
template <class Sum, class X, class Y, class Share, class Step>
SINTER_INLINE void byteSoftmax(const View<X, 3> &x, const View<Y, 3> &y, Share share, Step step) {
  for (int64_t o = 0; o < x.sizes[0]; ++o)
    for (int64_t i = 0; i < x.sizes[2]; ++i) {
      const X *in = x.data + o * x.strides[0] + i * x.strides[2];
      Y *out = y.data + o * y.strides[0] + i * y.strides[2];
      int32_t largest = int32_t(in[0]);
      for (int64_t j = 1; j < x.sizes[1]; ++j)
        largest = int32_t(in[j * x.strides[1]]) > largest ? int32_t(in[j * x.strides[1]]) : largest;
      const auto shareAt = [&](int64_t j) { return share(largest - int32_t(in[j * x.strides[1]])); };
      Sum total = 0;
      for (int64_t j = 0; j < x.sizes[1]; ++j)
        total += shareAt(j);
      for (int64_t j = 0; j < x.sizes[1]; ++j)
        out[j * y.strides[1]] = step(shareAt(j), total);
    }
}

} // namespace
} // namespace sinter
