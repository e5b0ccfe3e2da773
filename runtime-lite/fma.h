// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fma(a, b, c) = a * b + c: one instruction, rounded once, where the target has it; two roundings elsewhere, never a
// call. Contraction is off in generated code, so this is the only place from which fused operations come.
#pragma once

#include "runtime-lite/vec_mve.h"

#if defined(__CUDA_ARCH__)
#define SINTER_HAS_FMA 1
#elif defined(__FMA__) || defined(__aarch64__) || defined(__riscv_f)
#define SINTER_HAS_FMA 1
#elif defined(__ARM_FEATURE_FMA) && defined(__ARM_FP)
#define SINTER_HAS_FMA 1
#elif defined(__wasm_relaxed_simd__)
#define SINTER_HAS_FMA 1
#else
#define SINTER_HAS_FMA 0
#endif

namespace sinter {
namespace {

[[maybe_unused]] constexpr bool kHasFma = SINTER_HAS_FMA;
/// Whether an fma may take one lane of a vector for all of an operand, without an instruction of its own.
#if defined(__aarch64__)
[[maybe_unused]] constexpr bool kHasFmaByLane = true;
#else
[[maybe_unused]] constexpr bool kHasFmaByLane = false;
#endif

#if !SINTER_HAS_FMA
template <class V>
SINTER_INLINE V fma(V a, V b, V c) {
  return a * b + c;
}
#elif defined(__CUDA_ARCH__)
template <class V>
SINTER_INLINE V fma(V a, V b, V c) {
  V r;
  if constexpr (sizeof(V) == 4)
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  else
    asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(r) : "d"(a), "d"(b), "d"(c));
  return r;
}
#elif defined(__wasm_relaxed_simd__)
/// Rounded once or twice, as the engine's machine does it; scalars as lanes of vectors, so that both are alike.
template <class V>
SINTER_INLINE V fma(V a, V b, V c) {
  using E = ElementOf<V>;
  constexpr int lanes = 16 / int(sizeof(E));
  using Register = Vec<E, lanes>;
  if constexpr (kSame<V, Register>) {
    if constexpr (kSame<E, float>)
      return __builtin_wasm_relaxed_madd_f32x4(a, b, c);
    else
      return __builtin_wasm_relaxed_madd_f64x2(a, b, c);
  } else if constexpr (kLanesOf<V> == 1) {
    return fma(Register{a}, Register{b}, Register{c})[0];
  } else {
    V r{};
    for (int i = 0; i < kLanesOf<V>; ++i)
      r[i] = fma<E>(a[i], b[i], c[i]);
    return r;
  }
}
#elif defined(__clang__)
template <class V>
SINTER_INLINE V fma(V a, V b, V c) {
#pragma clang fp contract(on)
  return a * b + c;
}
#else
// gcc has no vector builtin that serves all targets.
template <class V>
SINTER_INLINE V fma(V a, V b, V c) {
  using E = ElementOf<V>;
  if constexpr (kSame<V, float>) {
#if defined(__ARM_FP) && !(__ARM_FP & 4)
    return a * b + c;
#else
    return __builtin_fmaf(a, b, c);
#endif
  } else if constexpr (kSame<V, double>) {
#if (defined(__ARM_FP) && !(__ARM_FP & 8)) || (defined(__riscv_f) && !defined(__riscv_d))
    return a * b + c;
#else
    return __builtin_fma(a, b, c);
#endif
#if defined(__FMA__)
#if defined(__AVX512F__)
  } else if constexpr (kSame<V, Vec<float, 16>>) {
    return __builtin_ia32_vfmaddps512_mask(a, b, c, static_cast<uint16_t>(-1), 4);
  } else if constexpr (kSame<V, Vec<double, 8>>) {
    return __builtin_ia32_vfmaddpd512_mask(a, b, c, static_cast<uint8_t>(-1), 4);
#endif
  } else if constexpr (kSame<V, Vec<float, 8>>) {
    return __builtin_ia32_vfmaddps256(a, b, c);
  } else if constexpr (kSame<V, Vec<double, 4>>) {
    return __builtin_ia32_vfmaddpd256(a, b, c);
  } else if constexpr (kSame<V, Vec<float, 4>>) {
    return __builtin_ia32_vfmaddps(a, b, c);
  } else if constexpr (kSame<V, Vec<double, 2>>) {
    return __builtin_ia32_vfmaddpd(a, b, c);
#elif defined(__aarch64__)
  } else if constexpr (kSame<V, Vec<float, 4>>) {
    return __builtin_aarch64_fmav4sf(a, b, c);
  } else if constexpr (kSame<V, Vec<float, 2>>) {
    return __builtin_aarch64_fmav2sf(a, b, c);
  } else if constexpr (kSame<V, Vec<double, 2>>) {
    return __builtin_aarch64_fmav2df(a, b, c);
#elif SINTER_MVE
  } else if constexpr (kSame<V, FourFloats>) {
    return fmaFour(a, b, c);
#endif
  } else {
    V r{};
    for (int i = 0; i < kLanesOf<V>; ++i)
      r[i] = fma<E>(a[i], b[i], c[i]);
    return r;
  }
}
#endif

} // namespace
} // namespace sinter
