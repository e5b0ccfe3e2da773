// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an int32 sum to a quantized element: the definition in float, and the same by one multiplication of integers
// where the compiler has proved for a channel that no sum within its bounds makes a difference.
#pragma once

#include "templates/dual/dual_mac.h"

namespace sinter {
namespace {

/// x rounded to nearest even as an integer, limited to int32's range; 0 for NaN.
SINTER_INLINE int32_t roundToInt(float x) {
#if defined(SINTER_DUAL_FLOAT)
  float rounded;
  int32_t result;
  asm("vcvtr.s32.f32 %0, %1" : "=t"(rounded) : "t"(x));
  SINTER_COPY(&result, &rounded, sizeof(result));
  return result;
#else
  constexpr float whole = 8388608.0f; // from here on every float is an integer
  if (!(x == x))
    return 0;
  if (x >= whole || x <= -whole)
    return x >= 2147483648.0f ? 2147483647 : x <= -2147483648.0f ? -2147483647 - 1 : int32_t(x);
  return int32_t(x < 0 ? (x - whole) + whole : (x + whole) - whole);
#endif
}
/// a + b, limited to int32's range.
SINTER_INLINE int32_t saturatingAdd(int32_t a, int32_t b) {
#if defined(SINTER_DUAL_MAC)
  SINTER_ONE_INSTRUCTION("qadd %0, %1, %2", "r"(a), "r"(b));
#else
  const int64_t sum = int64_t(a) + b;
  return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : int32_t(sum);
#endif
}
template <int kLow, int kHigh>
SINTER_INLINE int32_t limited(int32_t x) {
#if defined(SINTER_DUAL_MAC)
  if constexpr (kLow == -128 && kHigh == 127) {
    SINTER_ONE_INSTRUCTION("ssat %0, #8, %1", "r"(x));
  } else if constexpr (kLow == 0 && kHigh == 255) {
    SINTER_ONE_INSTRUCTION("usat %0, #8, %1", "r"(x));
  }
#endif
  x = x < kLow ? kLow : x;
  return x > kHigh ? kHigh : x;
}

/// An epilogue that kernels know: one word per filter, which lies with the packed weights. kLow .. kHigh: results.
template <int kLow, int kHigh>
struct Rescale {
  int32_t zero;

  /// As the filter's word says: a factor that is proved is positive, the definition's has its sign bit set.
  SINTER_INLINE_MEMBER int32_t operator()(int32_t sum, int32_t word) const {
    return word >= 0 ? proved(sum, word) : defined(sum, word);
  }
  /// The factor times 2^32, for filters that are proved to come out right.
  SINTER_INLINE_MEMBER int32_t proved(int32_t sum, int32_t factor) const {
    return limited<kLow, kHigh>(highMac(sum, factor, zero));
  }
  /// The definition, by the factor's bits as a float but for the sign.
  SINTER_INLINE_MEMBER int32_t defined(int32_t sum, int32_t factor) const {
    factor &= 0x7fffffff;
    float f;
    SINTER_COPY(&f, &factor, sizeof(f));
    return limited<kLow, kHigh>(saturatingAdd(roundToInt(float(sum) * f), zero));
  }
};

/// A Rescale and what is made of its element: then(element, n, c, h, w), or (element, i, j) in a matrix product. It may
/// read what the output lies over, so it runs once for each output.
template <int kLow, int kHigh, class Then>
struct RescaleThen {
  Rescale<kLow, kHigh> element;
  Then then;

  /// Of a filter whose word is proved, or of any; `at`: what `then` takes behind the element.
  template <bool kProved, class... At>
  SINTER_INLINE_MEMBER auto run(int32_t sum, int32_t word, At... at) const {
    return then(kProved ? element.proved(sum, word) : element(sum, word), int64_t(at)...);
  }
};
template <int kLow, int kHigh, class Then>
SINTER_INLINE RescaleThen<kLow, kHigh, Then> rescaledThen(Rescale<kLow, kHigh> element, Then then) {
  return {element, then};
}

template <class Epilogue>
constexpr bool kIsRescaleThen = false;
template <int kLow, int kHigh, class Then>
constexpr bool kIsRescaleThen<RescaleThen<kLow, kHigh, Then>> = true;
/// Whether an epilogue has words of its own among the weights.
template <class Epilogue>
constexpr bool kIsRescale = kIsRescaleThen<Epilogue>;
template <int kLow, int kHigh>
constexpr bool kIsRescale<Rescale<kLow, kHigh>> = true;

} // namespace
} // namespace sinter
