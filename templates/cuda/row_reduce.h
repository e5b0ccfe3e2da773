// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, greatest elements and other folds. Along rows: a warp or a block for each row (group.h). Along columns: a
// thread for each column, so that neighbours read side by side. In orders that depend on sizes alone.
#pragma once

#include "templates/cuda/group.h"

namespace sinter::cuda {
namespace {

/// out[i] = epilogue(fold of of(in[i, j], j) over j, i), from `none` on. V: 32 bits. Blocks of `threads`.
template <int kThreads, class V, class TA, class TC, class Of, class Combine, class Epilogue>
SINTER_DEVICE void reduceRows(const TA *in, int64_t stride, TC *out, int rows, int n, V none, int threads, Of of,
                              Combine combine, Epilogue epilogue) {
  using Threads = Group<kThreads>;
  const int row = Threads::number(threads);
  if (row >= rows)
    return; // the group as a whole
  const TA *const elements = in + row * stride;
  V several[4] = {none, none, none, none}; // loads in flight
  int j = Threads::thread();
  SINTER_DEVICE_LOOP
  for (; j + 3 * kThreads < n; j += 4 * kThreads) {
    SINTER_DEVICE_UNROLL
    for (int u = 0; u < 4; ++u)
      several[u] = combine(several[u], V(of(elements[j + u * kThreads], j + u * kThreads)));
  }
  SINTER_DEVICE_LOOP
  for (; j < n; j += kThreads)
    several[0] = combine(several[0], V(of(elements[j], j)));
  const V all = Threads::combine(combine(combine(several[0], several[1]), combine(several[2], several[3])), combine);
  if (Threads::thread() == 0)
    out[row] = stored<TC>(epilogue(all, row));
}

/// out[o, i] = epilogue(fold of of(in[o, j, i], j) over j, o * inner + i): n elements, `inner` apart. Blocks of
/// `threads`; grid: ceil(inner / threads) x outer.
template <class V, class TA, class TC, class Of, class Combine, class Epilogue>
SINTER_DEVICE void reduceColumns(const TA *in, TC *out, int n, int inner, V none, int threads, Of of, Combine combine,
                                 Epilogue epilogue) {
  const int i = blockX() * threads + threadIndex();
  if (i >= inner)
    return;
  const TA *const elements = in + int64_t(blockY()) * n * inner + i;
  V all = none;
  for (int j = 0; j < n; ++j)
    all = combine(all, V(of(elements[int64_t(j) * inner], j)));
  const int64_t at = int64_t(blockY()) * inner + i;
  out[at] = stored<TC>(epilogue(all, at));
}

} // namespace
} // namespace sinter::cuda
