// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two 16-bit products at a time, as the DSP extension of Armv7E-M and Armv8-M has them: each function here is one
// instruction there, and the same arithmetic in plain C++ elsewhere. dual_tile.h and dual_depthwise.h are made of
// these.
#pragma once

#include "runtime-lite/vec_type.h"

#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE)
#if __ARM_ARCH_PROFILE == 'M'
#define SINTER_DUAL_MAC 1
#if defined(__ARM_FP) && (__ARM_FP & 4)
#define SINTER_DUAL_FLOAT 1
#endif
// Blocks that fill all registers by hand need a compiler that leaves them these.
#if !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__PIC__)
#define SINTER_DUAL_BLOCKS 1
#endif
#endif
#endif

namespace sinter {
namespace {

/// A word of two 16-bit or four 8-bit elements; needs no more than the elements' alignment.
template <class T>
SINTER_INLINE int32_t loadWord(const T *p) {
  int32_t word;
  SINTER_COPY(&word, p, sizeof(word));
  return word;
}
template <class T>
SINTER_INLINE void storeWord(T *p, int32_t word) {
  SINTER_COPY(p, &word, sizeof(word));
}
/// A word of `count` bytes, at most four; zeros behind them.
template <class T>
SINTER_INLINE int32_t loadBytes(const T *p, int32_t count) {
  if (count >= 4)
    return loadWord(p);
  uint32_t word = 0;
  for (int32_t i = 0; i < count; ++i)
    word |= uint32_t(uint8_t(p[i])) << (8 * i);
  return int32_t(word);
}
SINTER_INLINE constexpr int32_t wrapAdd(int32_t a, int32_t b) { return int32_t(uint32_t(a) + uint32_t(b)); }
SINTER_INLINE constexpr int32_t wrapSubtract(int32_t a, int32_t b) { return int32_t(uint32_t(a) - uint32_t(b)); }
SINTER_INLINE constexpr int32_t lowHalf(int32_t a) { return int16_t(a); }
SINTER_INLINE constexpr int32_t highHalf(int32_t a) { return int16_t(uint32_t(a) >> 16); }
/// Two halves, modulo 2^16 each, as one word.
SINTER_INLINE constexpr int32_t halves(int32_t low, int32_t high) {
  return int32_t((uint32_t(low) & 0xffff) | uint32_t(high) << 16);
}

#if defined(SINTER_DUAL_MAC)
#define SINTER_ONE_INSTRUCTION(text, ...)                                                                              \
  int32_t result;                                                                                                      \
  asm(text : "=r"(result) : __VA_ARGS__);                                                                              \
  return result
#endif

/// sum + low(a) low(b) + high(a) high(b), modulo 2^32.
SINTER_INLINE int32_t dualMac(int32_t a, int32_t b, int32_t sum) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("smlad %0, %1, %2, %3", "r"(a), "r"(b), "r"(sum));
#else
  return wrapAdd(sum, wrapAdd(lowHalf(a) * lowHalf(b), highHalf(a) * highHalf(b)));
#endif
}
/// Both halves added or subtracted, modulo 2^16 each.
SINTER_INLINE int32_t dualAdd(int32_t a, int32_t b) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("sadd16 %0, %1, %2", "r"(a), "r"(b));
#else
  return halves(lowHalf(a) + lowHalf(b), highHalf(a) + highHalf(b));
#endif
}
SINTER_INLINE int32_t dualSubtract(int32_t a, int32_t b) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("ssub16 %0, %1, %2", "r"(a), "r"(b));
#else
  return halves(lowHalf(a) - lowHalf(b), highHalf(a) - highHalf(b));
#endif
}
/// sum + low(a) high(b) and sum + high(a) low(b).
SINTER_INLINE int32_t lowHighMac(int32_t a, int32_t b, int32_t sum) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("smlabt %0, %1, %2, %3", "r"(a), "r"(b), "r"(sum));
#else
  return wrapAdd(sum, lowHalf(a) * highHalf(b));
