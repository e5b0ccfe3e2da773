// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax from 8 bits to 8 bits in floats: exponentials of differences to the largest element, shared out over a number
// of steps, along the middle dim of [outer, n, inner].
#pragma once

#include "templates/math/math_exp.h"
#include "templates/norm/byte_softmax.h"
#include "templates/quantized/to_step.h"

namespace sinter {
namespace {

struct QuantizedSoftmaxParams {
  double x_scale;
  double steps; ///< of the result, to 1
  int64_t y_zero;
};

template <class X, class Y>
SINTER_HOST_DEVICE void quantizedSoftmax(const QuantizedSoftmaxParams &p, const View<X, 3> &x, const View<Y, 3> &y) {
  const float scale = float(p.x_scale), steps = float(p.steps);
  byteSoftmax<float>(
      x, y, [&](int32_t difference) { return expNegative(float(-difference) * scale); },
      [&](float share, float total) { return toStep<Y>(roundEven(share * steps / total) + float(p.y_zero)); });
}

} // namespace
} // namespace sinter
