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

using Four = Vec<int32_t, 4>;

/// Four sums of the filters from c on, requantized; `left`: how many of them there are, others are dropped.
template <class TC>
SINTER_INLINE void putFour(const Requantize &epilogue, int32_t c, int32_t left, Four sums, TC *to) {
  if (left >= 4)
    store(to, epilogue.apply(sums, c));
  else
    for (int q = 0; q < 4 && q < left; ++q)
      store(to + q, epilogue.apply(int32_t(sums[q]), c + q));
}

struct VectorLines {
  [[maybe_unused]] static constexpr int32_t kStep = 16, kHeader = 0, kLines = 1;
  [[maybe_unused]] static constexpr bool kFour = true;
  template <class TA>
  static constexpr bool reads() {
    return kSame<TA, int8_t>;
  }
  using Line = PlainLines::Line;

#if SINTER_MVE
  SINTER_INLINE_MEMBER static Four four(const uint8_t *a, const uint8_t *w, int32_t blocks) {
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
    Four v;
    __asm__("vmov %q0[2], %q0[0], %1, %3\n vmov %q0[3], %q0[1], %2, %4" : "=w"(v) : "r"(s0), "r"(s1), "r"(s2), "r"(s3));
    return v;
  }
#else
  SINTER_INLINE_MEMBER static Four four(const uint8_t *a, const uint8_t *w, int32_t blocks) {
    Four v{};
    for (int32_t i = 0; i < blocks; ++i, a += 16, w += 64)
      for (int q = 0; q < 4; ++q)
        for (int j = 0; j < 16; ++j)
          v[q] += int8_t(a[j]) * int8_t(w[q * 16 + j]);
    return v;
  }
#endif

  SINTER_INLINE_MEMBER static void dots(const uint8_t *line, int32_t, const uint8_t *w, int32_t length, int32_t *sums) {
    store(sums, four(line, w, length / 16));
  }
  /// All filters, requantized; at(i) is where line i's outputs go.
  template <class At>
  SINTER_INLINE_MEMBER static void requantized(const uint8_t *lines, int32_t pitch, int32_t count,
                                               const uint8_t *weights, int32_t length, int32_t filters,
                                               const Requantize &epilogue, At at) {
    for (int32_t c = 0; c < filters; c += 4, weights += 4 * length) {
      const uint8_t *line = lines;
      int32_t i = 0;
#if SINTER_MVE
      if (sizeof(*at(0)) == 1 && c + 4 <= filters) {
        const Four bias = load<Four>(epilogue.bias + c), least = splat<Four>(epilogue.low),
                   most = splat<Four>(epilogue.high);
        const Vec<float, 4> factor = load<Vec<float, 4>>(epilogue.factor + c * epilogue.step);
        const int32_t zero = epilogue.zero;
        for (; i < count; ++i, line += pitch) {
          Four v = four(line, weights, length / 16);
          // vcvtn rounds to nearest even and saturates.
          __asm__ volatile("vadd.i32 %q[v], %q[v], %q[bias]\n vcvt.f32.s32 %q[v], %q[v]\n"
                           "vmul.f32 %q[v], %q[v], %q[factor]\n vcvtn.s32.f32 %q[v], %q[v]\n"
                           "vmax.s32 %q[v], %q[v], %q[least]\n vmin.s32 %q[v], %q[v], %q[most]\n"
                           "vadd.i32 %q[v], %q[v], %[zero]\n vstrb.32 %q[v], [%[to]]\n"
                           : [v] "+w"(v)
                           : [bias] "w"(bias), [factor] "w"(factor), [least] "w"(least), [most] "w"(most),
                             [zero] "r"(zero), [to] "l"(at(i) + c)
                           : "memory");
        }
      }
#endif
      for (; i < count; ++i, line += pitch)
        putFour(epilogue, c, filters - c, four(line, weights, length / 16), at(i) + c);
    }
  }
};

} // namespace
} // namespace sinter
