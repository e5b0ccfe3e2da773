// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LayerNormalization and RMSNormalization of rows that fit into registers: the mean, then the mean of squared
// differences from it, as the definition has them; one read, one write. Grid and groups: row_softmax.h.
#pragma once

#include "templates/cuda/group.h"

namespace sinter::cuda {
namespace {

/// kCentered: LayerNormalization. `prologue(x, i, j)` makes the element that is normalised (a sum with a residual),
/// `epilogue(v, i, j)` the result (scale and bias). Blocks of `threads`.
template <int kThreads, int kPerThread, int kPack, bool kCentered, class TA, class TC, class Prologue, class Epilogue>
SINTER_DEVICE void normRows(const TA *in, int64_t inStride, TC *out, int64_t outStride, int rows, int n, float epsilon,
                            int threads, Prologue prologue, Epilogue epilogue) {
  using Threads = Group<kThreads>;
  const int row = Threads::number(threads);
  if (row >= rows)
    return; // the group as a whole
  RowInRegisters<kThreads, kPerThread, kPack> values;
  values.load(in + row * inStride, n);
  values.each(n, [&](float &x, int j) { x = prologue(x, row, j); });
  const float share = 1.0f / float(n);
  float mean = 0;
  if constexpr (kCentered) {
    values.each(n, [&](float x, int) { mean += x; });
    mean = Threads::combine(mean, Plus{}) * share;
  }
  float squares = 0;
  values.each(n, [&](float &x, int) {
    x -= mean;
    squares = fma(x, x, squares);
  });
  const float scale = rsqrt(Threads::combine(squares, Plus{}) * share + epsilon);
  values.store(out + row * outStride, n, [&](float x, int j) { return epilogue(x * scale, row, j); });
}

} // namespace
} // namespace sinter::cuda
