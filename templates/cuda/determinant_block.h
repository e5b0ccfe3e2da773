// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Determinants, matrix after matrix by one block: the CPU's elimination (templates/linear_algebra/determinant.h), whose
// steps have the rows and columns that are left among the threads.
#pragma once

#include "templates/cuda/block_scan.h"
#include "templates/linear_algebra/determinant.h"

namespace sinter {
namespace {

template <class T, class E>
SINTER_DEVICE void determinantBlock(View<const T, 3> x, View<T, 1> y, View<E, 2> work) {
  const int64_t n = x.sizes[1], thread = cuda::threadIndex();
  const auto element = [&](int64_t i, int64_t j) -> E & {
    return work.data[i * work.strides[0] + j * work.strides[1]];
  };
  const auto magnitude = [](E v) { return v < E(0) ? -v : v; };
  for (int64_t batch = 0; batch < x.sizes[0]; ++batch) {
    cuda::syncBlock(); // the matrix before has been read
    for (int64_t at = thread; at < n * n; at += cuda::kBlockThreads)
      element(at / n, at % n) =
          convert<E>(x.data[batch * x.strides[0] + at / n * x.strides[1] + at % n * x.strides[2]]);
    E product = E(1);
    for (int64_t k = 0; k < n; ++k) {
      cuda::syncBlock();
      int64_t pivot = k; // each thread finds the same
      for (int64_t i = k + 1; i < n; ++i)
        pivot = magnitude(element(i, k)) > magnitude(element(pivot, k)) ? i : pivot;
      cuda::syncBlock();
      product = pivot != k ? -product : product;
      for (int64_t j = k + thread; pivot != k && j < n; j += cuda::kBlockThreads) {
        const E kept = element(k, j);
        element(k, j) = element(pivot, j);
        element(pivot, j) = kept;
      }
      cuda::syncBlock();
      const E diagonal = element(k, k);
      product *= diagonal;
      if (!(diagonal < E(0)) && !(diagonal > E(0)))
        break; // singular, or NaN: the product has it
      const int64_t left = n - k - 1;
      for (int64_t at = thread; at < left * left; at += cuda::kBlockThreads) {
        const int64_t i = k + 1 + at / left, j = k + 1 + at % left;
        element(i, j) -= element(i, k) / diagonal * element(k, j);
      }
    }
    if (thread == 0)
      y.data[batch * y.strides[0]] = convert<T>(product);
  }
}

} // namespace
} // namespace sinter
