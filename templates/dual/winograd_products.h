// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The products of two tiles of Winograd's F(2x2, 3x3) with four filters, on dual 16-bit multiply-adds. Both sides are
// transformed already. The tiles lie as position after position of a transformed tile
//   [tile][step]      a word for two input channels
//   [tile][filter]    the sums over all channels, which are made here: modulo 2^32
// and the words as [position][step][filter]. 8 sums, 4 words in flight and 2 pointers are all registers there are.
#pragma once

#include "templates/dual/dual_mac.h"

namespace sinter {
namespace {

constexpr int kWinogradPositions = 16;
/// Words of one position of two tiles.
constexpr int64_t winogradStride(int64_t steps) { return 2 * steps + 8; }
template <int kSteps>
constexpr int kWinogradStride = int(winogradStride(kSteps));

#if defined(SINTER_DUAL_BLOCKS)
/// Sums by tile and filter.
struct WinogradSums {
  int32_t s00, s01, s02, s03, s10, s11, s12, s13;
};
// Named as in dual_tile.h; the sums' order is that in which they are stored.
#define SINTER_WINOGRAD_SUMS                                                                                           \
  register int32_t s00 asm("r6"), s01 asm("r7"), s02 asm("r8"), s03 asm("r9"), s10 asm("r10"), s11 asm("r11"),         \
      s12 asm("r12"), s13 asm("r14")
#define SINTER_WINOGRAD_TAKE(s)                                                                                        \
  s00 = s.s00, s01 = s.s01, s02 = s.s02, s03 = s.s03, s10 = s.s10, s11 = s.s11, s12 = s.s12, s13 = s.s13
#define SINTER_FIRST_MAC(s, a, b) "smuad %[" #s "], %[" #a "], %[" #b "]\n\t"
#define SINTER_MAC(s, a, b) "smlad %[" #s "], %[" #a "], %[" #b "], %[" #s "]\n\t"
// Loads follow each other, which makes them one cycle each.
#define SINTER_WINOGRAD_STEP(k, mac)                                                                                   \
  "ldr %[x], [%[a], #%c[at]+4*" #k "]\n\t"                                                                             \
  "ldr %[y], [%[a], #%c[at]+%c[tile]+4*" #k "]\n\t"                                                                    \
  "ldr %[u], [%[w], #4*%c[at]+16*" #k "]\n\t"                                                                          \
  "ldr %[v], [%[w], #4*%c[at]+16*" #k "+4]\n\t" mac(s00, u, x) mac(s10, u, y) mac(s01, v, x)                           \
      mac(s11, v, y) "ldr %[u], [%[w], #4*%c[at]+16*" #k "+8]\n\t"                                                     \
                     "ldr %[v], [%[w], #4*%c[at]+16*" #k "+12]\n\t" mac(s02, u, x) mac(s12, u, y) mac(s03, v, x)       \
                         mac(s13, v, y)
#define SINTER_WINOGRAD_ASM(text, sum)                                                                                 \
  asm volatile(text                                                                                                    \
               : [s00] sum(s00), [s01] sum(s01), [s02] sum(s02), [s03] sum(s03), [s10] sum(s10), [s11] sum(s11),       \
                 [s12] sum(s12), [s13] sum(s13), [x] "=&r"(x), [y] "=&r"(y), [u] "=&r"(u), [v] "=&r"(v)                \
               : [a] "r"(a), [w] "r"(w), [at] "i"(kAt), [tile] "i"(kTile)                                              \
               : "memory")

/// kSteps steps, an even number: the tiles' from kAt bytes behind `tiles`, kTile bytes from one to the other.
template <int kSteps, int kAt, int kTile, bool kIsFirst>
SINTER_INLINE void winogradSteps([[maybe_unused]] const int32_t *tiles, [[maybe_unused]] const int32_t *words,
                                 [[maybe_unused]] WinogradSums &s) {
  if constexpr (kSteps > 0) {
    register const int32_t *a asm("r0") = tiles;
    register const int32_t *w asm("r1") = words;
    register int32_t x asm("r2"), y asm("r3"), u asm("r4"), v asm("r5");
    SINTER_WINOGRAD_SUMS;
    if constexpr (kIsFirst) {
      SINTER_WINOGRAD_ASM(SINTER_WINOGRAD_STEP(0, SINTER_FIRST_MAC) SINTER_WINOGRAD_STEP(1, SINTER_MAC), "=&r");
    } else {
      SINTER_WINOGRAD_TAKE(s);
      SINTER_WINOGRAD_ASM(SINTER_WINOGRAD_STEP(0, SINTER_MAC) SINTER_WINOGRAD_STEP(1, SINTER_MAC), "+r");
    }
    s = {s00, s01, s02, s03, s10, s11, s12, s13};
    winogradSteps<kSteps - 2, kAt + 8, kTile, false>(tiles, words, s);
  }
}
/// Stores the sums and gives the place behind them.
SINTER_INLINE int32_t *storeWinogradSums(int32_t *to, const WinogradSums &s) {
  register int32_t *a asm("r0") = to;
  SINTER_WINOGRAD_SUMS;
  SINTER_WINOGRAD_TAKE(s);
  asm volatile("stmia %[a]!, {r6, r7, r8, r9, r10, r11, r12, r14}"
               : [a] "+r"(a)
               : "r"(s00), "r"(s01), "r"(s02), "r"(s03), "r"(s10), "r"(s11), "r"(s12), "r"(s13)
               : "memory");
  return a;
}
#endif

/// All positions of two tiles of 2 * kSteps channels.
template <int kSteps>
SINTER_NOINLINE void winogradProducts(int32_t *tiles, const int32_t *words) {
  static_assert(kSteps % 2 == 0);
  const int32_t *const end = words + kWinogradPositions * 4 * kSteps;
#if defined(SINTER_DUAL_BLOCKS)
#if defined(__OPTIMIZE_SIZE__)
  constexpr int most = 8; // steps that are worth straight code
#else
  constexpr int most = 32;
#endif
  constexpr int first = kSteps <= most ? kSteps : kSteps % 8 ? kSteps % 8 : 8, tile = 4 * kSteps;
  do {
    WinogradSums s;
    winogradSteps<first, 0, tile, true>(tiles, words, s);
    words += 4 * first;
    if constexpr (first < kSteps) {
      tiles += first;
      const int32_t *const last = tiles + (kSteps - first);
      do {
        winogradSteps<8, 0, tile, false>(tiles, words, s);
        words += 32;
        tiles += 8;
      } while (tiles != last);
      tiles += kSteps;
    } else {
      tiles += 2 * kSteps;
    }
    tiles = storeWinogradSums(tiles, s);
  } while (words != end);
#else
  for (; words != end; words += 4 * kSteps, tiles += kWinogradStride<kSteps>)
    for (int tile = 0; tile < 2; ++tile)
      for (int filter = 0; filter < 4; ++filter) {
        int32_t sum = 0;
        for (int k = 0; k < kSteps; ++k)
          sum = dualMac(words[4 * k + filter], tiles[tile * kSteps + k], sum);
        tiles[2 * kSteps + 4 * tile + filter] = sum;
      }
#endif
}

} // namespace
} // namespace sinter
