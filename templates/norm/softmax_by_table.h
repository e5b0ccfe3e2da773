// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax from 8 bits to 8 bits in 32-bit integers, for cores without an FPU: exponentials come from a table by the
// difference to the largest element. The pass tabulate-softmax makes the table and says how exact that is.
#pragma once

#include "templates/math/limits.h"
#include "templates/norm/byte_softmax.h"

namespace sinter {
namespace {

struct SoftmaxByTableParams {
  int64_t steps; ///< of the result, to 1
  int64_t y_zero;
};

/// Along the middle dim of x and y [outer, n, inner]. `table`: [256] numbers for the differences 0, 1, ..., of which
/// the first is the largest; 2 * steps * table[0] and n * table[0] together fit into 32 bits.
template <class X, class Y>
SINTER_HOST_DEVICE void softmaxByTable(const SoftmaxByTableParams &p, const View<X, 3> &x,
                                       const View<const uint32_t, 1> &table, const View<Y, 3> &y) {
  const auto steps = uint32_t(p.steps);
  const auto y_zero = int32_t(p.y_zero), most = int32_t(highest<Y>());
  byteSoftmax<uint32_t>(
      x, y, [&](int32_t difference) { return table.data[difference]; },
      [&](uint32_t share, uint32_t total) {
        const int32_t whole = int32_t((2 * steps * share + total) / (2 * total)) + y_zero;
        return Y(whole > most ? most : whole);
      });
}

} // namespace
} // namespace sinter
