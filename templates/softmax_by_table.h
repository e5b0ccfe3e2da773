// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax from 8 bits to 8 bits in 32-bit integers, for cores without an FPU: exponentials come from a table by the
// difference to the largest element. The pass tabulate-softmax makes the table and says how exact that is.
#pragma once

#include "runtime-lite/view.h"
#include "templates/limits.h"

namespace sinter {
namespace {

struct SoftmaxByTableParams {
  int64_t steps; ///< of the result, to 1
  int64_t y_zero;
};

/// Along the middle dim of x and y [outer, n, inner]. `table`: [256] numbers for the differences 0, 1, ..., of which
/// the first is the largest; 2 * steps * table[0] and n * table[0] together fit into 32 bits.
template <class X, class Y>
void softmaxByTable(const SoftmaxByTableParams &p, const View<X, 3> &x, const View<const uint32_t, 1> &table,
                    const View<Y, 3> &y) {
  const auto steps = uint32_t(p.steps);
  const auto y_zero = int32_t(p.y_zero), most = int32_t(highest<Y>());
  for (int64_t o = 0; o < x.sizes[0]; ++o)
    for (int64_t i = 0; i < x.sizes[2]; ++i) {
      const X *in = x.data + o * x.strides[0] + i * x.strides[2];
      Y *out = y.data + o * y.strides[0] + i * y.strides[2];
      int32_t largest = int32_t(in[0]);
      for (int64_t j = 1; j < x.sizes[1]; ++j)
        largest = int32_t(in[j * x.strides[1]]) > largest ? int32_t(in[j * x.strides[1]]) : largest;
      const auto share = [&](int64_t j) { return table.data[largest - int32_t(in[j * x.strides[1]])]; };
      uint32_t total = 0;
      for (int64_t j = 0; j < x.sizes[1]; ++j)
        total += share(j);
      for (int64_t j = 0; j < x.sizes[1]; ++j) {
        const int32_t whole = int32_t((2 * steps * share(j) + total) / (2 * total)) + y_zero;
        out[j * y.strides[1]] = Y(whole > most ? most : whole);
      }
    }
}

} // namespace
} // namespace sinter
