// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ScatterElements and ScatterND do with an element that is there and the one that comes.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/scalar.h"
#include "runtime-lite/types.h"
#include "runtime-lite/view.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

/// 0 replaces, 1 adds, 2 multiplies, 3 takes the larger, 4 the smaller.
template <class T>
SINTER_FUNCTION void scatterOne(int64_t reduction, T &there, const T &comes) {
  if (reduction == 0) {
    there = comes;
    return;
  }
  if constexpr (kSame<T, sinter_string>) {
    // only replaced
  } else if constexpr (kSame<T, bool>) {
    there = reduction == 1 || reduction == 3 ? there || comes : there && comes;
  } else {
    using C = ComputeType<T>;
    const C a = convert<C>(there), b = convert<C>(comes);
    if (reduction == 1)
      there = convert<T>(add(a, b));
    else if (reduction == 2)
      there = convert<T>(mul(a, b));
    else if (reduction == 3)
      there = a > b || a != a ? there : comes;
    else
      there = a < b || a != a ? there : comes;
  }
}

} // namespace
} // namespace sinter
