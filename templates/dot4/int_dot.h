// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes, four to an int32 lane: what VNNI, AVX-VNNI and NEON's dot products do in one instruction, and
// exactly the same sums on targets without these. Under int_tile.h and int_depthwise.h.
//
// Weights are signed. Activations are what the target multiplies best: the x86 instructions want them unsigned, the
// Arm ones signed; bytes of the other kind are flipped (x ^ 0x80), and the compiler moves their zero point by 128.
#pragma once

#include "runtime-lite/scalar.h"

namespace sinter {
namespace {

#if defined(__aarch64__)
// gcc takes armv8-a+dotprod, its assembler has the instructions from armv8.2-a on.
#if defined(__clang__) || defined(__ARM_FEATURE_SVE)
#define SINTER_DOT_ARCH
#else
#define SINTER_DOT_ARCH ".arch armv8.6-a+fp16\n\t"
#endif
#endif

/// How a kernel takes the bytes of its activations: as signed ones or not, after a flip or not, and so many at a time,
/// which its weights have together for each column. Of how many rows it multiplies as fast as of one. From 0 on: pairs
/// of weights are small, with so many extra fours for each panel (weight_pairs.h).
/// kWords: weights are 16-bit integers (panel_words.h).
template <bool kSigned, bool kFlipped, int kTogether = 4, int kRowsTogether = 1, int kExtras = -1, bool kWords = false>
struct ByteKind {
  static constexpr bool isSigned = kSigned, isFlipped = kFlipped, isPaired = kExtras >= 0, isWords = kWords;
  static constexpr int together = kTogether, rowsTogether = kRowsTogether, extras = isPaired ? kExtras : 0;
  static constexpr bool fillsRests = false;
  static_assert(!isPaired || (!isSigned && together == 4), "pairs are of unsigned bytes");
};
using UnsignedBytes = ByteKind<false, false>;
using SignedBytes = ByteKind<true, false>;
using FlippedToUnsigned = ByteKind<false, true>;
using FlippedToSigned = ByteKind<true, true>;
/// Eight at a time: matrix_tile.h.
template <class X>
using InEights = ByteKind<X::isSigned, X::isFlipped, 8, 2>;
template <int kExtras>
using PairedBytes = ByteKind<false, false, 4, 1, kExtras>;
template <int kExtras>
using FlippedToPaired = ByteKind<false, true, 4, 1, kExtras>;

/// What a kernel takes the byte for.
template <class X>
SINTER_INLINE int32_t byteValue(uint8_t byte) {
  const auto bits = uint8_t(X::isFlipped ? byte ^ 0x80 : byte);
  return X::isSigned ? int32_t(int8_t(bits)) : int32_t(bits);
}

/// Every lane the four bytes at p.
template <class X, class V>
SINTER_INLINE V fourAt(const uint8_t *p) {
  int32_t four;
  memcpy(&four, p, sizeof(four));
  const V v = splat<V>(four);
  return X::isFlipped ? v ^ splat<V>(int32_t(0x80808080u)) : v;
}
/// Fewer than four bytes, the first one lowest; what stands for the others meets weights of zero.
template <class X, class V, class N>
SINTER_INLINE V fourAt(const uint8_t *p, N n) {
  uint32_t four = 0;
  for (int i = 0; i < 3 && i < n; ++i)
    four |= uint32_t(p[i]) << 8 * i;
  const V v = splat<V>(int32_t(four));
  return X::isFlipped ? v ^ splat<V>(int32_t(0x80808080u)) : v;
}

/// Whether dot products of bytes are made of products of int16 here.
#if (defined(__SSE2__) || defined(__wasm_simd128__)) && !defined(__AVX512VNNI__) && !defined(__AVXVNNI__)
[[maybe_unused]] constexpr bool kMultipliesPairs = true;
#else
[[maybe_unused]] constexpr bool kMultipliesPairs = false;
#endif

#if defined(__SSE2__) || defined(__wasm_simd128__)
/// For each int32 lane the sum of two products of int16.
template <class V>
SINTER_INLINE V multiplyPairs(V a, V b) {
  using H = Vec<int16_t, 2 * kLanesOf<V>>;
  static_assert(sizeof(V) >= 16, "a register");
#if defined(__AVX512BW__) && defined(__clang__)
  if constexpr (sizeof(V) == 64)
    return __builtin_ia32_pmaddwd512((H)a, (H)b);
#elif defined(__AVX512BW__)
  if constexpr (sizeof(V) == 64)
    return __builtin_ia32_pmaddwd512_mask((H)a, (H)b, V{}, static_cast<uint16_t>(-1));
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(V) == 32)
    return __builtin_ia32_pmaddwd256((H)a, (H)b);
#endif
#if defined(__wasm_simd128__)
  if constexpr (sizeof(V) == 16)
    return __builtin_wasm_dot_s_i32x4_i16x8((H)a, (H)b);
#else
  if constexpr (sizeof(V) == 16)
    return __builtin_ia32_pmaddwd128((H)a, (H)b);
#endif
}
#if defined(__SSSE3__)
/// For each int16 lane the sum of two products of unsigned bytes of x with signed ones of w, which has to fit.
template <class V>
SINTER_INLINE Vec<int16_t, int(sizeof(V) / 2)> bytePairs(V x, V w) {
  using B = Vec<char, int(sizeof(V))>;
  using H = Vec<int16_t, int(sizeof(V) / 2)>;
  static_assert(sizeof(V) >= 16, "a register");
#if defined(__AVX512BW__) && defined(__clang__)
  if constexpr (sizeof(V) == 64)
    return (H)__builtin_ia32_pmaddubsw512((B)x, (B)w);
#elif defined(__AVX512BW__)
  if constexpr (sizeof(V) == 64)
    return (H)__builtin_ia32_pmaddubsw512_mask((B)x, (B)w, H{}, static_cast<uint32_t>(-1));
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(V) == 32)
    return (H)__builtin_ia32_pmaddubsw256((B)x, (B)w);
#endif
  if constexpr (sizeof(V) == 16)
    return (H)__builtin_ia32_pmaddubsw128((B)x, (B)w);
}
#endif
/// Bytes 0 and 2, 1 and 3 of each lane as int16.
template <bool kSigned, class V>
SINTER_INLINE V evenBytes(V x) {
  using H = Vec<int16_t, 2 * kLanesOf<V>>;
  if constexpr (kSigned)
    return (V)((H)((UnsignedOf<H>)x << 8) >> 8);
  else
    return (V)((H)x & splat<H>(0xff)); // of V gcc would mask the scalar and move it to a vector, not load it there
}
template <bool kSigned, class V>
SINTER_INLINE V oddBytes(V x) {
  using H = Vec<int16_t, 2 * kLanesOf<V>>;
  if constexpr (kSigned)
    return (V)((H)x >> 8);
  else
    return (V)((UnsignedOf<H>)x >> 8);
}
#endif