#endif
}
SINTER_INLINE int32_t highLowMac(int32_t a, int32_t b, int32_t sum) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("smlatb %0, %1, %2, %3", "r"(a), "r"(b), "r"(sum));
#else
  return wrapAdd(sum, highHalf(a) * lowHalf(b));
#endif
}

/// The halves of `zero` plus bytes 0 and 2 of a word, or 1 and 3, extended as T is.
template <class T>
SINTER_INLINE int32_t widenEven(int32_t zero, int32_t bytes) {
#if defined(SINTER_DUAL_MAC)
  if constexpr (kSame<T, int8_t>) {
    SINTER_ONE_INSTRUCTION("sxtab16 %0, %1, %2", "r"(zero), "r"(bytes));
  } else {
    SINTER_ONE_INSTRUCTION("uxtab16 %0, %1, %2", "r"(zero), "r"(bytes));
  }
#else
  return halves(lowHalf(zero) + T(bytes), highHalf(zero) + T(uint32_t(bytes) >> 16));
#endif
}
template <class T>
SINTER_INLINE int32_t widenOdd(int32_t zero, int32_t bytes) {
#if defined(SINTER_DUAL_MAC)
  if constexpr (kSame<T, int8_t>) {
    SINTER_ONE_INSTRUCTION("sxtab16 %0, %1, %2, ror #8", "r"(zero), "r"(bytes));
  } else {
    SINTER_ONE_INSTRUCTION("uxtab16 %0, %1, %2, ror #8", "r"(zero), "r"(bytes));
  }
#else
  return halves(lowHalf(zero) + T(uint32_t(bytes) >> 8), highHalf(zero) + T(uint32_t(bytes) >> 24));
#endif
}
/// (low(a), low(b)), (low(a), high(b)) and (high(a), high(b)).
SINTER_INLINE int32_t lowHalves(int32_t a, int32_t b) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("pkhbt %0, %1, %2, lsl #16", "r"(a), "r"(b));
#else
  return halves(a, b);
#endif
}
SINTER_INLINE int32_t lowHighHalves(int32_t a, int32_t b) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("pkhbt %0, %1, %2", "r"(a), "r"(b));
#else
  return halves(a, highHalf(b));
#endif
}
SINTER_INLINE int32_t highHalves(int32_t a, int32_t b) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("pkhtb %0, %1, %2, asr #16", "r"(b), "r"(a));
#else
  return halves(highHalf(a), highHalf(b));
#endif
}
/// sum + a b / 2^32, rounded to nearest, halves up; modulo 2^32.
SINTER_INLINE int32_t highMac(int32_t a, int32_t b, int32_t sum) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("smmlar %0, %1, %2, %3", "r"(a), "r"(b), "r"(sum));
#else
  return wrapAdd(sum, int32_t((int64_t(a) * b + (int64_t(1) << 31)) >> 32));
#endif
}

/// Keeps a value in its register from here on: compilers would rather load or compute it again.
SINTER_INLINE void pin(int32_t &x) { asm volatile("" : "+r"(x)); }

/// Words kAt and kAt + 1 from p on.
template <int kAt, class T>
SINTER_INLINE void loadTwo(const T *p, int32_t &first, int32_t &second) {
#if defined(SINTER_DUAL_MAC)
  if constexpr (4 * kAt <= 1020) {
    asm volatile("ldrd %0, %1, [%2, #%c3]" : "=r"(first), "=r"(second) : "r"(p), "i"(4 * kAt) : "memory");
    return;
  }
#endif
  first = loadWord(p + 4 / sizeof(T) * kAt);
  second = loadWord(p + 4 / sizeof(T) * (kAt + 1));
}

/// Two filters in one word: each half is 256 w1 + w0, a signed sum. What of it is w0: the even bytes, extended.
SINTER_INLINE int32_t firstOfPair(int32_t pair) { return widenEven<int8_t>(0, pair); }
/// The second filter's sum, from the sum over 256 w1 + w0 and the sum over w0: exact where it is within 24 bits.
SINTER_INLINE int32_t secondOfPair(int32_t both, int32_t first) {
  return int32_t(uint32_t(both) - uint32_t(first)) >> 8;
}

} // namespace
} // namespace sinter
