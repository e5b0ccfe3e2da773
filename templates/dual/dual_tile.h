// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile under integer contractions on cores with dual 16-bit multiply-adds: 2 pixels by 4 filters. Pixels
// are int16 with their zero point taken off, filters lie in pairs (secondOfPair). For four filters the packed weights
// hold
//   [S0 T0 S1 T1]       what the sums of both pairs start with: b0, b0 + 256 b1
//   [step][pair]        a word for two input channels
//   [factor]            of each filter, where the epilogue is a Rescale
//   [channel]           of each filter, int16: filters may come in any order. Where there is none: -1, or, as results
//                       of a Rescale are stored from the last filter to the first, the first one's
// 8 sums, 4 words in flight and 2 pointers are all registers there are: compilers left to themselves spill sums.
#pragma once

#include "templates/quantized/rescale.h"

namespace sinter {
namespace {

/// Sums of one tile: [pixel][pair][T, S], of pairs of filters and of their first ones.
struct DualSums {
  int32_t both[2][2], first[2][2];
};

#if defined(SINTER_DUAL_BLOCKS)
// Loads follow each other, which makes them one cycle each.
#define SINTER_DUAL_STEP(k)                                                                                            \
  "ldr %[x0], [%[a], #%c[at]+4*" #k "]\n\t"                                                                            \
  "ldr %[x1], [%[a], #%c[at]+%c[pixel]+4*" #k "]\n\t"                                                                  \
  "ldr %[u], [%[w], #%c[from]+8*" #k "]\n\t"                                                                           \
  "ldr %[v], [%[w], #%c[from]+8*" #k "+4]\n\t"                                                                         \
  "smlad %[t00], %[u], %[x0], %[t00]\n\t"                                                                              \
  "smlad %[t10], %[u], %[x1], %[t10]\n\t"                                                                              \
  "smlad %[t01], %[v], %[x0], %[t01]\n\t"                                                                              \
  "smlad %[t11], %[v], %[x1], %[t11]\n\t"                                                                              \
  "sxtb16 %[u], %[u]\n\t"                                                                                              \
  "sxtb16 %[v], %[v]\n\t"                                                                                              \
  "smlad %[s00], %[u], %[x0], %[s00]\n\t"                                                                              \
  "smlad %[s10], %[u], %[x1], %[s10]\n\t"                                                                              \
  "smlad %[s01], %[v], %[x0], %[s01]\n\t"                                                                              \
  "smlad %[s11], %[v], %[x1], %[s11]\n\t"
#define SINTER_DUAL_ASM(text)                                                                                          \
  asm volatile(text                                                                                                    \
               : [t00] "+r"(t00), [t01] "+r"(t01), [t10] "+r"(t10), [t11] "+r"(t11), [s00] "+r"(s00), [s01] "+r"(s01), \
                 [s10] "+r"(s10), [s11] "+r"(s11), [a] "+r"(pa), [w] "+r"(pw), [x0] "=&r"(x0), [x1] "=&r"(x1),         \
                 [u] "=&r"(u), [v] "=&r"(v)                                                                            \
               : [at] "i"(kAt), [pixel] "i"(kPixel), [from] "i"(kFrom)                                                 \
               : "memory")
#endif

/// What the sums of four filters start with.
SINTER_INLINE DualSums firstSums(const int32_t *w) {
#if defined(SINTER_DUAL_BLOCKS)
  register const int32_t *pw asm("r1") = w;
  register int32_t t00 asm("r6"), t01 asm("r7"), t10 asm("r8"), t11 asm("r9"), s00 asm("r10"), s01 asm("r11"),
      s10 asm("r12"), s11 asm("r14");
  asm volatile("ldr %[s00], [%[w]]\n\t"
               "ldr %[t00], [%[w], #4]\n\t"
               "ldr %[s01], [%[w], #8]\n\t"
               "ldr %[t01], [%[w], #12]\n\t"
               "mov %[s10], %[s00]\n\t"
               "mov %[t10], %[t00]\n\t"
               "mov %[s11], %[s01]\n\t"
               "mov %[t11], %[t01]\n\t"
               : [t00] "=&r"(t00), [t01] "=&r"(t01), [t10] "=&r"(t10), [t11] "=&r"(t11), [s00] "=&r"(s00),
                 [s01] "=&r"(s01), [s10] "=&r"(s10), [s11] "=&r"(s11)
               : [w] "r"(pw)
               : "memory");
  return {{{t00, t01}, {t10, t11}}, {{s00, s01}, {s10, s11}}};
#else
  return {{{w[1], w[3]}, {w[1], w[3]}}, {{w[0], w[2]}, {w[0], w[2]}}};
#endif
}

/// kSteps steps, 1, 2, 4 or 8: pixels from kAt bytes behind a, the second kPixel bytes further on, words from kFrom
/// bytes behind w.
template <int kSteps, int kAt, int kFrom, int kPixel>
SINTER_INLINE void dualBlock(const int16_t *&a, const int32_t *&w, DualSums &s) {
#if defined(SINTER_DUAL_BLOCKS)
  // Named, because left to choose among all registers there are, the compiler at times finds no way. Low ones make
  // loads short.
  register const int16_t *pa asm("r0") = a;
  register const int32_t *pw asm("r1") = w;
  register int32_t t00 asm("r6") = s.both[0][0], t01 asm("r7") = s.both[0][1], t10 asm("r8") = s.both[1][0],
                       t11 asm("r9") = s.both[1][1], s00 asm("r10") = s.first[0][0], s01 asm("r11") = s.first[0][1],
                       s10 asm("r12") = s.first[1][0], s11 asm("r14") = s.first[1][1];
  register int32_t x0 asm("r2"), x1 asm("r3"), u asm("r4"), v asm("r5");
  if constexpr (kSteps == 8)
    SINTER_DUAL_ASM(SINTER_DUAL_STEP(0) SINTER_DUAL_STEP(1) SINTER_DUAL_STEP(2) SINTER_DUAL_STEP(3) SINTER_DUAL_STEP(4)
                        SINTER_DUAL_STEP(5) SINTER_DUAL_STEP(6) SINTER_DUAL_STEP(7));
  else if constexpr (kSteps == 4)
    SINTER_DUAL_ASM(SINTER_DUAL_STEP(0) SINTER_DUAL_STEP(1) SINTER_DUAL_STEP(2) SINTER_DUAL_STEP(3));
  else if constexpr (kSteps == 2)
    SINTER_DUAL_ASM(SINTER_DUAL_STEP(0) SINTER_DUAL_STEP(1));
  else
    SINTER_DUAL_ASM(SINTER_DUAL_STEP(0));
  a = pa, w = pw;
  s = {{{t00, t01}, {t10, t11}}, {{s00, s01}, {s10, s11}}};
#else
  for (int k = 0; k < kSteps; ++k)
    for (int pixel = 0; pixel < 2; ++pixel) {
      const int32_t x = loadWord(a + kAt / 2 + pixel * (kPixel / 2) + 2 * k);
      for (int pair = 0; pair < 2; ++pair) {
        const int32_t word = w[kFrom / 4 + 2 * k + pair];
        s.both[pixel][pair] = dualMac(word, x, s.both[pixel][pair]);
        s.first[pixel][pair] = dualMac(firstOfPair(word), x, s.first[pixel][pair]);
      }
    }
#endif
}

/// The same for any number of steps, one block after the other.
template <int kSteps, int kAt, int kFrom, int kPixel>
SINTER_INLINE void dualSteps([[maybe_unused]] const int16_t *&a, [[maybe_unused]] const int32_t *&w,
                             [[maybe_unused]] DualSums &s) {
  if constexpr (kSteps > 0) {
    constexpr int block = kSteps >= 8 ? 8 : kSteps >= 4 ? 4 : kSteps >= 2 ? 2 : 1;
    dualBlock<block, kAt, kFrom, kPixel>(a, w, s);
    dualSteps<kSteps - block, kAt + 4 * block, kFrom + 8 * block, kPixel>(a, w, s);
  }
}
/// kRows rows of kRun steps, kRow bytes apart.
template <int kRows, int kRun, int kRow, int kAt, int kFrom, int kPixel>
SINTER_INLINE void dualRows([[maybe_unused]] const int16_t *&a, [[maybe_unused]] const int32_t *&w,
                            [[maybe_unused]] DualSums &s) {
  if constexpr (kRows > 0) {
    dualSteps<kRun, kAt, kFrom, kPixel>(a, w, s);
    dualRows<kRows - 1, kRun, kRow, kAt + kRow, kFrom + 8 * kRun, kPixel>(a, w, s);
  }
}

/// Adds up a tile: kRows rows of kRun steps, kRow bytes apart, from a on for the first pixel and kPixel bytes further
/// on for the second. Gives the end of the words.
template <int kRows, int kRun, int kRow, int kPixel>
SINTER_INLINE const int32_t *dualTile(const int16_t *a, const int32_t *w, DualSums &s) {
#if defined(__OPTIMIZE_SIZE__)
  constexpr int most = 8; // steps that are worth straight code
#else
  constexpr int most = 32;
#endif
  constexpr int reach = 4096 - 128; // of a load's offset
  if constexpr (kRows * kRun <= most && (kRows - 1) * kRow + kPixel + 4 * kRun < reach) {
    dualRows<kRows, kRun, kRow, 0, 0, kPixel>(a, w, s);
    return w + 2 * kRows * kRun;
  } else {
    static_assert(kPixel < reach, "the second pixel is out of reach");
    const int16_t *const last = a + kRows * (kRow / 2);
    do {
      if constexpr (kRun <= most) {
        dualSteps<kRun, 0, 0, kPixel>(a, w, s);
        w += 2 * kRun;
        a += kRow / 2;
      } else {
        const int16_t *const end = a + kRun / 8 * 16;
        do {
          dualBlock<8, 0, 0, kPixel>(a, w, s);
          a += 16;
          w += 16;
        } while (a != end);
        dualSteps<kRun % 8, 0, 0, kPixel>(a, w, s);
        w += 2 * (kRun % 8);
        a += kRow / 2 - kRun / 8 * 16;
      }
    } while (kRows > 1 && a != last);
    return w;
  }
}

/// Where a tile's results go: the first pixel's place in the output, and how far on the second's is; 0 if there is
/// none.
template <class TC>
struct TilePlace {
  TC *out;
  int32_t second;
  int32_t n, h, w, h1, w1;
};

/// Sums of a filter for the first pixel (0) and the second.
template <int kFilter>
SINTER_INLINE int32_t sumOf(const DualSums &s, int pixel) {
  constexpr int pair = kFilter / 2;
  return kFilter % 2 ? secondOfPair(s.both[pixel][pair], s.first[pixel][pair]) : s.first[pixel][pair];
}

#if defined(SINTER_DUAL_BLOCKS)
#define SINTER_DUAL_SPLIT(t0, t1, s0, s1)                                                                              \
  "sub %[" t0 "], %[" t0 "], %[" s0 "]\n\t"                                                                            \
  "sub %[" t1 "], %[" t1 "], %[" s1 "]\n\t"                                                                            \
  "asr %[" t0 "], %[" t0 "], #8\n\t"                                                                                   \
  "asr %[" t1 "], %[" t1 "], #8\n\t"
#define SINTER_DUAL_FACTOR(j) "ldr %[u], [%[w], #4*" #j "]\n\tldrsh %[v], [%[w], #16+2*" #j "]\n\t"
#define SINTER_DUAL_PROVED(x0, x1)                                                                                     \
  "smmlar %[" x1 "], %[" x1 "], %[u], %[z]\n\t"                                                                        \
  "smmlar %[" x0 "], %[" x0 "], %[u], %[z]\n\t"
// The factor has its sign bit set: minus the product.
#define SINTER_DUAL_DEFINED(x0, x1)                                                                                    \
  "vmov s13, %[u]\n\t"                                                                                                 \
  "vmov s14, %[" x0 "]\n\t"                                                                                            \
  "vmov s15, %[" x1 "]\n\t"                                                                                            \
  "vcvt.f32.s32 s14, s14\n\t"                                                                                          \
  "vcvt.f32.s32 s15, s15\n\t"                                                                                          \
  "vnmul.f32 s14, s14, s13\n\t"                                                                                        \
  "vnmul.f32 s15, s15, s13\n\t"                                                                                        \
  "vcvtr.s32.f32 s14, s14\n\t"                                                                                         \
  "vcvtr.s32.f32 s15, s15\n\t"                                                                                         \
  "vmov %[" x0 "], s14\n\t"                                                                                            \
  "vmov %[" x1 "], s15\n\t"                                                                                            \
  "qadd %[" x0 "], %[" x0 "], %[z]\n\t"                                                                                \
  "qadd %[" x1 "], %[" x1 "], %[z]\n\t"
#define SINTER_DUAL_EITHER(x0, x1)                                                                                     \
  "cmp %[u], #0\n\t"                                                                                                   \
  "blt 1f\n\t" SINTER_DUAL_PROVED(x0, x1) "b 2f\n\t"                                                                   \
                                          "1:\n\t" SINTER_DUAL_DEFINED(x0, x1) "2:\n\t"
#define SINTER_DUAL_STORE(limit, x0, x1)                                                                               \
  limit " %[" x1 "], #8, %[" x1 "]\n\t" limit " %[" x0 "], #8, %[" x0 "]\n\t"                                          \
        "strb %[" x1 "], [%[second], %[v]]\n\t"                                                                        \
        "strb %[" x0 "], [%[out], %[v]]\n\t"
#define SINTER_DUAL_STORES(kind, limit)                                                                                \
  asm volatile(SINTER_DUAL_SPLIT("t01", "t11", "s01", "s11") SINTER_DUAL_FACTOR(3) kind("t01", "t11")                  \
                   SINTER_DUAL_STORE(limit, "t01", "t11") SINTER_DUAL_FACTOR(2) kind("s01", "s11")                     \
                       SINTER_DUAL_STORE(limit, "s01", "s11") SINTER_DUAL_SPLIT("t00", "t10", "s00", "s10")            \
                           SINTER_DUAL_FACTOR(1) kind("t00", "t10") SINTER_DUAL_STORE(limit, "t00", "t10")             \
                               SINTER_DUAL_FACTOR(0) kind("s00", "s10") SINTER_DUAL_STORE(limit, "s00", "s10")         \
               : [t00] "+r"(t00), [t01] "+r"(t01), [t10] "+r"(t10), [t11] "+r"(t11), [s00] "+r"(s00), [s01] "+r"(s01), \
                 [s10] "+r"(s10), [s11] "+r"(s11), [u] "=&r"(u), [v] "=&r"(v)                                          \
               : [w] "r"(pw), [out] "r"(out), [second] "r"(second), [z] "r"(zero)                                      \
               : "memory", "cc", "s13", "s14", "s15")
#endif

/// The results of four filters, all of them proved or some. The second pixel's come first: where there is none, the
/// first's cover them.
template <bool kAllProved, int kLow, int kHigh, class TC>
SINTER_INLINE void storeRescaled(const DualSums &s, const int32_t *w, const TilePlace<TC> &place,
                                 const Rescale<kLow, kHigh> &epilogue) {
#if defined(SINTER_DUAL_BLOCKS) && defined(SINTER_DUAL_FLOAT)
  constexpr bool isSigned = kLow == -128 && kHigh == 127;
  if constexpr (isSigned || (kLow == 0 && kHigh == 255)) {
    register const int32_t *pw asm("r1") = w;
    register int32_t t00 asm("r6") = s.both[0][0], t01 asm("r7") = s.both[0][1], t10 asm("r8") = s.both[1][0],
                         t11 asm("r9") = s.both[1][1], s00 asm("r10") = s.first[0][0], s01 asm("r11") = s.first[0][1],
                         s10 asm("r12") = s.first[1][0], s11 asm("r14") = s.first[1][1];
    register TC *out asm("r0") = place.out, *second asm("r2") = place.out + place.second;
    register int32_t zero asm("r3") = epilogue.zero, u asm("r4"), v asm("r5");
    if constexpr (isSigned && kAllProved)
      SINTER_DUAL_STORES(SINTER_DUAL_PROVED, "ssat");
    else if constexpr (isSigned)
      SINTER_DUAL_STORES(SINTER_DUAL_EITHER, "ssat");
    else if constexpr (kAllProved)
      SINTER_DUAL_STORES(SINTER_DUAL_PROVED, "usat");
    else
      SINTER_DUAL_STORES(SINTER_DUAL_EITHER, "usat");
    return;
  }
#endif
  const auto one = [&](auto filter) SINTER_INLINE_LAMBDA {
    constexpr int j = decltype(filter)::value;
    const int32_t channel = reinterpret_cast<const int16_t *>(w + 4)[j], factor = w[j];
    const auto element = [&](int pixel) SINTER_INLINE_LAMBDA {
      const int32_t sum = sumOf<j>(s, pixel);
      return TC(kAllProved ? epilogue.proved(sum, factor) : epilogue(sum, factor));
    };
    place.out[channel + place.second] = element(1);
    place.out[channel] = element(0);
  };
  one(Fixed<3>{});
  one(Fixed<2>{});
  one(Fixed<1>{});
  one(Fixed<0>{});
}
/// The same where something is made of the elements. It may read what the output lies over, so all results are made
/// before one is stored; nor do stores of bytes then stand between loads, which compilers would repeat.
template <bool kAllProved, int kLow, int kHigh, class Then, class TC>
SINTER_NOINLINE void storeThen(const DualSums &s, const int32_t *w, const TilePlace<TC> &place,
                               const RescaleThen<kLow, kHigh, Then> &epilogue) {
  const int16_t *const channels = reinterpret_cast<const int16_t *>(w + 4);
  TC *const out = place.out, *const second = place.out + place.second;
  const int32_t h1 = place.second ? place.h1 : place.h, w1 = place.second ? place.w1 : place.w;
  TC results[4][2];
  const auto make = [&](auto filter) SINTER_INLINE_LAMBDA {
    constexpr int j = decltype(filter)::value;
    const int32_t channel = channels[j], word = w[j];
    results[j][0] = TC(epilogue.template run<kAllProved>(sumOf<j>(s, 0), word, place.n, channel, place.h, place.w));
    results[j][1] = TC(epilogue.template run<kAllProved>(sumOf<j>(s, 1), word, place.n, channel, h1, w1));
    asm volatile(""); // else compilers begin all eight at once and run out of registers
  };
  make(Fixed<0>{});
  make(Fixed<1>{});
  make(Fixed<2>{});
  make(Fixed<3>{});
  const int32_t channel[4] = {channels[0], channels[1], channels[2], channels[3]};
  SINTER_UNROLL
  for (int j = 3; j >= 0; --j) {
    second[channel[j]] = results[j][1];
    out[channel[j]] = results[j][0];
  }
}
template <bool kAllProved, int kLow, int kHigh, class Then, class TC>
SINTER_INLINE void storeRescaled(const DualSums &s, const int32_t *w, const TilePlace<TC> &place,
                                 const RescaleThen<kLow, kHigh, Then> &epilogue) {
  const DualSums copy = s; // sums in registers must not have an address
  storeThen<kAllProved>(copy, w, place, epilogue);
}
/// Four filters or fewer, and an epilogue of their own.
template <class TC, class Epilogue>
SINTER_NOINLINE void storeOwn(const DualSums &s, const int32_t *w, const TilePlace<TC> &place,
                              const Epilogue &epilogue) {
  const int16_t *channels = reinterpret_cast<const int16_t *>(w);
  const auto one = [&](auto filter) SINTER_INLINE_LAMBDA {
    constexpr int j = decltype(filter)::value;
    const int32_t channel = channels[j];
    if (channel < 0)
      return;
    const auto run = [&](int i, TC *out, int32_t h, int32_t x) SINTER_INLINE_LAMBDA {
      out[channel] = TC(epilogue(sumOf<j>(s, i), int64_t(place.n), int64_t(channel), int64_t(h), int64_t(x)));
    };
    run(0, place.out, place.h, place.w);
    if (place.second)
      run(1, place.out + place.second, place.h1, place.w1);
  };
  one(Fixed<0>{});
  one(Fixed<1>{});
  one(Fixed<2>{});
  one(Fixed<3>{});
}

/// All filters of a tile of two pixels from a on: words up to `proved` have proved factors, up to `end` not.
template <int kRows, int kRun, int kRow, int kPixel, class TC, class Epilogue>
SINTER_INLINE void dualPixels(const int16_t *a, const int32_t *w, const int32_t *proved, const int32_t *end,
                              const TilePlace<TC> &place, const Epilogue &epilogue) {
  do {
    DualSums s = firstSums(w);
    w = dualTile<kRows, kRun, kRow, kPixel>(a, w + 4, s);
    if constexpr (kIsRescale<Epilogue>) {
      if (proved == end || w < proved)
        storeRescaled<true>(s, w, place, epilogue);
      else
        storeRescaled<false>(s, w, place, epilogue);
      w += 6;
    } else {
      const DualSums copy = s; // sums in registers must not have an address
      storeOwn(copy, w, place, epilogue);
      w += 2;
    }
  } while (w != end);
}
/// The words of a group of four filters.
template <int kSteps, class Epilogue>
constexpr int32_t kGroupWords = 4 + 2 * kSteps + (kIsRescale<Epilogue> ? 4 : 0) + 2;

} // namespace
} // namespace sinter
