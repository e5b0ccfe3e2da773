// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a core does beside multiply-adds of vectors: its clock, single floats, sums that wait for each other,
// products of bytes. Loops that compilers can neither fold nor turn into vectors. For peak.cpp.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#define SINTER_FLOAT_REGISTER "+x"
#elif defined(__aarch64__)
#define SINTER_FLOAT_REGISTER "+w"
#elif defined(__arm__)
#define SINTER_FLOAT_REGISTER "+t"
#elif defined(__riscv)
#define SINTER_FLOAT_REGISTER "+f"
#else
#define SINTER_FLOAT_REGISTER "+m"
#endif
#if defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// So many cycles: each exclusive-or of a register needs the last one's result, and takes one cycle on every CPU.
inline uint64_t waitingXors(int64_t rounds, uint64_t x, uint64_t y) {
  for (int64_t round = 0; round < rounds; ++round) {
    x ^= y;
    asm volatile("" : "+r"(x), "+r"(y));
  }
  return x;
}

/// Multiply-adds of floats of which each adds to the last one's result.
inline float waitingSums(int64_t rounds, float sum, float x, float y) {
  for (int64_t round = 0; round < rounds; ++round) {
    sum += x * y;
    asm volatile("" : SINTER_FLOAT_REGISTER(sum), SINTER_FLOAT_REGISTER(x));
  }
  return sum;
}

/// Eight additions of single floats a round, which do not wait for each other. Each has a name: in an array they would
/// lie in memory.
inline float singleAdditions(int64_t rounds, float x, float y) {
  float a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x;
  for (int64_t round = 0; round < rounds; ++round) {
    a += y, b += y, c += y, d += y, e += y, f += y, g += y, h += y;
    asm volatile(""
                 : SINTER_FLOAT_REGISTER(a), SINTER_FLOAT_REGISTER(b), SINTER_FLOAT_REGISTER(c),
                   SINTER_FLOAT_REGISTER(d), SINTER_FLOAT_REGISTER(e), SINTER_FLOAT_REGISTER(f),
                   SINTER_FLOAT_REGISTER(g), SINTER_FLOAT_REGISTER(h));
  }
  return a + b + c + d + e + f + g + h;
}

/// Products of bytes that are added up in a round of chains, by the instruction that templates/dot4/int_dot.h
/// takes for them; none: as floats are multiplied.
#if defined(__AVX512VNNI__)
using ByteSums = __m512i;
inline ByteSums byteStart(int value) { return _mm512_set1_epi8(static_cast<char>(value)); }
inline ByteSums byteStep(ByteSums sum, ByteSums x) { return _mm512_dpbusd_epi32(sum, x, x); }
constexpr int byteProducts = 64;
#elif defined(__AVXVNNI__)
using ByteSums = __m256i;
inline ByteSums byteStart(int value) { return _mm256_set1_epi8(static_cast<char>(value)); }
inline ByteSums byteStep(ByteSums sum, ByteSums x) { return _mm256_dpbusd_avx_epi32(sum, x, x); }
constexpr int byteProducts = 32;
#elif defined(__AVX2__)
using ByteSums = __m256i;
inline ByteSums byteStart(int value) { return _mm256_set1_epi8(static_cast<char>(value)); }
inline ByteSums byteStep(ByteSums sum, ByteSums x) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, sum), x));
}
constexpr int byteProducts = 32;
#elif defined(__ARM_FEATURE_DOTPROD)
using ByteSums = int32x4_t;
inline ByteSums byteStart(int value) { return vreinterpretq_s32_s8(vdupq_n_s8(static_cast<int8_t>(value))); }
inline ByteSums byteStep(ByteSums sum, ByteSums x) {
  return vdotq_s32(sum, vreinterpretq_s8_s32(x), vreinterpretq_s8_s32(x));
}
constexpr int byteProducts = 16;
#elif defined(__ARM_NEON)
using ByteSums = int32x4_t;
inline ByteSums byteStart(int value) { return vreinterpretq_s32_s8(vdupq_n_s8(static_cast<int8_t>(value))); }
inline ByteSums byteStep(ByteSums sum, ByteSums x) {
  const int8x8_t half = vget_low_s8(vreinterpretq_s8_s32(x));
  return vpadalq_s16(sum, vmull_s8(half, half));
}
constexpr int byteProducts = 8;
#else
using ByteSums = int32_t;
inline ByteSums byteStart(int value) { return value; }
inline ByteSums byteStep(ByteSums sum, ByteSums x) {
  asm volatile("" : "+r"(x));
  return sum + x * x;
}
constexpr int byteProducts = 1;
#endif

constexpr int byteChains = 12;
inline ByteSums byteRounds(int64_t rounds, int value) {
  // They start apart: of chains that are equal one would be computed for all.
  const ByteSums x = byteStart(value);
  ByteSums a = byteStart(value + 1), b = byteStart(value + 2), c = byteStart(value + 3), d = byteStart(value + 4);
  ByteSums e = byteStart(value + 5), f = byteStart(value + 6), g = byteStart(value + 7), h = byteStart(value + 8);
  ByteSums i = byteStart(value + 9), j = byteStart(value + 10), k = byteStart(value + 11), l = byteStart(value + 12);
  for (int64_t round = 0; round < rounds; ++round) {
    a = byteStep(a, x), b = byteStep(b, x), c = byteStep(c, x), d = byteStep(d, x);
    e = byteStep(e, x), f = byteStep(f, x), g = byteStep(g, x), h = byteStep(h, x);
    i = byteStep(i, x), j = byteStep(j, x), k = byteStep(k, x), l = byteStep(l, x);
  }
  a = byteStep(byteStep(byteStep(a, b), byteStep(c, d)), byteStep(byteStep(e, f), byteStep(g, h)));
  return byteStep(a, byteStep(byteStep(i, j), byteStep(k, l)));
}
