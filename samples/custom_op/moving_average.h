// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function behind the operator com.example.MovingAverage of operators.yaml: y is the mean of `window` neighbours of
// x, every `stride` of them, times a gain for each channel, if there are gains. Arrays lie as ONNX has them, the last
// dim running fastest.
#pragma once

#include <stdint.h>

namespace example {

template <class T>
inline void movingAverage(const T *x, const int64_t *x_dims, const T *gain, const int64_t *, T *y,
                          const int64_t *y_dims, int64_t window, int64_t stride) {
  for (int64_t row = 0; row < x_dims[0] * x_dims[1]; ++row) {
    const T factor = (gain ? gain[row % x_dims[1]] : T(1)) / static_cast<T>(window);
    for (int64_t i = 0; i < y_dims[2]; ++i) {
      T sum = 0;
      for (int64_t j = 0; j < window; ++j)
        sum += x[row * x_dims[2] + i * stride + j];
      y[row * y_dims[2] + i] = sum * factor;
    }
  }
}

} // namespace example
