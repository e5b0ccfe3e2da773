// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of elements that lie apart: at offsets that are a vector themselves, at equal distances, or every other one.
// Elements go from register to register; a vector that is read where its elements were just written one by one would
// wait for them.
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/loops/numbers.h"

namespace sinter {
namespace {

template <class V, class T, class Offset, int... kLane>
SINTER_INLINE V collected(const T *p, const Offset *offsets, Numbers<kLane...>) {
  return V{convert<ElementOf<V>>(p[offsets[kLane]])...};
}
/// V's lanes from p[at[0]], p[at[1]], p[at[2]], ...
template <class V, class T, class Offsets>
SINTER_INLINE V gather(const T *p, Offsets at) {
  if constexpr (kLanesOf<V> == 1) {
    return load<V>(p + at);
  } else {
    ElementOf<Offsets> offsets[kLanesOf<V>];
    store(&offsets[0], at);
    return collected<V>(p, &offsets[0], typename NumbersBelow<kLanesOf<V>>::Type{});
  }
}

template <class V, class Lane, int... kLane>
SINTER_INLINE V ofLanes(const Lane &lane, Numbers<kLane...>) {
  return V{lane(kLane)...};
}
/// V's lanes lane(0), lane(1), lane(2), ...
template <class V, class Lane>
SINTER_INLINE V ofLanes(const Lane &lane) {
  if constexpr (kLanesOf<V> == 1)
    return lane(0);
  else
    return ofLanes<V>(lane, typename NumbersBelow<kLanesOf<V>>::Type{});
}

template <class V, class T, int... kLane>
SINTER_INLINE V everyNth(const T *p, int64_t step, Numbers<kLane...>) {
  const Like<V, T> elements{p[kLane * step]...};
  return convert<V>(elements);
}
/// V's lanes from p[0], p[step], p[2 * step], ...
template <class V, class T>
SINTER_INLINE V loadApart(const T *p, int64_t step) {
  if constexpr (kLanesOf<V> == 1 || sizeof(T) < 4) // few bytes at a time are put together in memory
    return loadStrided<V>(p, step);
  else
    return everyNth<V>(p, step, typename NumbersBelow<kLanesOf<V>>::Type{});
}

template <class V, int... kLane>
SINTER_INLINE V evenLanes(V a, V b, Numbers<kLane...>) {
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
  return __builtin_shufflevector(a, b, (2 * kLane)...);
#else
  ElementOf<V> both[2 * kLanesOf<V>];
  store(&both[0], a);
  store(&both[kLanesOf<V>], b);
  return V{both[2 * kLane]...};
#endif
}
/// V's lanes from p[0], p[2], p[4], ...; reads the element behind the last one, too.
template <class V, class T>
SINTER_INLINE V loadEven(const T *p) {
  if constexpr (kLanesOf<V> == 1)
    return load<V>(p);
  else
    return evenLanes(load<V>(p), load<V>(p + kLanesOf<V>), typename NumbersBelow<kLanesOf<V>>::Type{});
}

} // namespace
} // namespace sinter
