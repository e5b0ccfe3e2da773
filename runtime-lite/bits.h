// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks (bool, or lanes of 0 and -1 as wide as what was compared) and bits, one lane or many; numbers with the sign
// read otherwise. The printed bodies of kernels are written in these: codegen/bodies/scalar_ops.def.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// The same mask with lanes as wide as those of M.
template <class M, class From>
SINTER_INLINE M maskLike(From m) {
  if constexpr (kLanesOf<From> == 1)
    return m;
  else
    return rawConvert<M>(m);
}
template <class A, class B>
SINTER_INLINE A maskAnd(A a, B b) {
  if constexpr (kLanesOf<A> == 1)
    return a && b;
  else
    return a & maskLike<A>(b);
}
template <class A, class B>
SINTER_INLINE A maskOr(A a, B b) {
  if constexpr (kLanesOf<A> == 1)
    return a || b;
  else
    return a | maskLike<A>(b);
}
template <class A, class B>
SINTER_INLINE A maskXor(A a, B b) {
  if constexpr (kLanesOf<A> == 1)
    return a != b;
  else
    return a ^ maskLike<A>(b);
}
template <class M>
SINTER_INLINE M maskNot(M m) {
  if constexpr (kLanesOf<M> == 1)
    return !m;
  else
    return ~m;
}
template <class M, class A, class B>
SINTER_INLINE A maskSelect(M m, A a, B b) {
  if constexpr (kLanesOf<A> == 1)
    return m ? a : b;
  else
    return (a & maskLike<A>(m)) | (maskLike<A>(b) & ~maskLike<A>(m));
}
/// The mask of V's lanes that is `m` in each.
template <class V>
SINTER_INLINE MaskOf<V> splatMask(bool m) {
  if constexpr (kLanesOf<V> == 1)
    return m;
  else
    return splat<MaskOf<V>>(m ? ElementOf<MaskOf<V>>(-1) : ElementOf<MaskOf<V>>(0));
}

template <class V>
SINTER_INLINE V bitAnd(V a, V b) {
  return V(a & b);
}
template <class V>
SINTER_INLINE V bitOr(V a, V b) {
  return V(a | b);
}
template <class V>
SINTER_INLINE V bitXor(V a, V b) {
  return V(a ^ b);
}
template <class V>
SINTER_INLINE auto lowBit(V a) {
  return V(a & V(V{} + ElementOf<V>(1))) != V{};
}

/// The same bits read without and with a sign.
template <class V>
SINTER_INLINE UnsignedOf<V> toUnsigned(V v) {
  return (UnsignedOf<V>)v;
}
template <class V>
SINTER_INLINE SignedOf<V> toSigned(V v) {
  return (SignedOf<V>)v;
}

/// IEEE 754-2019's maximumNumber and minimumNumber: a NaN loses against a number.
template <class V>
SINTER_INLINE V maxNumber(V a, V b) {
  return select(b == b, select(a >= b, a, b), a);
}
template <class V>
SINTER_INLINE V minNumber(V a, V b) {
  return select(b == b, select(a <= b, a, b), a);
}

/// A float as H (f16, bf16) would hold it.
template <class H, class V>
SINTER_INLINE V roundTo(V v) {
  return halfToFloat<H>(floatToHalf<H>(v));
}

} // namespace
} // namespace sinter
