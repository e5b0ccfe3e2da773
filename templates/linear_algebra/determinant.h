// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Determinants of a batch of matrices by elimination with partial pivoting, on a copy of each.
#pragma once

#include "runtime-lite/vec.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

template <class T, class E>
SINTER_HOST_DEVICE void determinant(View<const T, 3> x, View<T, 1> y, View<E, 2> work) {
  const int64_t n = x.sizes[1];
  const auto element = [&](int64_t i, int64_t j) -> E & {
    return work.data[i * work.strides[0] + j * work.strides[1]];
  };
  const auto magnitude = [](E v) { return v < E(0) ? -v : v; };
  for (int64_t batch = 0; batch < x.sizes[0]; ++batch) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        element(i, j) = convert<E>(x.data[batch * x.strides[0] + i * x.strides[1] + j * x.strides[2]]);
    E product = E(1);
    for (int64_t k = 0; k < n; ++k) {
      int64_t pivot = k;
      for (int64_t i = k + 1; i < n; ++i)
        pivot = magnitude(element(i, k)) > magnitude(element(pivot, k)) ? i : pivot;
      if (pivot != k) {
        product = -product;
        for (int64_t j = k; j < n; ++j) {
          const E kept = element(k, j);
          element(k, j) = element(pivot, j);
          element(pivot, j) = kept;
        }
      }
      const E diagonal = element(k, k);
      product *= diagonal;
      if (!(diagonal < E(0)) && !(diagonal > E(0)))
        break; // singular, or NaN: the product has it
      for (int64_t i = k + 1; i < n; ++i) {
        const E factor = element(i, k) / diagonal;
        for (int64_t j = k + 1; j < n; ++j)
          element(i, j) -= factor * element(k, j);
      }
    }
    y.data[batch * y.strides[0]] = convert<T>(product);
  }
}

} // namespace
} // namespace sinter
