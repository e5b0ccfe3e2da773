// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverses of a batch of matrices by Gauss-Jordan elimination with partial pivoting, on a copy of each with the unit
// matrix beside it. A singular matrix has an inverse of infinities and NaN, as a division by 0 gives them.
#pragma once

#include "runtime-lite/vec.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

/// x, y [batch, n, n]; work [n, 2 n].
template <class T, class E>
SINTER_HOST_DEVICE void inverse(View<const T, 3> x, View<T, 3> y, View<E, 2> work) {
  const int64_t n = x.sizes[1];
  const auto row = [&](int64_t i) { return work.data + i * work.strides[0]; };
  const auto magnitude = [](E v) { return v < E(0) ? -v : v; };
  const int64_t step = work.strides[1];
  for (int64_t batch = 0; batch < x.sizes[0]; ++batch) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        row(i)[j * step] = convert<E>(x.data[batch * x.strides[0] + i * x.strides[1] + j * x.strides[2]]);
        row(i)[(n + j) * step] = E(i == j);
      }
    for (int64_t k = 0; k < n; ++k) {
      int64_t pivot = k;
      for (int64_t i = k + 1; i < n; ++i)
        pivot = magnitude(row(i)[k * step]) > magnitude(row(pivot)[k * step]) ? i : pivot;
      for (int64_t j = 0; pivot != k && j < 2 * n; ++j) {
        const E kept = row(k)[j * step];
        row(k)[j * step] = row(pivot)[j * step];
        row(pivot)[j * step] = kept;
      }
      const E diagonal = row(k)[k * step];
      for (int64_t j = k; j < 2 * n; ++j)
        row(k)[j * step] /= diagonal;
      for (int64_t i = 0; i < n; ++i) {
        const E factor = row(i)[k * step];
        for (int64_t j = k; i != k && j < 2 * n; ++j)
          row(i)[j * step] -= factor * row(k)[j * step];
      }
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        y.data[batch * y.strides[0] + i * y.strides[1] + j * y.strides[2]] = convert<T>(row(i)[(n + j) * step]);
  }
}

} // namespace
} // namespace sinter
