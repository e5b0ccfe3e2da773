// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of 2, 4 or 8 bits that share a scale in blocks along k, as products read them: the numbers stay packed in
// memory, since products of few rows are bound by reading them. The order of bytes is the compiler's to make
// (compiler/interpreter/kernels/pack_blocks.cpp). Under block_gemm.h.
//
// w[p, j] = (number - zero) * scale[p / kBlock, j]. A panel has NR columns; panels lie behind each other, blocks in a
// panel. Of each block:
//   numbers  [kBlock / group][NR][4] bytes, group = 4 * (8 / kBits): byte i of a column has, from its low bits up, the
//            numbers of rows i, i + 4, ... of the group. Four bytes are a lane of dot4; each shift of them is one too.
//   scales   [NR]
//   zeros    [NR], where columns have zero points of their own; else all are half of the range
#pragma once

#include "runtime-lite/scalar.h"
#include "templates/dot4/int_dot.h"

namespace sinter {
namespace {

template <int kBitsOf, int kBlockOf, int NR, class ScaleOf, bool kHasZeros>
struct BlockWeights {
  using Scale = ScaleOf;
  static constexpr int kBits = kBitsOf, kBlock = kBlockOf, kParts = 8 / kBits, kGroup = 4 * kParts;
  static constexpr bool hasZeros = kHasZeros;
  static constexpr int64_t kNumberBytes = int64_t(NR) * kBlock / kParts;
  static constexpr int64_t kBytes = kNumberBytes + int64_t(NR) * int64_t(sizeof(Scale)) * (kHasZeros ? 2 : 1);
  static constexpr int kHalfRange = 1 << (kBits - 1);
  static_assert(kBlock % kGroup == 0, "a block is whole groups");
};

/// Part `part` of four packed bytes in each lane: four numbers, as bytes.
template <class W, class V>
SINTER_INLINE V partOf(V packed, int part) {
  if constexpr (W::kParts == 1)
    return packed;
  else
    return (V)((UnsignedOf<V>)packed >> uint32_t(part * W::kBits)) &
           splat<V>(int32_t(uint32_t((1 << W::kBits) - 1) * 0x01010101u));
}

/// acc + the sum of four products of numbers, bytes from 0 up, with signed bytes.
template <class W, class V>
SINTER_INLINE V dotNumbers(V acc, V numbers, V bytes) {
#if defined(__AVX2__) && !defined(__AVX512VNNI__) && !defined(__AVXVNNI__)
  if constexpr (W::kBits < 8 && sizeof(V) == 32) { // two products of at most 15 * 127 fit 16 bits
    using B = Vec<char, 32>;
    const V pairs = (V)__builtin_ia32_pmaddubsw256((B)numbers, (B)bytes);
    return acc + multiplyPairs(pairs, splat<V>(0x00010001));
  } else
#endif
#if defined(__aarch64__)
      if constexpr (W::kBits < 8) // small numbers are signed ones, too
    return dot4<true>(acc, numbers, bytes);
  else
#endif
    return dot4<false>(acc, numbers, bytes);
}

} // namespace
} // namespace sinter
