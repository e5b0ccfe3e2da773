// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of elements that lie apart: at offsets that are a vector themselves, at equal distances, or every other one.
// Elements go from register to register; a vector that is read where its elements were just written one by one would
// wait for them.
#pragma once

#include "runtime-lite/bits.h"
#include "runtime-lite/scalar.h"
#include "templates/loops/numbers.h"

namespace sinter {
namespace {

/// Integers of 32 bits are put together as floats, numbers of 16 bits as pairs that are floats: g++ for x86 puts many
/// integers together in memory, where a vector is read before they are written.
#if defined(SINTER_IS_GNU) && defined(__x86_64__)
template <class T>
constexpr bool kIsMovedAsFloat = kSame<T, int32_t> || kSame<T, uint32_t>;
template <class V, class T>
constexpr bool kIsMovedInPairs = sizeof(T) == 2 && kLanesOf<V> >= 8;
#else
template <class T>
constexpr bool kIsMovedAsFloat = false;
template <class V, class T>
constexpr bool kIsMovedInPairs = false;
#endif

/// V's lanes from p[at(0)], p[at(1)], ..., of two bytes each.
template <class V, class T, class At, int... kPair>
SINTER_INLINE V pairsTogether(const T *p, At at, Numbers<kPair...>) {
  const auto bits = [&](int lane) { return uint32_t(bitCast<uint16_t>(p[at(lane)])); };
  const Vec<float, kLanesOf<V> / 2> pairs{bitCast<float>(bits(2 * kPair) | bits(2 * kPair + 1) << 16)...};
  const auto raw = bitCast<Like<V, uint16_t>>(pairs);
  if constexpr (kIsHalf<T>)
    return convert<V>(halfToFloat<T>(raw));
  else
    return convert<V>(bitCast<Like<V, T>>(raw));
}

template <class V, class T, class... Element>
SINTER_INLINE V together(const Element &...elements) {
  if constexpr (kIsMovedAsFloat<T>)
    return convert<V>(bitCast<Like<V, T>>(Like<V, float>{bitCast<float>(elements)...}));
  else
    return convert<V>(Like<V, T>{elements...});
}

template <class V, class T, class Offset, int... kLane>
SINTER_INLINE V collected(const T *p, const Offset *offsets, Numbers<kLane...>) {
  if constexpr (kIsMovedAsFloat<T>)
    return together<V, T>(p[offsets[kLane]]...);
  else
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
    if constexpr (kIsMovedInPairs<V, T>)
      return pairsTogether<V>(
          p, [&](int lane) { return offsets[lane]; }, typename NumbersBelow<kLanesOf<V> / 2>::Type{});
    else
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
  return together<V, T>(p[kLane * step]...);
}
/// V's lanes from p[0], p[step], p[2 * step], ...
template <class V, class T>
SINTER_INLINE V loadApart(const T *p, int64_t step) {
  if constexpr (kIsMovedInPairs<V, T>)
    return pairsTogether<V>(p, [=](int lane) { return lane * step; }, typename NumbersBelow<kLanesOf<V> / 2>::Type{});
  else if constexpr (kLanesOf<V> == 1 || sizeof(T) < 4) // few bytes at a time are put together in memory
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
