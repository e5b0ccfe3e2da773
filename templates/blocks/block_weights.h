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

/// The bytes of vector j of group g's columns, of a panel of NV vectors.
template <class W, int NV, class I>
SINTER_INLINE I packedAt(const uint8_t *block, int g, int j) {
  I packed;
  memcpy(&packed, block + (g * NV + j) * int64_t(sizeof(I)), sizeof(I));
  return packed;
}
/// Vector j of a block's scales, and of what is taken off its numbers.
template <class W, int NV, class V>
SINTER_INLINE V scaleAt(const uint8_t *block, int j) {
  return load<V>(reinterpret_cast<const typename W::Scale *>(block + W::kNumberBytes) + j * kLanesOf<V>);
}
template <class W, int NV, class V>
SINTER_INLINE V zeroAt(const uint8_t *block, int j) {
  if constexpr (W::hasZeros)
    return scaleAt<W, NV, V>(block, NV + j);
  else
    return splat<V>(float(W::kHalfRange));
}
#if defined(__AVX512F__)
/// What each lane's last four bits stand for.
template <class V, class I>
SINTER_INLINE V lookedUpAt(I bits, V table) {
#if defined(__clang__)
  return __builtin_ia32_permvarsf512(table, bits);
#else
  return __builtin_ia32_permvarsf512_mask(table, bits, table, static_cast<uint16_t>(-1));
#endif
}
#endif

/// Number p of a group less its zero, which is exact.
template <class W, class V, class I>
SINTER_INLINE V lessZeroAt(I packed, int p, V zero) {
  const I moved = (I)((UnsignedOf<I>)packed >> uint32_t(p % 4 * 8 + p / 4 * W::kBits));
#if defined(__AVX512F__)
  if constexpr (!W::hasZeros && sizeof(I) == 64 && W::kBits <= 4) {
    constexpr int z = W::kHalfRange, m = (1 << W::kBits) - 1;
    constexpr V table = {(0 & m) - z,  (1 & m) - z,  (2 & m) - z,  (3 & m) - z, (4 & m) - z,  (5 & m) - z,
                         (6 & m) - z,  (7 & m) - z,  (8 & m) - z,  (9 & m) - z, (10 & m) - z, (11 & m) - z,
                         (12 & m) - z, (13 & m) - z, (14 & m) - z, (15 & m) - z};
    return lookedUpAt(moved, table);
  }
#endif
  const I number = moved & splat<I>((1 << W::kBits) - 1);
#if defined(__AVX512F__)
  // As the last bits of a float of 2^23, in one instruction with the mask.
  if constexpr (!W::hasZeros && sizeof(I) == 64)
    return (V)(number | splat<I>(0x4b000000)) - splat<V>(float((1 << 23) + W::kHalfRange));
#endif
  return convert<V>(number) - zero;
}

/// Part `part` of four packed bytes in each lane: four numbers, as bytes.
template <class W, class V>
SINTER_INLINE V partOf(V packed, int part) {
  if constexpr (W::kParts == 1)
    return packed;
  else
    return (V)((UnsignedOf<V>)packed >> uint32_t(part * W::kBits)) &
           splat<V>(int32_t(uint32_t((1 << W::kBits) - 1) * 0x01010101u));
}

/// partOf; of two numbers a byte the second needs no mask.
template <class W, class I>
SINTER_INLINE I bytesOf(I packed, int part) {
  if constexpr (W::kBits == 4)
    if (part == 1)
      return (I)((Vec<uint8_t, int(sizeof(I))>)packed >> 4);
  return partOf<W>(packed, part);
}

#if defined(__SSSE3__) && !defined(__AVX512VNNI__) && !defined(__AVXVNNI__)
/// int16 lanes, each the sum of two products of an unsigned byte and a signed one, added to those before.
template <class V>
SINTER_INLINE V addPairs(V pairs, V numbers, V bytes) {
  using H = Vec<int16_t, int(sizeof(V) / 2)>;
  return (V)((H)pairs + bytePairs(numbers, bytes));
}
/// So many such sums fit 16 bits: 0 where there is no such instruction, or a better one.
template <class W, class V>
constexpr int kPairSteps = W::kBits < 8 && sizeof(V) >= 16 ? 32767 / (2 * 127 * ((1 << W::kBits) - 1)) : 0;
template <class V>
SINTER_INLINE V sumPairs(V acc, V pairs) {
  return acc + multiplyPairs(pairs, splat<V>(0x00010001));
}
#else
template <class V>
SINTER_INLINE V addPairs(V pairs, V, V) {
  return pairs;
}
template <class W, class V>
constexpr int kPairSteps = 0;
template <class V>
SINTER_INLINE V sumPairs(V acc, V) {
  return acc;
}
#endif

/// 64-bit Arm multiplies signed bytes. Small numbers are such, too; of eight bits half of the range is taken off.
#if defined(__aarch64__)
constexpr bool kHasSignedDots = true;
#else
constexpr bool kHasSignedDots = false;
#endif
template <class W>
constexpr int kTakenOff = kHasSignedDots && W::kBits == 8 ? W::kHalfRange : 0;
/// Part `part` of four packed bytes in each lane, as products take it: numbers less kTakenOff.
template <class W, class V>
SINTER_INLINE V factorsOf(V packed, int part) {
  if constexpr (kTakenOff<W> != 0)
    return packed ^ splat<V>(int32_t(0x80808080u));
  else
    return bytesOf<W>(packed, part);
}
/// What sums of these times `a`'s bytes begin with, to be those of the numbers, less half of the range where columns
/// have no zero points.
template <class W, class V, class Block>
SINTER_INLINE V firstDot(const Block &a) {
  constexpr int32_t times = kTakenOff<W> - (W::hasZeros ? 0 : W::kHalfRange);
  if constexpr (times == 0)
    return V{};
  else
    return splat<V>(times * a.sum);
}

/// acc + the sum of four products of factorsOf with signed bytes.
template <class W, class V>
SINTER_INLINE V dotNumbers(V acc, V numbers, V bytes) {
  return dot4<kHasSignedDots>(acc, numbers, bytes);
}

} // namespace
} // namespace sinter
