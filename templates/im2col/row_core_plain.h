// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// im2col rows for cores without SIMD that extend bytes as they load them (Cortex-M3, and any C++): two rows by four
// filters, one multiply-add each. Weights: [filters / 4][k][4].
#pragma once

#include "templates/im2col/im2col_rows.h"

namespace sinter {
namespace {

struct PlainRows {
  [[maybe_unused]] static constexpr int32_t kStep = 4, kHeader = 0, kRows = 2;
  [[maybe_unused]] static constexpr bool kFour = false, kTakesRuns = false;
  template <class TA>
  static constexpr bool reads() {
    return kSame<TA, int8_t>;
  }

  /// Writes a row; unsigned inputs become signed, less 128 as their zero point is.
  struct Row {
    uint8_t *at;
    explicit Row(uint8_t *row) : at(row) {}
    SINTER_INLINE_MEMBER void copy(const int8_t *from, int32_t n) {
      memcpy(at, from, size_t(n));
      at += n;
    }
    SINTER_INLINE_MEMBER void copy(const uint8_t *from, int32_t n) {
      for (int32_t i = 0; i < n; ++i)
        *at++ = uint8_t(from[i] ^ 0x80);
    }
    SINTER_INLINE_MEMBER void fill(uint8_t value, int32_t n) {
      memset(at, value, size_t(n));
      at += n;
    }
    /// Bytes that meet weights of 0.
    SINTER_INLINE_MEMBER void skip(int32_t n) { at += n; }
    SINTER_INLINE_MEMBER void end() {}
  };

  /// The sums of two rows, `pitch` apart. A function of its own: the loop takes all registers that there are.
#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2 && defined(__OPTIMIZE__)
#define SINTER_STEP(i)                                                                                                 \
  "ldrsb %[x], [%[a], #" #i "]\n ldrsb %[y], [%[b], #" #i "]\n"                                                        \
  "ldrsb %[t], [%[w], #4*" #i "]\n mla %[s0], %[t], %[x], %[s0]\n mla %[r0], %[t], %[y], %[r0]\n"                      \
  "ldrsb %[t], [%[w], #4*" #i "+1]\n mla %[s1], %[t], %[x], %[s1]\n mla %[r1], %[t], %[y], %[r1]\n"                    \
  "ldrsb %[t], [%[w], #4*" #i "+2]\n mla %[s2], %[t], %[x], %[s2]\n mla %[r2], %[t], %[y], %[r2]\n"                    \
  "ldrsb %[t], [%[w], #4*" #i "+3]\n mla %[s3], %[t], %[x], %[s3]\n mla %[r3], %[t], %[y], %[r3]\n"
  SINTER_NOINLINE static void dots(const uint8_t *a, int32_t pitch, const uint8_t *w, int32_t length, int32_t *sums) {
    const uint8_t *b = a + pitch, *const end = a + length;
    int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0, r0 = 0, r1 = 0, r2 = 0, r3 = 0, x, y, t;
    __asm__ volatile(
        "1:\n" SINTER_STEP(0) SINTER_STEP(1) SINTER_STEP(2) SINTER_STEP(3) //
        "adds %[a], %[a], #4\n adds %[b], %[b], #4\n adds %[w], %[w], #16\n"
        "ldr %[x], %[end]\n cmp %[a], %[x]\n bne 1b\n"
        : [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3), [r0] "+r"(r0), [r1] "+r"(r1), [r2] "+r"(r2),
          [r3] "+r"(r3), [a] "+r"(a), [b] "+r"(b), [w] "+r"(w), [x] "=&r"(x), [y] "=&r"(y), [t] "=&r"(t)
        : [end] "m"(end)
        : "cc", "memory");
    const int32_t all[8] = {s0, s1, s2, s3, r0, r1, r2, r3};
    memcpy(sums, &all, sizeof(all));
  }
#undef SINTER_STEP
#else
  static void dots(const uint8_t *a, int32_t pitch, const uint8_t *w, int32_t length, int32_t *sums) {
    int32_t all[8] = {}; // in registers, where the loops inside are unrolled
    for (int32_t i = 0; i < length; i += kStep, w += 4 * kStep) {
      SINTER_UNROLL
      for (int k = 0; k < kStep; ++k) {
        const int32_t x = int8_t(a[i + k]), y = int8_t(a[pitch + i + k]);
        SINTER_UNROLL
        for (int q = 0; q < 4; ++q) {
          all[q] += x * int8_t(w[4 * k + q]);
          all[4 + q] += y * int8_t(w[4 * k + q]);
        }
      }
    }
    memcpy(sums, &all, sizeof(all));
  }
#endif
};

} // namespace
} // namespace sinter
