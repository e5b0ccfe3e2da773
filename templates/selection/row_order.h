// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Items of 64 bits that stand for the elements of a row, to be sorted: what an element is sorted by and its place in
// one number, so that two are compared without a look at the row, or else the place alone. What TopK, Unique and
// NonMaxSuppression sort.
#pragma once

#include "runtime-lite/bits.h"
#include "templates/selection/compare.h"

namespace sinter {
namespace {

/// Whether a number's order fits 32 bits, whatever its value.
template <class X>
constexpr bool kHasKey = !kSame<X, sinter_string> && sizeof(ComputeType<X>) <= 4;
/// Whether its first 32 bits tell most numbers apart.
template <class X>
constexpr bool kHasFirstBits = kSame<X, double> || kSame<X, int64_t> || kSame<X, uint64_t>;
/// Whether it does if the row's numbers lie close together.
template <class X>
constexpr bool kMayHaveKey = kSame<X, int64_t> || kSame<X, uint64_t>;

/// The order of numbers as that of integers: compareNumbers' order, so NaN are behind all and equal, zeros are equal.
template <class T>
SINTER_FUNCTION int32_t keyOf(T x) {
  if constexpr (kSame<T, float>) {
    const auto bits = bitCast<int32_t>(x == 0 ? 0.0f : x);
    return x != x ? INT32_MAX : bits < 0 ? bits ^ INT32_MAX : bits;
  } else if constexpr (kIsHalf<T>) { // without a conversion to float
    constexpr int infinity = kSame<T, f16> ? 0x7c00 : 0x7f80;
    const int magnitude = x.bits & 0x7fff;
    return magnitude > infinity ? INT16_MAX : (x.bits & 0x8000) && magnitude != 0 ? ~magnitude : magnitude;
  } else if constexpr (T(-1) > T(0) && sizeof(T) == 4) {
    return int32_t(uint32_t(x) ^ 0x80000000u);
  } else {
    return int32_t(x);
  }
}

/// The first 32 bits of a number's order: of two with other ones these decide.
template <class T>
SINTER_FUNCTION int32_t firstBitsOf(T x) {
  if constexpr (kSame<T, double>) {
    const auto bits = bitCast<int64_t>(x == 0 ? 0.0 : x);
    return x != x ? INT32_MAX : int32_t((bits < 0 ? bits ^ INT64_MAX : bits) >> 32);
  } else {
    return int32_t(uint32_t(uint64_t(x) >> 32) ^ (T(-1) > T(0) ? 0x80000000u : 0u));
  }
}

/// Equal elements follow each other by their places.
template <class X>
struct RowByKey {
  const X *row;
  int64_t stride;
  bool falls;
  uint64_t least; ///< where kMayHaveKey: what the keys count from

  SINTER_INLINE_MEMBER int64_t item(int64_t place) const {
    int32_t key;
    if constexpr (kMayHaveKey<X>)
      key = int32_t(uint32_t(uint64_t(row[place * stride]) - least) ^ 0x80000000u);
    else
      key = keyOf(row[place * stride]);
    return int64_t(uint64_t(falls ? ~key : key) << 32 | uint64_t(place));
  }
  SINTER_INLINE_MEMBER int64_t place(int64_t item) const { return int64_t(uint64_t(item) & 0xffffffffu); }
  SINTER_INLINE_MEMBER bool isBefore(int64_t a, int64_t b) const { return a < b; }
  SINTER_INLINE_MEMBER bool areEqual(int64_t a, int64_t b) const { return (a ^ b) >> 32 == 0; }
};

/// By the first bits, and where these are the same by the elements.
template <class X>
struct RowByFirstBits {
  const X *row;
  int64_t stride;
  bool falls;

  SINTER_INLINE_MEMBER int64_t item(int64_t place) const {
    const int32_t bits = firstBitsOf(row[place * stride]);
    return int64_t(uint64_t(falls ? ~bits : bits) << 32 | uint64_t(place));
  }
  SINTER_INLINE_MEMBER int64_t place(int64_t item) const { return int64_t(uint64_t(item) & 0xffffffffu); }
  SINTER_INLINE_MEMBER bool isBefore(int64_t a, int64_t b) const {
    if ((a ^ b) >> 32 != 0)
      return a < b;
    const int c = compareElements(row[place(a) * stride], row[place(b) * stride]);
    return c == 0 ? a < b : (c < 0) != falls;
  }
  SINTER_INLINE_MEMBER bool areEqual(int64_t a, int64_t b) const {
    return (a ^ b) >> 32 == 0 && compareElements(row[place(a) * stride], row[place(b) * stride]) == 0;
  }
};

template <class X>
struct RowByPlace {
  const X *row;
  int64_t stride;
  bool falls;

  SINTER_INLINE_MEMBER int64_t item(int64_t place) const { return place; }
  SINTER_INLINE_MEMBER int64_t place(int64_t item) const { return item; }
  SINTER_INLINE_MEMBER bool isBefore(int64_t a, int64_t b) const {
    const int c = compareElements(row[a * stride], row[b * stride]);
    return c == 0 ? a < b : (c < 0) != falls;
  }
  SINTER_INLINE_MEMBER bool areEqual(int64_t a, int64_t b) const {
    return compareElements(row[a * stride], row[b * stride]) == 0;
  }
};

/// use(order) with the one of them that sorts n elements of the row, falling or rising.
template <class X, class Use>
SINTER_FUNCTION void withRowOrder(const X *row, int64_t stride, int64_t n, bool falls, Use use) {
  constexpr bool arePlacesShort = sizeof(void *) == 4;
  if constexpr (kHasKey<X>) {
    if (arePlacesShort || n <= int64_t(UINT32_MAX)) {
      use(RowByKey<X>{row, stride, falls, 0});
      return;
    }
  } else if constexpr (kMayHaveKey<X>) {
    X least = n > 0 ? row[0] : X(0), most = least;
    for (int64_t i = 0; i < n; ++i) {
      const X x = row[i * stride];
      least = x < least ? x : least;
      most = x > most ? x : most;
    }
    if (n <= int64_t(UINT32_MAX) && uint64_t(most) - uint64_t(least) <= UINT32_MAX) {
      use(RowByKey<X>{row, stride, falls, uint64_t(least)});
      return;
    }
  }
  if constexpr (kHasFirstBits<X>) {
    if (arePlacesShort || n <= int64_t(UINT32_MAX)) {
      use(RowByFirstBits<X>{row, stride, falls});
      return;
    }
  }
  if constexpr (!(kHasKey<X> || kHasFirstBits<X>) || !arePlacesShort)
    use(RowByPlace<X>{row, stride, falls});
}

} // namespace
} // namespace sinter
