// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ScatterElements and ScatterND do with an element that is there and the one that comes.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/scalar.h"
#include "runtime-lite/types.h"
#include "runtime-lite/view.h"
#include "templates/loops/copy_bytes.h"
#include "templates/loops/map.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

/// What combines them: 0 replaces, 1 adds, 2 multiplies, 3 takes the larger, 4 the smaller.
template <int64_t kReduction, class V>
SINTER_INLINE V combined(V there, V comes) {
  if constexpr (kReduction == 0)
    return comes;
  else if constexpr (kReduction == 1)
    return add(there, comes);
  else if constexpr (kReduction == 2)
    return mul(there, comes);
  else if constexpr (kReduction == 3)
    return select(there > comes, there, select(there == there, comes, there));
  else
    return select(there < comes, there, select(there == there, comes, there));
}
template <int64_t kReduction, class T>
SINTER_INLINE void scatterOne(Fixed<kReduction>, T &there, const T &comes) {
  if constexpr (kReduction == 0 || kSame<T, sinter_string>) // strings are only replaced
    there = comes;
  else if constexpr (kSame<T, bool>)
    there = kReduction == 1 || kReduction == 3 ? there || comes : there && comes;
  else
    there = convert<T>(combined<kReduction>(convert<ComputeType<T>>(there), convert<ComputeType<T>>(comes)));
}

/// The same of n neighbours.
template <int64_t kReduction, class T>
SINTER_INLINE void scatterRow(Fixed<kReduction> reduction, T *there, const T *comes, int64_t n) {
  if constexpr (kReduction == 0) {
    copyBytes(static_cast<void *>(there), comes, size_t(n) * sizeof(T));
  } else if constexpr (kSame<T, bool> || kSame<T, sinter_string>) {
    for (int64_t j = 0; j < n; ++j)
      scatterOne(reduction, there[j], comes[j]);
  } else {
    map<ComputeType<T>>(n, [&](auto tag, int64_t j) {
      using V = typename decltype(tag)::Type;
      store(there + j, combined<kReduction>(load<V>(there + j), load<V>(comes + j)));
    });
  }
}

/// work(Fixed<reduction>).
template <class Work>
SINTER_INLINE auto withReduction(int64_t reduction, Work work) {
  switch (reduction) {
  case 0:
    return work(Fixed<0>{});
  case 1:
    return work(Fixed<1>{});
  case 2:
    return work(Fixed<2>{});
  case 3:
    return work(Fixed<3>{});
  default:
    return work(Fixed<4>{});
  }
}

template <class T>
SINTER_FUNCTION void scatterOne(int64_t reduction, T &there, const T &comes) {
  withReduction(reduction, [&](auto known) { scatterOne(known, there, comes); });
}

} // namespace
} // namespace sinter
