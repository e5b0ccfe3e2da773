// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dim_to_share.h"

#include "llvm/Support/MathExtras.h"

namespace sinter {

/// The part of the time that threads are busy.
static double useOfThreads(const SizeExpr &size, int64_t threads) {
  constexpr double unknown = 0.8;
  std::optional<int64_t> known = size.constant();
  if (!known)
    return unknown;
  return *known <= 0 ? 0 : double(*known) / double(llvm::divideCeil(*known, threads) * threads);
}

std::optional<unsigned> dimToShare(llvm::ArrayRef<SizeExpr> sizes, int64_t threads,
                                   llvm::function_ref<bool(unsigned)> isFree) {
  constexpr double nearlyAll = 0.85;
  std::optional<unsigned> chosen;
  double best = 1.0 / double(threads); // one thread's
  for (unsigned dim = 0; dim < sizes.size() && best < nearlyAll; ++dim)
    if (double use = useOfThreads(sizes[dim], threads); use > best && isFree(dim)) {
      best = use;
      chosen = dim;
    }
  return chosen;
}

} // namespace sinter
