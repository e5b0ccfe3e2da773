// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f16 and bf16: two bytes of storage and their exact conversions to and from float, one lane or many.
// Arithmetic happens in float; convert.h and vec.h's load and store call these. By bits, so that every target agrees.
#pragma once

#include "runtime-lite/vec_type.h"

namespace sinter {
namespace {

struct f16 {
  uint16_t bits;
};
struct bf16 {
  uint16_t bits;
};
template <class T>
constexpr bool kIsHalf = kSame<T, f16> || kSame<T, bf16>;

/// Chooses by an all-ones or all-zeros word; works for one lane and for many.
template <class U>
SINTER_INLINE U blendBits(U mask, U a, U b) {
  return U((a & mask) | (b & ~mask));
}
/// All ones where a < b; both below 2^31.
template <class U>
SINTER_INLINE U lessBits(U a, U b) {
  using I = SignedOf<U>;
  return (U)((I)(a - b) >> 31);
}

/// float's bits from binary16's, widened to 32 bits each.
template <class U>
SINTER_INLINE U f16ToFloatBits(U h) {
  using F = Like<U, float>;
  const U sign = (h & 0x8000u) << 16;
  const U magnitude = (h & 0x7fffu) << 13;
  // Normal numbers move their exponent by 112. Subnormals become normal by the subtraction of 2^-14, which is exact.
  const U normal = magnitude + (112u << 23);
  const U subnormal = bitCast<U>(bitCast<F>(magnitude + (113u << 23)) - 0x1p-14f);
  const U special = magnitude | 0x7f800000u;
  U r = blendBits(lessBits(h & 0x7fffu, U{} + 0x0400u), subnormal, normal);
  r = blendBits(lessBits(U{} + 0x7bffu, h & 0x7fffu), special, r);
  // A signalling NaN comes out quiet, as hardware has it.
  const U nan = lessBits(U{} + 0x7c00u, h & 0x7fffu);
  return r | sign | (nan & 0x00400000u);
}

/// binary16's bits, in the low half of each word, from float's: to nearest even, overflow to infinity.
template <class U>
SINTER_INLINE U floatToF16Bits(U f) {
  using F = Like<U, float>;
  const U sign = (f >> 16) & 0x8000u;
  const U a = f & 0x7fffffffu;
  // Adding half of the last kept bit, less one where that bit is even, rounds by carry, into the exponent too.
  const U normal = (a - (112u << 23) + 0x0fffu + ((a >> 13) & 1u)) >> 13;
  // Below 2^-14 the addition of 0.5 aligns the value so that the hardware rounds at binary16's last bit.
  const U subnormal = bitCast<U>(bitCast<F>(a) + 0.5f) - 0x3f000000u;
  const U nan = U{} + 0x7e00u;
  U r = blendBits(lessBits(a, U{} + 0x38800000u), subnormal, normal);
  r = blendBits(lessBits(a, U{} + 0x477ff000u), r, U{} + 0x7c00u);
  r = blendBits(lessBits(U{} + 0x7f800000u, a), nan | ((a >> 13) & 0x03ffu), r);
  return r | sign;
}

template <class U>
SINTER_INLINE U bf16ToFloatBits(U h) {
  return h << 16;
}

template <class U>
SINTER_INLINE U floatToBf16Bits(U f) {
  const U rounded = (f + 0x7fffu + ((f >> 16) & 1u)) >> 16;
  const U nan = (f >> 16) | 0x0040u;
  return blendBits(lessBits(U{} + 0x7f800000u, f & 0x7fffffffu), nan, rounded);
}

/// N lanes of float from N storage words of H, and back. x86 converts f16 by F16C, AArch64 and GPUs by instructions of
/// their own; all give the bits of the functions above, GPUs one NaN for all.
template <class H, class U16>
SINTER_INLINE Like<U16, float> halfToFloat(U16 bits) {
  constexpr int n = kLanesOf<U16>;
  using F = Like<U16, float>;
  using U = Like<U16, uint32_t>;
  if constexpr (kSame<H, bf16>) {
    if constexpr (n == 1)
      return bitCast<float>(uint32_t(bits) << 16);
    else
      return bitCast<F>(bf16ToFloatBits(SINTER_CONVERT_LANES(bits, U)));
  } else {
#if defined(__CUDA_ARCH__)
    if constexpr (n == 1) {
      float r;
      asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(bits));
      return r;
    } else
#elif defined(__F16C__) && defined(__clang__) && __clang_major__ >= 17 // 22 has no builtins of the instruction's
    if constexpr (n == 1)
      return float(bitCast<_Float16>(uint16_t(bits)));
    else if constexpr (n == 4 || n == 8 || n == 16)
      return __builtin_convertvector(bitCast<Vec<_Float16, n>>(bits), F);
    else
#elif defined(__F16C__)
    if constexpr (n == 1)
      return __builtin_ia32_vcvtph2ps((Vec<short, 8>)Vec<uint16_t, 8>{bits})[0];
    else if constexpr (n == 4)
      return (F)__builtin_ia32_vcvtph2ps((Vec<short, 8>)Vec<int64_t, 2>{bitCast<int64_t>(bits)});
    else if constexpr (n == 8)
      return (F)__builtin_ia32_vcvtph2ps256((Vec<short, 8>)bits);
#if defined(__AVX512F__)
    else if constexpr (n == 16)
      return (F)__builtin_ia32_vcvtph2ps512_mask((Vec<short, 16>)bits, F{}, uint16_t(-1), 4);
#endif
    else
#elif defined(__aarch64__) && defined(__GNUC__)
    if constexpr (n == 1)
      return float(bitCast<__fp16>(uint16_t(bits)));
    else if constexpr (n == 4)
#if defined(__clang__)
      return __builtin_convertvector(bitCast<Vec<__fp16, 4>>(bits), F);
#else
      return __builtin_aarch64_float_extend_lo_v4sf(bitCast<Vec<__fp16, 4>>(bits)); // one instruction; the above are 16
#endif
    else
#endif
        if constexpr (n == 1)
      return bitCast<float>(f16ToFloatBits(uint32_t(bits)));
    else
      return bitCast<F>(f16ToFloatBits(SINTER_CONVERT_LANES(bits, U)));
  }
}

template <class H, class F>
SINTER_INLINE Like<F, uint16_t> floatToHalf(F v) {
  constexpr int n = kLanesOf<F>;
  using U16 = Like<F, uint16_t>;
  using U = Like<F, uint32_t>;
  if constexpr (kSame<H, bf16>) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (n == 1) {
      uint16_t r;
      asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(v));
      return r;
    } else
#endif
        if constexpr (n == 1)
      return uint16_t(floatToBf16Bits(bitCast<uint32_t>(v)));
    else
      return SINTER_CONVERT_LANES(floatToBf16Bits(bitCast<U>(v)), U16);
  } else {
#if defined(__CUDA_ARCH__)
    if constexpr (n == 1) {
      uint16_t r;
      asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(v));
      return r;
    } else