/// acc + the products of the four bytes of x (signed or not) and of w (signed), in each lane.
template <bool kSigned, class V>
SINTER_INLINE V dot4(V acc, V x, V w) {
  static_assert(kSame<ElementOf<V>, int32_t>, "sums are int32");
#if defined(__AVX512VNNI__) && defined(__clang__)
  if constexpr (!kSigned && sizeof(V) == 64)
    return __builtin_ia32_vpdpbusd512(acc, x, w);
  else
#elif defined(__AVX512VNNI__)
  if constexpr (!kSigned && sizeof(V) == 64)
    return __builtin_ia32_vpdpbusd_v16si(acc, x, w);
  else
#endif
#if (defined(__AVX512VNNI__) && defined(__AVX512VL__)) || defined(__AVXVNNI__)
      if constexpr (!kSigned && sizeof(V) == 32)
#if defined(__clang__)
    return __builtin_ia32_vpdpbusd256(acc, x, w);
  else if constexpr (!kSigned && sizeof(V) == 16)
    return __builtin_ia32_vpdpbusd128(acc, x, w);
#else
    return __builtin_ia32_vpdpbusd_v8si(acc, x, w);
  else if constexpr (!kSigned && sizeof(V) == 16)
    return __builtin_ia32_vpdpbusd_v4si(acc, x, w);
#endif
  else
#endif
#if defined(__ARM_FEATURE_MATMUL_INT8) && defined(__aarch64__)
      if constexpr (!kSigned && sizeof(V) == 16) {
    __asm__(SINTER_DOT_ARCH "usdot %0.4s, %1.16b, %2.16b" : "+w"(acc) : "w"(x), "w"(w));
    return acc;
  } else
#endif
#if defined(__ARM_FEATURE_DOTPROD) && defined(__aarch64__)
      if constexpr (kSigned && sizeof(V) == 16) {
    __asm__(SINTER_DOT_ARCH "sdot %0.4s, %1.16b, %2.16b" : "+w"(acc) : "w"(x), "w"(w));
    return acc;
  } else
#elif defined(__aarch64__)
      if constexpr (kSigned && sizeof(V) == 16) {
    V low, high;
    __asm__("smull %0.8h, %2.8b, %3.8b\n\t"
            "smull2 %1.8h, %2.16b, %3.16b\n\t"
            "saddlp %0.4s, %0.8h\n\t"
            "saddlp %1.4s, %1.8h\n\t"
            "addp %0.4s, %0.4s, %1.4s"
            : "=&w"(low), "=&w"(high)
            : "w"(x), "w"(w));
    return acc + low;
  } else
#endif
#if defined(__ARM_NEON) && !defined(__aarch64__)
      if constexpr (kSigned && sizeof(V) == 16) {
    V low, high;
    __asm__("vmull.s8 %q0, %e2, %e3\n\t"
            "vmull.s8 %q1, %f2, %f3\n\t"
            "vpaddl.s16 %q0, %q0\n\t"
            "vpaddl.s16 %q1, %q1\n\t"
            "vpadd.i32 %e0, %e0, %f0\n\t"
            "vpadd.i32 %f0, %e1, %f1"
            : "=&w"(low), "=&w"(high)
            : "w"(x), "w"(w));
    return acc + low;
  } else
#endif
#if defined(__SSE2__) || defined(__wasm_simd128__)
      if constexpr (kLanesOf<V> > 1) {
    const V even = multiplyPairs(evenBytes<kSigned>(x), evenBytes<true>(w));
    return acc + even + multiplyPairs(oddBytes<kSigned>(x), oddBytes<true>(w));
  } else
#endif
  {
    using U = UnsignedOf<V>;
    SINTER_UNROLL
    for (int shift = 24; shift >= 0; shift -= 8) {
      const U moved = (U)x << shift;
      const V a = kSigned ? (V)((V)moved >> 24) : (V)(moved >> 24);
      acc = add(acc, mul(a, (V)((V)((U)w << shift) >> 24)));
    }
    return acc;
  }
}

