// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// im2col rows for Cortex-M0 and M0+, whose byte loads with an offset do not extend signs: inputs and weights are both
// held with 128 added, as unsigned bytes. Of sum (x' - 128) (w' - 128) the core takes off 128 sum x', which stands
// before each row; what depends on the weights is in the bias, as zero points are: see im2col_rows.h. Weights: [filters
// / 4][k][4], filled up with 0 (no filter's -128).
#pragma once

#include "templates/im2col/im2col_rows.h"

namespace sinter {
namespace {

struct BiasedRows {
  [[maybe_unused]] static constexpr int32_t kStep = 8, kHeader = 4, kRows = 1;
  [[maybe_unused]] static constexpr bool kFour = false, kTakesRuns = false;
  template <class TA>
  static constexpr bool reads() {
    return false;
  }

  struct Row {
    uint8_t *at, *start;
    uint32_t sum = 0;
    explicit Row(uint8_t *row) : at(row + kHeader), start(row) {}
    template <class TA>
    SINTER_INLINE_MEMBER void copy(const TA *from, int32_t n) {
      constexpr uint32_t flip = kSame<TA, int8_t> ? 0x80 : 0;
      int32_t i = 0;
      if ((n & 3) == 0 && ((uintptr_t(from) | uintptr_t(at)) & 3) == 0)
        for (; i < n; i += 4, at += 4) { // four at a time, summed in halves of a word
          uint32_t word;
          memcpy(&word, SINTER_AT_WORD(from + i), 4);
          word ^= flip * 0x01010101;
          memcpy(SINTER_AT_WORD(at), &word, 4);
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
    SINTER_INLINE_MEMBER void skip(int32_t n) { at += n; }
    SINTER_INLINE_MEMBER void end() {
      const int32_t start0 = -128 * int32_t(sum);
      memcpy(SINTER_AT_WORD(start), &start0, 4);
    }
  };

#if defined(__ARM_ARCH_6M__) && defined(__OPTIMIZE__)
#define SINTER_STEP(i)                                                                                                 \
  "ldrb %[x], [%[a], #" #i "]\n"                                                                                       \
  "ldrb %[t], [%[w], #4*" #i "]\n muls %[t], %[x]\n add r8, %[t]\n"                                                    \
  "ldrb %[t], [%[w], #4*" #i "+1]\n muls %[t], %[x]\n add r9, %[t]\n"                                                  \
  "ldrb %[t], [%[w], #4*" #i "+2]\n muls %[t], %[x]\n add r10, %[t]\n"                                                 \
  "ldrb %[t], [%[w], #4*" #i "+3]\n muls %[t], %[x]\n add r11, %[t]\n"
  // r2 and r3: with them GCC restores high registers at the end, which its -fipa-ra (12.2) does not tell callers.
  SINTER_NOINLINE static void dots(const uint8_t *row, int32_t, const uint8_t *w, int32_t length, int32_t *sums) {
    const uint8_t *a = row + kHeader, *const end = a + length;
    int32_t x = start(row), t;
    __asm__ volatile(
        ".syntax unified\n mov r8, %[x]\n mov r9, %[x]\n mov r10, %[x]\n mov r11, %[x]\n 1:\n" SINTER_STEP(0)
            SINTER_STEP(1) SINTER_STEP(2) SINTER_STEP(3) SINTER_STEP(4) SINTER_STEP(5) SINTER_STEP(6)
                SINTER_STEP(7) "adds %[a], #8\n adds %[w], #32\n cmp %[a], %[end]\n bne 1b\n"
                               "mov %[x], r8\n str %[x], [%[sums]]\n mov %[x], r9\n str %[x], [%[sums], #4]\n"
                               "mov %[x], r10\n str %[x], [%[sums], #8]\n mov %[x], r11\n str %[x], [%[sums], #12]\n"
        : [a] "+l"(a), [w] "+l"(w), [x] "+l"(x), [t] "=&l"(t)
        : [end] "l"(end), [sums] "l"(sums)
        : "r2", "r3", "r8", "r9", "r10", "r11", "cc", "memory");
  }
#undef SINTER_STEP
#else
  static void dots(const uint8_t *row, int32_t, const uint8_t *w, int32_t length, int32_t *sums) {
    for (int q = 0; q < 4; ++q)
      sums[q] = start(row);
    for (int32_t i = 0; i < length; ++i, w += 4)
      for (int q = 0; q < 4; ++q)
        sums[q] += row[kHeader + i] * w[q];
  }
#endif

private:
  static int32_t start(const uint8_t *row) {
    int32_t sum;
    memcpy(&sum, SINTER_AT_WORD(row), 4);
    return sum;
  }
};

} // namespace
} // namespace sinter
