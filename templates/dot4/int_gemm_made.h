// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = epilogue(A B) of bytes with B made at run time, as keys and values of attention: B goes to scratch in the order
// of packed weights, and is multiplied by what constants are multiplied by (int_gemm.h, tile_gemm.h). Weights are
// signed: a B that is not is stored less 128, and a row's sum lacks 128 times that of A's bytes. Bytes of A that the
// instruction takes as the other kind are flipped where they are loaded, and a column's sum is corrected likewise.
#pragma once

#include "templates/dot4/int_gemm.h"
#include "templates/dot4/made_sizes.h"
#include "templates/dot4/pack_rows.h"
#include "templates/dot4/tile_gemm.h"

namespace sinter {
namespace {

/// The one kind of bytes that products of four take, where they do not take either.
#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)
constexpr bool kDot4WantsUnsigned = true, kDot4WantsSigned = false;
#elif defined(__ARM_NEON) && !defined(__ARM_FEATURE_MATMUL_INT8)
constexpr bool kDot4WantsUnsigned = false, kDot4WantsSigned = true;
#else
constexpr bool kDot4WantsUnsigned = false, kDot4WantsSigned = false;
#endif
template <bool kSigned, bool kFlipped = kSigned ? kDot4WantsUnsigned : kDot4WantsSigned>
using TakenBytes = ByteKind<kSigned != kFlipped, kFlipped>;

/// The sum of k bytes, in vectors of at most kBytes.
template <class X, int kBytes>
SINTER_INLINE int32_t sumOfBytes(const uint8_t *bytes, int64_t k) {
  if constexpr (kBytes >= 16) {
    using V = Vec<int32_t, kBytes / 4>;
    int64_t at = 0;
    V total{};
    for (; at + kBytes <= k; at += kBytes) {
      V x;
      memcpy(&x, bytes + at, sizeof(x));
      if constexpr (X::isFlipped)
        x ^= splat<V>(int32_t(0x80808080u));
      total = dot4<X::isSigned>(total, x, splat<V>(0x01010101));
    }
    const int32_t moved = X::isFlipped ? (X::isSigned ? 128 : -128) * int32_t(at) : 0;
    return sum(total) + moved + sumOfBytes<X, kBytes / 2>(bytes + at, k - at);
  } else {
    int32_t total = 0;
    for (int64_t p = 0; p < k; ++p)
      total += X::isSigned != X::isFlipped ? int32_t(int8_t(bytes[p])) : int32_t(bytes[p]);
    return total;
  }
}

/// As intGemm; rows of B are ldb elements apart, with kTurned its columns, of whole fours then. `scratch`: as many
/// bytes as madeScratchBytes says. kTiles: in tile registers where k has steps for them.
template <int R, int NR, bool kTurned, bool kTiles, class Tiles = AmxTiles, class TA, class TB, class TC, class LdA,
          class LdB, class LdC, class M, class N, class K, class Epilogue>
void intGemmMade(const TA *a, LdA lda, const TB *b, LdB ldb, TC *c, LdC ldc, M m, N n, K k, void *scratch,
                 Epilogue epilogue) {
  static_assert(sizeof(TA) == 1 && sizeof(TB) == 1, "bytes");
  constexpr bool isSigned = kSame<TA, int8_t>, movesB = !kSame<TB, int8_t>;
  using X = TakenBytes<isSigned>;
  const int64_t step = kTiles && bytesOfTileStep(k) >= kLeastTileStep ? bytesOfTileStep(k) : 0;
  const MadeSizes sizes = madeSizes(m, n, k, NR);
  auto *const room = static_cast<int8_t *>(scratch);
  int8_t *const packed = room + sizes.packed, *const zeros = room + sizes.zeros;
  const auto ints = [&](int64_t offset) { return reinterpret_cast<int32_t *>(room + offset); };
  int32_t *const columnTerms = ints(sizes.columnTerms), *const rowTerms = ints(sizes.rowTerms);
  const auto *bytesOfB = reinterpret_cast<const int8_t *>(b);
  if constexpr (movesB)
    for (int64_t i = 0; i < m; ++i)
      rowTerms[i] = 128 * sumOfBytes<X, int(SINTER_VECTOR_BYTES)>(reinterpret_cast<const uint8_t *>(a + i * lda), k);
  if constexpr (!kTurned)
    memset(zeros, movesB ? 0x80 : 0, size_t(sizes.columns));
  const auto some = [&](int64_t first, auto count) {
    if constexpr (kTurned) {
      packColumns<NR>(bytesOfB + first * ldb, ldb, count, k, packed);
      if constexpr (movesB)
        flipAll(packed, roundedUp(count, NR) * k);
    } else {
      packRowsInSteps<NR, ByteKind<true, movesB>>(bytesOfB + first, ldb, count, k, step > 0 ? step : 4, zeros, packed);
    }
    const auto corrected = [=](auto v, int64_t i, int64_t j, auto flips) {
      using V = decltype(v);
      if constexpr (int(kFixed<decltype(flips)>) != 0)
        v = add(v, load<V>(columnTerms + j));
      if constexpr (movesB)
        v = add(v, splat<V>(rowTerms[i]));
      return epilogue(v, i, first + j);
    };
    if constexpr (kTiles)
      if (step > 0) {
        tileGemm<NR, ByteKind<isSigned, false>, Tiles>(
            a, lda, packed, c + first, ldc, m, count, k,
            [=](auto v, int64_t i, int64_t j) { return corrected(v, i, j, Fixed<0>{}); });
        return;
      }
    if constexpr (X::isFlipped) {
      sumColumns<NR>(packed, count, roundedUp(k, 4), columnTerms);
      for (int64_t j = 0; j < count; ++j)
        columnTerms[j] *= isSigned ? -128 : 128;
    }
    intGemm<R, NR, X>(a, lda, packed, c + first, ldc, m, count, k,
                      [=](auto v, int64_t i, int64_t j) { return corrected(v, i, j, Fixed<X::isFlipped ? 1 : 0>{}); });
  };
  if (sizes.columns >= n) {
    some(0, n);
    return;
  }
  for (int64_t first = 0; first < n; first += sizes.columns)
    some(first, int64_t(n - first < sizes.columns ? n - first : sizes.columns));
}

} // namespace
} // namespace sinter
