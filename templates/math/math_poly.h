// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials by Horner's rule, one lane or many: what the functions of math_*.h are made of.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// The polynomial c[0] + c[1] x + ..., coefficients given from the highest.
template <class V>
SINTER_INLINE V horner(V, ElementOf<V> c) {
  return splat<V>(c);
}
template <class V, class... Rest>
SINTER_INLINE V hornerStep(V x, V high, ElementOf<V> c, Rest... rest) {
  const V next = fma(high, x, splat<V>(c));
  if constexpr (sizeof...(Rest) == 0)
    return next;
  else
    return hornerStep(x, next, rest...);
}
template <class V, class... Rest>
SINTER_INLINE V horner(V x, ElementOf<V> highest, Rest... rest) {
  return hornerStep(x, splat<V>(highest), rest...);
}

} // namespace
} // namespace sinter
