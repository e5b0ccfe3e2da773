// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernel bodies are written in: load, store, splat, fma, min, max, reductions, for one lane and for many alike.
// Bodies are lambdas generic over their value type V; `load<V>` says how wide they run. scalar.h has the integer
// arithmetic with stated results, templates/math_*.h the functions.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/fma.h"

namespace sinter {
namespace {

template <class V>
SINTER_INLINE V splat(ElementOf<V> x) {
  if constexpr (kLanesOf<V> == 1)
    return x;
  else
    return x - V{}; // Not V{} + x, which would turn -0 into 0.
}

/// One lane of a vector of two or four in all of them.
template <int kLane, class V>
SINTER_INLINE V splatLane(V v) {
#if defined(__clang__)
  if constexpr (kLanesOf<V> == 2)
    return __builtin_shufflevector(v, v, kLane, kLane);
  else
    return __builtin_shufflevector(v, v, kLane, kLane, kLane, kLane);
#elif defined(SINTER_IS_GNU)
  using Index = Like<V, typename IfType<sizeof(ElementOf<V>) == 8, int64_t, int32_t>::Type>;
  return __builtin_shuffle(v, Index{} + kLane); // that of clang is not in GCC before 12
#else
  return splat<V>(v[kLane]);
#endif
}

/// The lanes of V from consecutive elements at p, converted from T as Cast does. Needs no more than T's alignment.
template <class V, class T>
SINTER_INLINE V load(const T *p) {
  if constexpr (kLanesOf<V> == 1) {
    return convert<V>(*p);
  } else if constexpr (kIsHalf<T>) {
    Like<V, uint16_t> raw;
    SINTER_COPY(&raw, p, sizeof(raw));
    return convert<V>(halfToFloat<T>(raw));
#if SINTER_MVE
  } else if constexpr (kIsWideFour<V> && sizeof(T) < 4) {
    return rawConvert<V>(loadFour(p));
#endif
  } else {
    Like<V, T> raw;
    SINTER_COPY(&raw, p, sizeof(raw));
    return convert<V>(raw);
  }
}

template <class T, class V>
SINTER_INLINE void store(T *p, V v) {
  if constexpr (kLanesOf<V> == 1) {
    *p = convert<T>(v);
  } else if constexpr (kIsHalf<T>) {
    const auto raw = floatToHalf<T>(convert<Like<V, float>>(v));
    SINTER_COPY(static_cast<void *>(p), &raw, sizeof(raw));
#if SINTER_MVE
  } else if constexpr (kIsWideFour<V> && !kIsFloat<V> && sizeof(T) < 4) {
    storeFour(p, rawConvert<FourInts>(v));
#endif
  } else {
    const auto raw = convert<Like<V, T>>(v);
    SINTER_COPY(p, &raw, sizeof(raw));
  }
}

/// The first n lanes only; the others are zero. Nothing behind p[n - 1] is read.
template <class V, class T>
SINTER_INLINE V loadN(const T *p, int64_t n) {
  if constexpr (kLanesOf<V> == 1) {
    return n > 0 ? load<V>(p) : V{};
  } else {
    T lanes[kLanesOf<V>] = {};
    for (int64_t i = 0; i < n && i < kLanesOf<V>; ++i)
      lanes[i] = p[i];
    return load<V>(&lanes[0]);
  }
}

template <class T, class V>
SINTER_INLINE void storeN(T *p, V v, int64_t n) {
  if constexpr (kLanesOf<V> == 1) {
    if (n > 0)
      store(p, v);
  } else {
    T lanes[kLanesOf<V>];
    store(&lanes[0], v);
    for (int64_t i = 0; i < n && i < kLanesOf<V>; ++i)
      p[i] = lanes[i];
  }
}

/// V's lanes from p[0], p[stride], p[2 * stride], ...
template <class V, class T>
SINTER_INLINE V loadStrided(const T *p, int64_t stride) {
  if constexpr (kLanesOf<V> == 1) {
    return load<V>(p);
  } else {
    T lanes[kLanesOf<V>];
    for (int i = 0; i < kLanesOf<V>; ++i)
      lanes[i] = p[i * stride];
    return load<V>(&lanes[0]);
  }
}

/// V's lanes to p[0], p[stride], p[2 * stride], ...
template <class T, class V>
SINTER_INLINE void storeStrided(T *p, int64_t stride, V v) {
  if constexpr (kLanesOf<V> == 1) {
    store(p, v);
  } else {
    T lanes[kLanesOf<V>];
    store(&lanes[0], v);
    for (int i = 0; i < kLanesOf<V>; ++i)
      p[i * stride] = lanes[i];
  }
}

/// first, first + 1, first + 2, ...: an index made into a value.
template <class V>
SINTER_INLINE V iota(ElementOf<V> first) {
  if constexpr (kLanesOf<V> == 1) {
    return first;
  } else {
    V v{};
    for (int i = 0; i < kLanesOf<V>; ++i)
      v[i] = ElementOf<V>(first + ElementOf<V>(i));
    return v;
  }
}

/// A mask as stored booleans of 0 and 1, and back.
template <class V>
SINTER_INLINE MaskOf<V> loadMask(const uint8_t *p) {
  if constexpr (kLanesOf<V> == 1)
    return *p != 0;
  else
    return convert<MaskOf<V>>(load<Like<V, int8_t>>(p) != 0);
}
template <class M>
SINTER_INLINE void storeMask(uint8_t *p, M m) {
  if constexpr (kLanesOf<M> == 1)
    *p = m ? 1 : 0;
  else
    store(p, rawConvert<Like<M, uint8_t>>(m) & 1);
}
/// 1 where the mask is set, else 0.
template <class V, class M>
SINTER_INLINE V fromMask(M m) {
  return select(m, splat<V>(ElementOf<V>(1)), V{});
}

#if defined(__aarch64__)
/// The instructions are IEEE 754-2019's maximum and minimum, for lanes and single numbers alike.
#define SINTER_ARM_LIMIT(name, operation)                                                                              \
  template <class V>                                                                                                   \
  SINTER_INLINE V name(V a, V b) {                                                                                     \
    if constexpr (kSame<V, Vec<float, 4>>)                                                                             \
      __asm__(operation " %0.4s, %1.4s, %2.4s" : "=w"(a) : "w"(a), "w"(b));                                            \
    else if constexpr (kSame<V, Vec<float, 2>>)                                                                        \
      __asm__(operation " %0.2s, %1.2s, %2.2s" : "=w"(a) : "w"(a), "w"(b));                                            \
    else if constexpr (kSame<V, Vec<double, 2>>)                                                                       \
      __asm__(operation " %0.2d, %1.2d, %2.2d" : "=w"(a) : "w"(a), "w"(b));                                            \
    else if constexpr (kSame<V, float>)                                                                                \
      __asm__(operation " %s0, %s1, %s2" : "=w"(a) : "w"(a), "w"(b));                                                  \
    else if constexpr (kSame<V, double>)                                                                               \
      __asm__(operation " %d0, %d1, %d2" : "=w"(a) : "w"(a), "w"(b));                                                  \
    else                                                                                                               \
      for (int i = 0; i < kLanesOf<V>; ++i)                                                                            \
        a[i] = name<ElementOf<V>>(a[i], b[i]);                                                                         \
    return a;                                                                                                          \
  }
SINTER_ARM_LIMIT(maximumOf, "fmax")
SINTER_ARM_LIMIT(minimumOf, "fmin")
#undef SINTER_ARM_LIMIT
#endif

/// NaN if either is, by IEEE 754-2019's maximum; the sign of a zero result is not stated.
template <class V>
SINTER_INLINE V max(V a, V b) {
#if defined(__aarch64__)
  if constexpr (kIsFloat<V>)
    return maximumOf(a, b);
#endif
  const V larger = firstIfLarger(a, b);
  if constexpr (kIsFloat<V>)
    return select(a == a, larger, a);
  else
    return larger;
}
template <class V>
SINTER_INLINE V min(V a, V b) {
#if defined(__aarch64__)
  if constexpr (kIsFloat<V>)
    return minimumOf(a, b);
#endif
  const V smaller = firstIfSmaller(a, b);
  if constexpr (kIsFloat<V>)
    return select(a == a, smaller, a);
  else
    return smaller;
}
/// max and min of what may be NaN and a bound, which is not: NaN is kept in one instruction, not three.
template <class V>
SINTER_INLINE V noLess(V x, V low) {
#if defined(__aarch64__)
  return max(x, low);
#else
  return firstIfLarger(low, x);
#endif
}
template <class V>
SINTER_INLINE V noMore(V x, V high) {
#if defined(__aarch64__)
  return min(x, high);
#else
  return firstIfSmaller(high, x);
#endif
}
/// max and min of what is no NaN.
template <class V>
SINTER_INLINE V largerOf(V a, V b) {
  return noLess(b, a);
}
template <class V>
SINTER_INLINE V smallerOf(V a, V b) {
  return noMore(b, a);
}
/// x limited to low..high, NaN kept.
template <class V>
SINTER_INLINE V clamp(V x, V low, V high) {
  return noMore(noLess(x, low), high);
}
template <class V>
SINTER_INLINE V relu(V x) {
  return noLess(x, V{});
}

template <class V>
SINTER_INLINE V abs(V x) {
  using U = UnsignedOf<V>;
  using E = ElementOf<V>;
  if constexpr (kIsFloat<V>)
    return bitCast<V>(U(bitCast<U>(x) & (ElementOf<U>(-1) >> 1)));
  else if constexpr (!kIsSigned<E>)
    return x;
  else
    return select(x < V{}, V(U(ElementOf<U>(0) - (U)x)), x);
}
template <class V>
SINTER_INLINE V copySign(V magnitude, V sign) {
  using U = UnsignedOf<V>;
  constexpr auto rest = ElementOf<U>(ElementOf<U>(-1) >> 1);
  return bitCast<V>(U((bitCast<U>(magnitude) & rest) | (bitCast<U>(sign) & ElementOf<U>(~rest))));
}

/// The sum of all lanes, halves added to halves: the order is fixed by the number of lanes.
template <class V>
SINTER_INLINE ElementOf<V> sum(V v) {
  if constexpr (kLanesOf<V> == 1) {
    return v;
  } else {
    Vec<ElementOf<V>, kLanesOf<V> / 2> half[2];
    SINTER_COPY(&half, &v, sizeof(v));
    return sum(half[0] + half[1]);
  }
}
template <class V>
SINTER_INLINE ElementOf<V> maxOf(V v) {
  if constexpr (kLanesOf<V> == 1) {
    return v;
  } else {
    Vec<ElementOf<V>, kLanesOf<V> / 2> half[2];
    SINTER_COPY(&half, &v, sizeof(v));
    return maxOf(max(half[0], half[1]));
  }
}
template <class V>
SINTER_INLINE ElementOf<V> minOf(V v) {
  if constexpr (kLanesOf<V> == 1) {
    return v;
  } else {
    Vec<ElementOf<V>, kLanesOf<V> / 2> half[2];
    SINTER_COPY(&half, &v, sizeof(v));
    return minOf(min(half[0], half[1]));
  }
}
/// One lane function for every lane: for what is not worth vectors.
template <class V, class F>
SINTER_INLINE V eachLane(V v, F f) {
  if constexpr (kLanesOf<V> == 1) {
    return f(v);
  } else {
    for (int i = 0; i < kLanesOf<V>; ++i)
      v[i] = f(v[i]);
    return v;
  }
}

} // namespace
} // namespace sinter
