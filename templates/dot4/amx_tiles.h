// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of AMX, by the numbers of registers. In assembly, since intrinsics are macros that take no constant
// of a template; compilers use none of these registers themselves. Source: Intel SDM, volume 2, and volume 1, 18.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// What ldtilecfg reads.
struct TileConfig {
  uint8_t palette, startRow, reserved[14];
  uint16_t rowBytes[16];
  uint8_t rows[16];

  SINTER_INLINE_MEMBER void set(int tile, int64_t count, int64_t bytes) {
    rows[tile] = uint8_t(count);
    rowBytes[tile] = uint16_t(bytes);
  }
};

#if (defined(__AMX_INT8__) || defined(__AMX_BF16__)) && defined(SINTER_IS_GNU)
struct AmxTiles {
  SINTER_INLINE_MEMBER static void configure(const TileConfig &config) {
    __asm__ volatile("ldtilecfg %0" : : "m"(config));
  }
  SINTER_INLINE_MEMBER static void release() { __asm__ volatile("tilerelease"); }
  template <int t>
  SINTER_INLINE_MEMBER static void zero() {
    __asm__ volatile("tilezero %%tmm%c0" : : "i"(t));
  }
  /// Rows are `pitch` bytes apart.
  template <int t>
  SINTER_INLINE_MEMBER static void load(const void *from, int64_t pitch) {
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(pitch), "i"(t) : "memory");
  }
  template <int t>
  SINTER_INLINE_MEMBER static void store(void *to, int64_t pitch) {
    __asm__ volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(pitch), "i"(t) : "memory");
  }
  /// c += a b, of bytes of each that are signed or not; one of them has signed ones.
  template <bool kSigned, int c, int a, int b, bool kSignedB = true>
  SINTER_INLINE_MEMBER static void multiply() {
    static_assert(kSigned || kSignedB, "no kernel multiplies unsigned bytes by such");
    if constexpr (!kSignedB)
      __asm__ volatile("tdpbsud %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(c), "i"(a), "i"(b));
    else if constexpr (kSigned)
      __asm__ volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(c), "i"(a), "i"(b));
    else
      __asm__ volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(c), "i"(a), "i"(b));
  }
  /// The same of bf16, two of a's to a word, with sums of floats.
  template <int c, int a, int b>
  SINTER_INLINE_MEMBER static void multiplyHalves() {
    __asm__ volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(c), "i"(a), "i"(b));
  }
};
#else
struct AmxTiles;
#endif

} // namespace
} // namespace sinter
