// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax from 8 bits to 8 bits along the middle dim of [outer, n, inner]: exponentials of differences to the largest
// element, which depend on the difference only, shared out over a number of steps.
#pragma once

#include "runtime-lite/view.h"
#include "templates/math_exp.h"
#include "templates/to_step.h"

namespace sinter {
namespace {

struct QuantizedSoftmaxParams {
  double x_scale;
  double steps; ///< of the result, to 1
  int64_t y_zero;
};

template <class X, class Y>
void quantizedSoftmax(const QuantizedSoftmaxParams &p, const View<X, 3> &x, const View<Y, 3> &y) {
  const float scale = float(p.x_scale), steps = float(p.steps);
  for (int64_t o = 0; o < x.sizes[0]; ++o)
    for (int64_t i = 0; i < x.sizes[2]; ++i) {
      const X *in = x.data + o * x.strides[0] + i * x.strides[2];
      Y *out = y.data + o * y.strides[0] + i * y.strides[2];
      int32_t largest = int32_t(in[0]);
      for (int64_t j = 1; j < x.sizes[1]; ++j)
        largest = int32_t(in[j * x.strides[1]]) > largest ? int32_t(in[j * x.strides[1]]) : largest;
      const auto share = [&](int64_t j) { return expNegative(float(int32_t(in[j * x.strides[1]]) - largest) * scale); };
      float total = 0;
      for (int64_t j = 0; j < x.sizes[1]; ++j)
        total += share(j);
      for (int64_t j = 0; j < x.sizes[1]; ++j)
        out[j * y.strides[1]] = toStep<Y>(roundEven(share(j) * steps / total) + float(p.y_zero));
    }
}

} // namespace
} // namespace sinter
