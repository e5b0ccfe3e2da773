// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax and LogSoftmax of rows that fit into registers: one read, one write. A warp or a block for each row
// (group.h): kThreads * kPerThread elements at most, kPack of them a load. Grid: a group for each row.
#pragma once

#include "templates/cuda/group.h"

namespace sinter::cuda {
namespace {

/// The natural logarithm of x >= 1, as a sum of exponentials less their greatest is.
SINTER_DEVICE float logOfSum(float x) {
#if SINTER_ON_DEVICE
  float r;
  asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r * 0.693147181f;
#else
  return std::log(x);
#endif
}

/// Rows of n elements, inStride and outStride apart. `epilogue(v, i, j)`. Blocks of `threads`.
template <int kThreads, int kPerThread, int kPack, bool kLog, class TA, class TC, class Epilogue>
SINTER_DEVICE void softmaxRows(const TA *in, int64_t inStride, TC *out, int64_t outStride, int rows, int n, int threads,
                               Epilogue epilogue) {
  using Threads = Group<kThreads>;
  const int row = Threads::number(threads);
  if (row >= rows)
    return; // the group as a whole
  RowInRegisters<kThreads, kPerThread, kPack> values;
  values.load(in + row * inStride, n);
  float largest = -infinity();
  values.each(n, [&](float x, int) { largest = greater(largest, x); });
  largest = Threads::combine(largest, Greater{});
  float sum = 0;
  values.each(n, [&](float &x, int) {
    const float e = expNegative(x - largest);
    sum += e;
    x = kLog ? x - largest : e;
  });
  sum = Threads::combine(sum, Plus{});
  const float factor = 1.0f / sum, shift = kLog ? logOfSum(sum) : 0.0f;
  values.store(out + row * outStride, n,
               [&](float x, int j) { return epilogue(kLog ? x - shift : x * factor, row, j); });
}

} // namespace
} // namespace sinter::cuda
