// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines for Cortex-M55 (Helium): sixteen products at a time into one register, four filters with each sixteen inputs,
// and the four sums requantized as a vector. Weights: [filters / 4][k / 16][4][16].
#pragma once

#include "templates/line_core_plain.h"

namespace sinter {
namespace {

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
#define SINTER_MVE 1
#else
#define SINTER_MVE 0
#endif

/// Requantize for four sums at a time.
struct RequantizeFour {
  Vec<int32_t, 4> bias;
  Vec<float, 4> factor;
  Vec<int32_t, 4> least, most;
  int32_t zero;

  /// For `filters` from c on; behind the last of them anything.
  SINTER_INLINE_MEMBER RequantizeFour(const Requantize &all, int32_t c, int32_t filters)
      : least(splat<Vec<int32_t, 4>>(all.low)), most(splat<Vec<int32_t, 4>>(all.high)), zero(all.zero) {
    if (c + 4 <= filters) {
      bias = load<Vec<int32_t, 4>>(all.bias + c);
      factor = load<Vec<float, 4>>(all.factor + c);
    } else {
      bias = loadN<Vec<int32_t, 4>>(all.bias + c, filters - c);
      factor = loadN<Vec<float, 4>>(all.factor + c, filters - c);
    }
  }
  SINTER_INLINE_MEMBER Vec<int32_t, 4> operator()(Vec<int32_t, 4> sums) const {
    Vec<int32_t, 4> v = sums + bias;
#if SINTER_MVE
    Vec<float, 4> f;
    __asm__("vcvt.f32.s32 %q0, %q1" : "=w"(f) : "w"(v));
    f *= factor;
    __asm__("vcvtn.s32.f32 %q0, %q1" : "=w"(v) : "w"(f)); // to nearest even, saturating
    v = min(max(v, least), most);
    __asm__("vadd.i32 %q0, %q0, %1" : "+w"(v) : "r"(zero));
    return v;
#else
    const Vec<float, 4> f = roundEven(rawConvert<Vec<float, 4>>(v) * factor);
    v = rawConvert<Vec<int32_t, 4>>(clamp(f, rawConvert<Vec<float, 4>>(least), rawConvert<Vec<float, 4>>(most)));
    return v + zero;
#endif
  }
  template <class TC>
  SINTER_INLINE_MEMBER static void put(TC *to, Vec<int32_t, 4> v) {
#if SINTER_MVE
    if constexpr (sizeof(TC) == 1) {
      __asm__ volatile("vstrb.32 %q0, [%1]" : : "w"(v), "l"(to) : "memory");
      return;
    }
#endif
    store(to, v);
  }
};

struct VectorLines {
  static constexpr int32_t kStep = 16, kHeader = 0;
  static constexpr bool kFour = true;
  template <class TA>
  static constexpr bool reads() {
    return kSame<TA, int8_t>;
  }
  using Line = PlainLines::Line;

#if SINTER_MVE
  SINTER_INLINE_MEMBER static Vec<int32_t, 4> dots(const uint8_t *a, const uint8_t *w, int32_t blocks) {
    int32_t s0, s1, s2, s3;
// Sixteen inputs, four filters; vmladav where the sums begin.
#define SINTER_SIXTEEN(i, op)                                                                                          \
  "vldrb.8 q0, [%[a]], #16\n"                                                                                          \
  "vldrw.32 q1, [%[w], #64*" #i "]\n" op " %[s0], q0, q1\n"                                                            \
  "vldrw.32 q1, [%[w], #64*" #i "+16]\n" op " %[s1], q0, q1\n"                                                         \
  "vldrw.32 q1, [%[w], #64*" #i "+32]\n" op " %[s2], q0, q1\n"                                                         \
  "vldrw.32 q1, [%[w], #64*" #i "+48]\n" op " %[s3], q0, q1\n"
#define SINTER_SUMS(how) [s0] how(s0), [s1] how(s1), [s2] how(s2), [s3] how(s3), [a] "+r"(a)
    const auto rest = [&](int32_t n) {
      for (; n > 0; --n, w += 64)
        __asm__ volatile(SINTER_SIXTEEN(0, "vmladava.s8") : SINTER_SUMS("+Te") : [w] "r"(w) : "q0", "q1", "memory");
    };
    if (blocks < 4) {
      __asm__ volatile(SINTER_SIXTEEN(0, "vmladav.s8") : SINTER_SUMS("=&Te") : [w] "r"(w) : "q0", "q1", "memory");
      w += 64;
      rest(blocks - 1);
    } else {
      __asm__ volatile(SINTER_SIXTEEN(0, "vmladav.s8") SINTER_SIXTEEN(1, "vmladava.s8") SINTER_SIXTEEN(2, "vmladava.s8")
                           SINTER_SIXTEEN(3, "vmladava.s8")
                       : SINTER_SUMS("=&Te")
                       : [w] "r"(w)
                       : "q0", "q1", "memory");
      w += 256;
      int32_t n = blocks - 4;
      for (; n >= 4; n -= 4, w += 256)
        __asm__ volatile(SINTER_SIXTEEN(0, "vmladava.s8") SINTER_SIXTEEN(1, "vmladava.s8")
                             SINTER_SIXTEEN(2, "vmladava.s8") SINTER_SIXTEEN(3, "vmladava.s8")
                         : SINTER_SUMS("+Te")
                         : [w] "r"(w)
                         : "q0", "q1", "memory");
      rest(n);
    }
#undef SINTER_SIXTEEN
#undef SINTER_SUMS
    Vec<int32_t, 4> v;
    __asm__("vmov %q0[2], %q0[0], %1, %3\n vmov %q0[3], %q0[1], %2, %4" : "=w"(v) : "r"(s0), "r"(s1), "r"(s2), "r"(s3));
    return v;
  }
#else
  SINTER_INLINE_MEMBER static Vec<int32_t, 4> dots(const uint8_t *a, const uint8_t *w, int32_t blocks) {
    Vec<int32_t, 4> v{};
    for (int32_t i = 0; i < blocks; ++i, a += 16, w += 64)
      for (int q = 0; q < 4; ++q)
        for (int j = 0; j < 16; ++j)
          v[q] += int8_t(a[j]) * int8_t(w[q * 16 + j]);
    return v;
  }
#endif

  template <class Put>
  SINTER_INLINE_MEMBER static void run(const uint8_t *lines, int32_t pitch, int32_t count, const uint8_t *weights,
                                       int32_t length, Put put) {
    for (int32_t i = 0; i < count; ++i, lines += pitch) {
      const Vec<int32_t, 4> v = dots(lines, weights, length / 16);
      put(i, v[0], v[1], v[2], v[3]);
    }
  }
  /// All filters, requantized; at(i) is where line i's outputs go.
  template <class At>
  SINTER_INLINE_MEMBER static void requantized(const uint8_t *lines, int32_t pitch, int32_t count,
                                               const uint8_t *weights, int32_t length, int32_t filters,
                                               const Requantize &epilogue, At at) {
    for (int32_t c = 0; c < filters; c += 4, weights += 4 * length) {
      const RequantizeFour four(epilogue, c, filters);
      const uint8_t *line = lines;
      for (int32_t i = 0; i < count; ++i, line += pitch) {
        const Vec<int32_t, 4> v = four(dots(line, weights, length / 16));
        if (c + 4 <= filters)
          RequantizeFour::put(at(i) + c, v);
        else
          storeN(at(i) + c, v, filters - c);
      }
    }
  }
};

} // namespace
} // namespace sinter