/// acc + the products of the four bytes of x, as X says, and of w.
template <class X, class V>
SINTER_INLINE V dotOf(V acc, V x, V w) {
#if defined(__SSSE3__) && !defined(__AVX512VNNI__) && !defined(__AVXVNNI__)
  if constexpr (X::isPaired && sizeof(V) >= 16)
    return acc + multiplyPairs((V)bytePairs(x, w), splat<V>(0x00010001));
  else
#endif
    return dot4<X::isSigned>(acc, x, w);
}

/// Whether the instruction may take one lane of a vector for all four bytes by which every lane is multiplied.
#if defined(__aarch64__) && defined(__ARM_FEATURE_DOTPROD)
[[maybe_unused]] constexpr bool kHasSignedDotByLane = true;
#else
[[maybe_unused]] constexpr bool kHasSignedDotByLane = false;
#endif
#if defined(__aarch64__) && defined(__ARM_FEATURE_MATMUL_INT8)
[[maybe_unused]] constexpr bool kHasUnsignedDotByLane = true;
#else
[[maybe_unused]] constexpr bool kHasUnsignedDotByLane = false;
#endif
template <bool kSigned, class V>
constexpr bool kHasDotByLane = sizeof(V) == 16 && (kSigned ? kHasSignedDotByLane : kHasUnsignedDotByLane);

/// acc + the products of the four bytes of lane kLane of x and of those of each lane of w.
template <bool kSigned, int kLane, class V>
SINTER_INLINE V dot4Lane(V acc, [[maybe_unused]] V x, [[maybe_unused]] V w) {
  static_assert(kHasDotByLane<kSigned, V>, "there is no such instruction");
#if defined(__ARM_FEATURE_QRDMX) && !defined(__clang__) // gcc knows how long its own ones take; armv8.1-a, see above
#if defined(__ARM_FEATURE_DOTPROD)
  if constexpr (kSigned)
    return __builtin_aarch64_sdot_laneqv16qi(acc, (Vec<int8_t, 16>)w, (Vec<int8_t, 16>)x, kLane);
#endif
#if defined(__ARM_FEATURE_MATMUL_INT8)
  if constexpr (!kSigned)
    return __builtin_aarch64_sudot_laneqv16qi_sssus(acc, (Vec<int8_t, 16>)w, (Vec<uint8_t, 16>)x, kLane);
#endif
#elif defined(__aarch64__)
  if constexpr (kSigned)
    __asm__(SINTER_DOT_ARCH "sdot %0.4s, %1.16b, %2.4b[%3]" : "+w"(acc) : "w"(w), "w"(x), "i"(kLane));
  else
    __asm__(SINTER_DOT_ARCH "sudot %0.4s, %1.16b, %2.4b[%3]" : "+w"(acc) : "w"(w), "w"(x), "i"(kLane));
#endif
  return acc;
}

} // namespace
} // namespace sinter
