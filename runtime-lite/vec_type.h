// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vec<T, N>: a GCC vector of N lanes, plain T for one lane, and the traits that let one body serve both.
// kLanes<T> is this target's natural width. Operations are in vec.h; start there.
#pragma once

#include "runtime-lite/compiler.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define SINTER_VECTOR_BYTES 64
#elif defined(__AVX__)
#define SINTER_VECTOR_BYTES 32
#elif defined(__riscv_vector)
#define SINTER_VECTOR_BYTES 16
#elif defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__) || defined(__ALTIVEC__)
#define SINTER_VECTOR_BYTES 16
#else
#define SINTER_VECTOR_BYTES 1
#endif

namespace sinter {
namespace {

#if defined(SINTER_IS_GNU)
template <class T, int N>
struct VecOf {
  typedef T Type __attribute__((vector_size(sizeof(T) * size_t(N))));
};
#else
template <class T, int N>
struct VecOf;
#endif
template <class T>
struct VecOf<T, 1> {
  using Type = T;
};
template <class T, int N>
using Vec = typename VecOf<T, N>::Type;

/// How many lanes of T one register holds; 1 where there are no vectors. A body that mixes element sizes runs at the
/// lanes of its widest.
template <class T>
constexpr int kLanes = SINTER_VECTOR_BYTES > sizeof(T) ? int(SINTER_VECTOR_BYTES / sizeof(T)) : 1;

/// Vector registers of the target.
#if SINTER_VECTOR_BYTES == 64 || defined(__aarch64__) || defined(__riscv_vector)
constexpr int kVectorRegisters = 32;
#else
constexpr int kVectorRegisters = 16;
#endif

/// A size known while compiling. Kernels take sizes as Fixed or as int64_t: one text, specialised where that pays.
template <int64_t N>
struct Fixed {
  static constexpr int64_t value = N;
  SINTER_HOST_DEVICE constexpr operator int64_t() const { return N; }
};
/// The value of a Fixed type; -1 for a run-time size.
template <class T>
constexpr int64_t kFixed = -1;
template <int64_t N>
constexpr int64_t kFixed<Fixed<N>> = N;

/// What a loop hands to a generic body to name its value type: `using V = typename decltype(tag)::Type`.
template <class V>
struct Tag {
  using Type = V;
};

template <class A, class B>
constexpr bool kSame = false;
template <class A>
constexpr bool kSame<A, A> = true;

template <class T>
struct NoRef {
  using Type = T;
};
template <class T>
struct NoRef<T &> {
  using Type = T;
};
template <class...>
using Void = void;

template <class V, class = void>
struct VecTraits {
  using Element = V;
  static constexpr int lanes = 1;
};
template <class V>
struct VecTraits<V, Void<decltype((*static_cast<V *>(nullptr))[0])>> {
  using Element = typename NoRef<decltype((*static_cast<V *>(nullptr))[0])>::Type;
  static constexpr int lanes = int(sizeof(V) / sizeof(Element));
};
template <class V>
using ElementOf = typename VecTraits<V>::Element;
template <class V>
constexpr int kLanesOf = VecTraits<V>::lanes;

/// As many lanes as V has, of element type U.
template <class V, class U>
using Like = Vec<U, kLanesOf<V>>;

template <bool C, class A, class B>
struct IfType {
  using Type = A;
};
template <class A, class B>
struct IfType<false, A, B> {
  using Type = B;
};

template <class T>
constexpr bool kIsFloat = kSame<ElementOf<T>, float> || kSame<ElementOf<T>, double>;
template <class T>
constexpr bool kIsSigned = ElementOf<T>(-1) < ElementOf<T>(0);

/// The integers as wide as V's element, lane by lane.
template <size_t Bytes>
struct IntOfSize;
template <>
struct IntOfSize<1> {
  using Signed = int8_t;
  using Unsigned = uint8_t;
};
template <>
struct IntOfSize<2> {
  using Signed = int16_t;
  using Unsigned = uint16_t;
};
template <>
struct IntOfSize<4> {
  using Signed = int32_t;
  using Unsigned = uint32_t;
};
template <>
struct IntOfSize<8> {
  using Signed = int64_t;
  using Unsigned = uint64_t;
};
template <class V>
using SignedOf = Like<V, typename IntOfSize<sizeof(ElementOf<V>)>::Signed>;
template <class V>
using UnsignedOf = Like<V, typename IntOfSize<sizeof(ElementOf<V>)>::Unsigned>;

/// What V's comparisons yield: bool, or lanes of 0 and -1.
template <class V, int Lanes = kLanesOf<V>>
struct MaskType {
  using Type = SignedOf<V>;
};
template <class V>
struct MaskType<V, 1> {
  using Type = bool;
};
template <class V>
using MaskOf = typename MaskType<V>::Type;

/// The same bits as another type of the same size.
template <class To, class From>
SINTER_INLINE To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "bitCast keeps the size");
  To to;
  SINTER_COPY(&to, &from, sizeof(To));
  return to;
}

} // namespace
} // namespace sinter