#elif defined(__F16C__)
    if constexpr (n == 1)
      return uint16_t(__builtin_ia32_vcvtps2ph(Vec<float, 4>{v}, 4)[0]);
    else if constexpr (n == 4)
      return bitCast<U16>(((Vec<int64_t, 2>)__builtin_ia32_vcvtps2ph(v, 4))[0]);
    else if constexpr (n == 8)
      return (U16)__builtin_ia32_vcvtps2ph256(v, 4);
#if defined(__AVX512F__)
    else if constexpr (n == 16)
      return (U16)__builtin_ia32_vcvtps2ph512_mask(v, 4, Vec<short, 16>{}, uint16_t(-1));
#endif
    else
#elif defined(__aarch64__) && defined(__GNUC__)
    if constexpr (n == 1)
      return bitCast<uint16_t>(__fp16(v));
    else if constexpr (n == 4)
#if defined(__clang__)
      return bitCast<U16>(__builtin_convertvector(v, Vec<__fp16, 4>));
#else
      return bitCast<U16>(__builtin_aarch64_float_truncate_lo_v4hf(v));
#endif
    else
#endif
        if constexpr (n == 1)
      return uint16_t(floatToF16Bits(bitCast<uint32_t>(v)));
    else
      return SINTER_CONVERT_LANES(floatToF16Bits(bitCast<U>(v)), U16);
  }
}

} // namespace
} // namespace sinter
