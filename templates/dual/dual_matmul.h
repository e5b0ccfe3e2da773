// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of few rows of bytes with constant weights on dual 16-bit multiply-adds: each weight is read once, for 8
// filters in pairs (secondOfPair), and inputs are widened on the way. Their zero point is part of the bias. For eight
// filters the packed weights hold
//   [S0 T0 S1 T1 S2 T2 S3 T3]   what the sums of the pairs start with: b0, b0 + 256 b1
//   [four inputs][pair]         words for inputs 0 and 2, then for 1 and 3, of each pair; zeros behind the last input
//   [factor]                    of each filter, where the epilogue is a Rescale
//   [column]                    of each filter, int16; where there is none as in dual_tile.h
#pragma once

#include "templates/quantized/rescale.h"

namespace sinter {
namespace {

/// Sums of four pairs of filters.
struct DualDots {
  int32_t both[4], first[4];
};

/// The sum of filter j of eight.
SINTER_INLINE int32_t sumOf(const DualDots &s, int j) {
  return j % 2 ? secondOfPair(s.both[j / 2], s.first[j / 2]) : s.first[j / 2];
}

/// Four inputs in two words times eight filters.
SINTER_INLINE void dualDot(int32_t even, int32_t odd, const int32_t *w, DualDots &s) {
  SINTER_UNROLL
  for (int j = 0; j < 4; ++j) {
    s.both[j] = dualMac(w[4 + j], odd, dualMac(w[j], even, s.both[j]));
    s.first[j] = dualMac(firstOfPair(w[4 + j]), odd, dualMac(firstOfPair(w[j]), even, s.first[j]));
  }
}

#if defined(SINTER_DUAL_BLOCKS)
#define SINTER_DUAL_PAIR(at, x, j)                                                                                     \
  "ldr %[u], [%[w], #" at "]\n\t"                                                                                      \
  "smlad %[t" j "], %[u], %[" x "], %[t" j "]\n\t"                                                                     \
  "sxtb16 %[u], %[u]\n\t"                                                                                              \
  "smlad %[s" j "], %[u], %[" x "], %[s" j "]\n\t"
#define SINTER_DUAL_DOT(k, at0, at1, at2, at3, at4, at5, at6, at7, sign)                                               \
  "ldr %[odd], [%[a], #" k "]\n\t" sign "xtb16 %[even], %[odd]\n\t" sign                                               \
  "xtb16 %[odd], %[odd], ror #8\n\t" SINTER_DUAL_PAIR(at0, "even", "0") SINTER_DUAL_PAIR(at1, "even", "1")             \
      SINTER_DUAL_PAIR(at2, "even", "2") SINTER_DUAL_PAIR(at3, "even", "3") SINTER_DUAL_PAIR(at4, "odd", "0")          \
          SINTER_DUAL_PAIR(at5, "odd", "1") SINTER_DUAL_PAIR(at6, "odd", "2") SINTER_DUAL_PAIR(at7, "odd", "3")
#define SINTER_DUAL_DOTS(sign)                                                                                         \
  asm volatile(                                                                                                        \
      SINTER_DUAL_DOT("0", "0", "4", "8", "12", "16", "20", "24", "28", sign)                                          \
          SINTER_DUAL_DOT("4", "32", "36", "40", "44", "48", "52", "56", "60", sign)                                   \
              SINTER_DUAL_DOT("8", "64", "68", "72", "76", "80", "84", "88", "92", sign)                               \
                  SINTER_DUAL_DOT("12", "96", "100", "104", "108", "112", "116", "120", "124", sign)                   \
                      SINTER_DUAL_DOT("16", "128", "132", "136", "140", "144", "148", "152", "156", sign)              \
                          SINTER_DUAL_DOT("20", "160", "164", "168", "172", "176", "180", "184", "188", sign)          \
                              SINTER_DUAL_DOT("24", "192", "196", "200", "204", "208", "212", "216", "220", sign)      \
                                  SINTER_DUAL_DOT("28", "224", "228", "232", "236", "240", "244", "248", "252",        \
                                                  sign) "add %[a], %[a], #32\n\tadd %[w], %[w], #256\n\t"              \
      : [t0] "+r"(t0), [t1] "+r"(t1), [t2] "+r"(t2), [t3] "+r"(t3), [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2),       \
        [s3] "+r"(s3), [a] "+r"(pa), [w] "+r"(pw), [even] "=&r"(even), [odd] "=&r"(odd), [u] "=&r"(u)                  \
      :                                                                                                                \
      : "memory")
#endif

/// 32 inputs.
template <class TA>
SINTER_INLINE void dualDots(const TA *&a, const int32_t *&w, DualDots &s) {
#if defined(SINTER_DUAL_BLOCKS)
  // Named as in dual_tile.h.
  register const TA *pa asm("r0") = a;
  register const int32_t *pw asm("r1") = w;
  register int32_t t0 asm("r6") = s.both[0], t1 asm("r7") = s.both[1], t2 asm("r8") = s.both[2],
                      t3 asm("r9") = s.both[3], s0 asm("r10") = s.first[0], s1 asm("r11") = s.first[1],
                      s2 asm("r12") = s.first[2], s3 asm("r14") = s.first[3];
  register int32_t even asm("r2"), odd asm("r3"), u asm("r4");
  if constexpr (kSame<TA, int8_t>)
    SINTER_DUAL_DOTS("s");
  else
    SINTER_DUAL_DOTS("u");
  a = pa, w = pw;
  s = {{t0, t1, t2, t3}, {s0, s1, s2, s3}};
#else
  for (int k = 0; k < 8; ++k, a += 4, w += 8)
    dualDot(widenEven<TA>(0, loadWord(a)), widenOdd<TA>(0, loadWord(a)), w, s);
#endif
}

#if defined(SINTER_DUAL_BLOCKS) && defined(SINTER_DUAL_FLOAT)
#define SINTER_DUAL_PROVED_DOT(x) "smmlar %[" x "], %[" x "], %[u], %[z]\n\t"
#define SINTER_DUAL_EITHER_DOT(x)                                                                                      \
  "cmp %[u], #0\n\t"                                                                                                   \
  "blt 1f\n\t" SINTER_DUAL_PROVED_DOT(x) "b 2f\n\t"                                                                    \
                                         "1:\n\t"                                                                      \
                                         "vmov s14, %[u]\n\t"                                                          \
                                         "vmov s15, %[" x "]\n\t"                                                      \
                                         "vcvt.f32.s32 s15, s15\n\t"                                                   \
                                         "vnmul.f32 s15, s15, s14\n\t" /* the factor has its sign bit set */           \
                                         "vcvtr.s32.f32 s15, s15\n\t"                                                  \
                                         "vmov %[" x "], s15\n\t"                                                      \
                                         "qadd %[" x "], %[" x "], %[z]\n\t"                                           \
                                         "2:\n\t"
#define SINTER_DUAL_STORE_DOT(kind, limit, j, x)                                                                       \
  "ldr %[u], [%[w], #4*" #j "]\n\t"                                                                                    \
  "ldrsh %[v], [%[w], #32+2*" #j "]\n\t" kind(x) limit " %[" x "], #8, %[" x "]\n\t"                                   \
                                                       "strb %[" x "], [%[c], %[v]]\n\t"
#define SINTER_DUAL_STORE_DOTS2(kind, limit, odd, even, t, s)                                                          \
  "sub %[" t "], %[" t "], %[" s "]\n\t"                                                                               \
  "asr %[" t "], %[" t "], #8\n\t" SINTER_DUAL_STORE_DOT(kind, limit, odd, t)                                          \
      SINTER_DUAL_STORE_DOT(kind, limit, even, s)
#define SINTER_DUAL_STORE_DOTS(kind, limit)                                                                            \
  asm volatile(SINTER_DUAL_STORE_DOTS2(kind, limit, 7, 6, "t3", "s3")                                                  \
                   SINTER_DUAL_STORE_DOTS2(kind, limit, 5, 4, "t2", "s2")                                              \
                       SINTER_DUAL_STORE_DOTS2(kind, limit, 3, 2, "t1", "s1")                                          \
                           SINTER_DUAL_STORE_DOTS2(kind, limit, 1, 0, "t0", "s0")                                      \
               : [t0] "+r"(t0), [t1] "+r"(t1), [t2] "+r"(t2), [t3] "+r"(t3), [s0] "+r"(s0), [s1] "+r"(s1),             \
                 [s2] "+r"(s2), [s3] "+r"(s3), [u] "=&r"(u), [v] "=&r"(v)                                              \
               : [w] "r"(pw), [c] "r"(pc), [z] "r"(zero)                                                               \
               : "memory", "cc", "s14", "s15")
#endif

/// The results of eight filters whose words are at w, all of them proved or some.
template <bool kAllProved, int kLow, int kHigh, class TC>
SINTER_INLINE void storeRescaled(const DualDots &s, const int32_t *w, TC *c, const Rescale<kLow, kHigh> &epilogue) {
#if defined(SINTER_DUAL_BLOCKS) && defined(SINTER_DUAL_FLOAT)
  constexpr bool isSigned = kLow == -128 && kHigh == 127;
  if constexpr (isSigned || (kLow == 0 && kHigh == 255)) {
    register const int32_t *pw asm("r1") = w;
    register TC *pc asm("r0") = c;
    register int32_t zero asm("r2") = epilogue.zero, u asm("r3"), v asm("r4");
    register int32_t t0 asm("r6") = s.both[0], t1 asm("r7") = s.both[1], t2 asm("r8") = s.both[2],
                        t3 asm("r9") = s.both[3], s0 asm("r10") = s.first[0], s1 asm("r11") = s.first[1],
                        s2 asm("r12") = s.first[2], s3 asm("r14") = s.first[3];
    if constexpr (isSigned && kAllProved)
      SINTER_DUAL_STORE_DOTS(SINTER_DUAL_PROVED_DOT, "ssat");
    else if constexpr (isSigned)
      SINTER_DUAL_STORE_DOTS(SINTER_DUAL_EITHER_DOT, "ssat");
    else if constexpr (kAllProved)
      SINTER_DUAL_STORE_DOTS(SINTER_DUAL_PROVED_DOT, "usat");
    else
      SINTER_DUAL_STORE_DOTS(SINTER_DUAL_EITHER_DOT, "usat");
    return;
  }
#endif
  const int16_t *columns = reinterpret_cast<const int16_t *>(w + 8);
  SINTER_UNROLL
  for (int j = 7; j >= 0; --j) {
    const int32_t sum = sumOf(s, j);
    c[columns[j]] = TC(kAllProved ? epilogue.proved(sum, w[j]) : epilogue(sum, w[j]));
  }
}

/// c[i][j] = epilogue(a[i][...] times filter j): m rows of k bytes, lda and ldc elements apart. `weights`: aligned to
/// words, `groups` of eight filters, of which the first `proved` have proved factors. `epilogue`: a Rescale, or
/// (v, i, j).
template <class TA, class TC, class Epilogue>
void dualMatmul(const TA *a, int32_t lda, const int32_t *weights, TC *c, int32_t ldc, int32_t m, int32_t k,
                int32_t groups, int32_t proved, const Epilogue &epilogue) {
  for (int32_t i = 0; i < m; ++i, a += lda, c += ldc) {
    const int32_t *w = weights;
    for (int32_t group = 0; group < groups; ++group) {
      DualDots s = {{w[1], w[3], w[5], w[7]}, {w[0], w[2], w[4], w[6]}};
      w += 8;
      const TA *x = a;
      for (const TA *end = a + (k & ~31); x != end;)
        dualDots(x, w, s);
      for (int32_t left = k & 31; left > 0; left -= 4, x += 4, w += 8) {
        const int32_t bytes = loadBytes(x, left);
        dualDot(widenEven<TA>(0, bytes), widenOdd<TA>(0, bytes), w, s);
      }
      if constexpr (kIsRescaleThen<Epilogue>) {
        const DualDots copy = s; // sums in registers must not have an address
        const int16_t *columns = reinterpret_cast<const int16_t *>(w + 8);
        for (int j = 0; j < 8; ++j)
          if (j == 0 || columns[j] != columns[0]) // else there is none
            c[columns[j]] = TC(epilogue.template run<false>(sumOf(copy, j), w[j], i, columns[j]));
        w += 8 + 4;
      } else if constexpr (kIsRescale<Epilogue>) {
        if (proved == groups || group < proved)
          storeRescaled<true>(s, w, c, epilogue);
        else
          storeRescaled<false>(s, w, c, epilogue);
        w += 8 + 4;
      } else {
        const int16_t *columns = reinterpret_cast<const int16_t *>(w);
        SINTER_UNROLL
        for (int j = 0; j < 8; ++j)
          if (columns[j] >= 0)
            c[columns[j]] = TC(epilogue(sumOf(s, j), int64_t(i), int64_t(columns[j])));
        w += 4;
      }
    }
  }
}

} // namespace
} // namespace sinter
