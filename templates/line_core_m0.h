// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines for Cortex-M0 and M0+, whose byte loads with an offset do not extend signs: inputs and weights are both held
// with 128 added, as unsigned bytes. Of sum (x' - 128) (w' - 128) the core takes off 128 sum x', which stands before
// each line; what depends on the weights is in the bias, as zero points are: see line_product.h.
// Weights: [filters / 4][k][4], filled up with 0 (no filter's -128).
#pragma once

#include "templates/line_product.h"

namespace sinter {
namespace {

struct BiasedLines {
  [[maybe_unused]] static constexpr int32_t kStep = 8, kHeader = 4, kLines = 1;
  [[maybe_unused]] static constexpr bool kFour = false;
  template <class TA>
  static constexpr bool reads() {
    return false;
  }

  struct Line {
    uint8_t *at, *start;
    uint32_t sum = 0;
    explicit Line(uint8_t *line) : at(line + kHeader), start(line) {}
    template <class TA>
    SINTER_INLINE_MEMBER void copy(const TA *from, int32_t n) {
      constexpr uint32_t flip = kSame<TA, int8_t> ? 0x80 : 0;
      int32_t i = 0;
      if ((n & 3) == 0 && ((uintptr_t(from) | uintptr_t(at)) & 3) == 0)
        for (; i < n; i += 4, at += 4) { // four at a time, summed in halves of a word
          uint32_t word;
          memcpy(&word, __builtin_assume_aligned(from + i, 4), 4);
          word ^= flip * 0x01010101;
          memcpy(__builtin_assume_aligned(at, 4), &word, 4);
          const uint32_t halves = (word & 0xff00ff) + (word >> 8 & 0xff00ff);
          sum += (halves & 0xffff) + (halves >> 16);
        }
      for (; i < n; ++i) {
        const uint8_t byte = uint8_t(uint8_t(from[i]) ^ flip);
        *at++ = byte;
        sum += byte;
      }
    }
    SINTER_INLINE_MEMBER void fill(uint8_t value, int32_t n) {
      for (int32_t i = 0; i < n; ++i)
        *at++ = uint8_t(value ^ 0x80);
      sum += uint32_t(uint8_t(value ^ 0x80)) * uint32_t(n);
    }
    SINTER_INLINE_MEMBER void end(int32_t n) {
      for (int32_t i = 0; i < n; ++i)
        *at++ = 0;
      const int32_t start0 = -128 * int32_t(sum);
      memcpy(__builtin_assume_aligned(start, 4), &start0, 4);
    }
  };

#if defined(__ARM_ARCH_6M__) && defined(__OPTIMIZE__)
#define SINTER_STEP(i)                                                                                                 \
  "ldrb %[x], [%[a], #" #i "]\n"                                                                                       \
  "ldrb %[t], [%[w], #4*" #i "]\n muls %[t], %[x]\n add %[s0], %[t]\n"                                                 \
  "ldrb %[t], [%[w], #4*" #i "+1]\n muls %[t], %[x]\n add %[s1], %[t]\n"                                               \
  "ldrb %[t], [%[w], #4*" #i "+2]\n muls %[t], %[x]\n add %[s2], %[t]\n"                                               \
  "ldrb %[t], [%[w], #4*" #i "+3]\n muls %[t], %[x]\n add %[s3], %[t]\n"
  [[gnu::noinline]] static void dots(const uint8_t *line, int32_t, const uint8_t *w, int32_t length, int32_t *sums) {
    register int32_t s0 __asm__("r8") = start(line);
    register int32_t s1 __asm__("r9") = s0;
    register int32_t s2 __asm__("r10") = s0;
    register int32_t s3 __asm__("r11") = s0;
    const uint8_t *a = line + kHeader, *const end = a + length;
    int32_t x, t;
    __asm__ volatile(".syntax unified\n 1:\n" SINTER_STEP(0) SINTER_STEP(1) SINTER_STEP(2) SINTER_STEP(3) SINTER_STEP(4)
                         SINTER_STEP(5) SINTER_STEP(6)
                             SINTER_STEP(7) "adds %[a], #8\n adds %[w], #32\n cmp %[a], %[end]\n bne 1b\n"
                     : [s0] "+h"(s0), [s1] "+h"(s1), [s2] "+h"(s2), [s3] "+h"(s3), [a] "+l"(a), [w] "+l"(w),
                       [x] "=&l"(x), [t] "=&l"(t)
                     : [end] "l"(end)
                     : "cc", "memory");
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
  }
#undef SINTER_STEP
#else
  static void dots(const uint8_t *line, int32_t, const uint8_t *w, int32_t length, int32_t *sums) {
    for (int q = 0; q < 4; ++q)
      sums[q] = start(line);
    for (int32_t i = 0; i < length; ++i, w += 4)
      for (int q = 0; q < 4; ++q)
        sums[q] += line[kHeader + i] * w[q];
  }
#endif

private:
  static int32_t start(const uint8_t *line) {
    int32_t sum;
    memcpy(&sum, __builtin_assume_aligned(line, 4), 4);
    return sum;
  }
};

} // namespace
} // namespace sinter
