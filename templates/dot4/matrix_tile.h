// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register tile of int_tile.h by instructions that multiply small matrices: 2x8 bytes by 8x2 are added to 2x2 sums
// (SMMLA and USMMLA of 64-bit Arm with i8mm), twice the products of a dot product of four. Eight bytes may be four
// bf16 (BFMMLA), whose sums are floats: four times the products of a multiply-add of vectors.
//
//   sums[R][columns] += A[R][8] B[8][columns], weights [eight][column][8]
//
// A vector of weights is two columns as they lie. Rows are loaded 16 bytes at a time, of which those of two rows by
// turns are two steps. The last of an odd number of rows stands for two, which is no more work than dot products of
// one row are. Registers: 4 rows by 16 columns are 16 of sums, 4 of A and 2 of B, as
// XNNPACK's 4x16c8 for i8mm has them; KleidiAI's have this order, too.
#pragma once

#include "templates/dot4/int_dot.h"

namespace sinter {
namespace {

/// Whether that is one instruction.
#if defined(__ARM_FEATURE_MATMUL_INT8) && defined(__aarch64__)
[[maybe_unused]] constexpr bool kHasSquares = true;
#else
[[maybe_unused]] constexpr bool kHasSquares = false;
#endif

/// acc = {row 0 by column 0, row 0 by column 1, row 1 by column 0, row 1 by column 1} and the products of two rows of
/// eight bytes (signed or not) with two columns of eight (signed).
template <bool kSigned, class V>
SINTER_INLINE V dotSquare(V acc, V rows, V columns) {
  static_assert(kLanesOf<V> == 4 && kSame<ElementOf<V>, int32_t>, "two rows by two columns");
#if defined(__ARM_FEATURE_MATMUL_INT8) && defined(__aarch64__)
#if defined(__ARM_FEATURE_QRDMX) && !defined(__clang__) // as dot4Lane in int_dot.h
  if constexpr (kSigned)
    return __builtin_aarch64_simd_smmlav16qi(acc, (Vec<int8_t, 16>)rows, (Vec<int8_t, 16>)columns);
  else
    return __builtin_aarch64_simd_usmmlav16qi_ssus(acc, (Vec<uint8_t, 16>)rows, (Vec<int8_t, 16>)columns);
#else
  if constexpr (kSigned)
    __asm__(SINTER_DOT_ARCH "smmla %0.4s, %1.16b, %2.16b" : "+w"(acc) : "w"(rows), "w"(columns));
  else
    __asm__(SINTER_DOT_ARCH "usmmla %0.4s, %1.16b, %2.16b" : "+w"(acc) : "w"(rows), "w"(columns));
  return acc;
#endif
#else
  uint8_t a[16];
  int8_t b[16];
  int32_t sums[4];
  memcpy(&a[0], &rows, sizeof(a));
  memcpy(&b[0], &columns, sizeof(b));
  memcpy(&sums[0], &acc, sizeof(sums));
  for (int i = 0; i < 32; ++i) {
    const uint8_t byte = a[i / 16 * 8 + i % 8];
    int32_t &sum = sums[i / 16 * 2 + i / 8 % 2];
    sum = add(sum, (kSigned ? int32_t(int8_t(byte)) : int32_t(byte)) * b[i % 16]);
  }
  memcpy(&acc, &sums[0], sizeof(sums));
  return acc;
#endif
}

/// The same of two rows of four bf16 with two columns of four. Sources: BFMMLA in the Arm Architecture Reference
/// Manual; it adds two products at a time, rounded to odd, and takes subnormal numbers for zeros.
template <class V>
SINTER_INLINE V bf16Square(V acc, V rows, V columns) {
  static_assert(kLanesOf<V> == 4 && kSame<ElementOf<V>, float>, "two rows by two columns");
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC) && defined(__aarch64__)
  __asm__(SINTER_DOT_ARCH "bfmmla %0.4s, %1.8h, %2.8h" : "+w"(acc) : "w"(rows), "w"(columns));
  return acc;
#else
  bf16 a[8], b[8];
  float sums[4];
  memcpy(&a[0], &rows, sizeof(a));
  memcpy(&b[0], &columns, sizeof(b));
  memcpy(&sums[0], &acc, sizeof(sums));
  for (int i = 0; i < 16; ++i) {
    float &sum = sums[i / 8 * 2 + i / 4 % 2];
    sum = fma(convert<float>(a[i / 8 * 4 + i % 4]), convert<float>(b[i % 8]), sum);
  }
  memcpy(&acc, &sums[0], sizeof(sums));
  return acc;
#endif
}
/// The one that X's sums are made by.
template <class X, class V>
SINTER_INLINE V squareOf(V acc, V rows, V columns) {
  if constexpr (kSame<ElementOf<V>, float>)
    return bf16Square(acc, rows, columns);
  else
    return dotSquare<X::isSigned>(acc, rows, columns);
}

/// The first or last eight bytes of a, then those of b.
template <bool kLast, class V>
SINTER_INLINE V halvesOf(V a, V b) {
  if constexpr (kLast)
    return __builtin_shufflevector(a, b, 2, 3, 6, 7);
  else
    return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}

/// Eight bytes that stand for `length` ones at p, fewer than eight: the first four and the last four, whose weights are
/// zero where the first have them too, or up to four and zeros.
template <class N>
SINTER_INLINE uint64_t upToEightAt(const uint8_t *p, N length) {
  uint32_t low = 0, high = 0;
  if (length >= 4) {
    memcpy(&low, p, sizeof(low));
    if (length > 4)
      memcpy(&high, p + (length - 4), sizeof(high));
  } else {
    for (int i = 0; i < 3 && i < length; ++i)
      low |= uint32_t(p[i]) << 8 * i;
  }
  return low | uint64_t(high) << 32;
}

/// Sums of R rows by kColumns columns, of which kPanel are a panel; `b`: the weights of the next step.
template <int R, int kColumns, int kPanel, class X, class V>
struct SquareSums {
  static_assert(kPanel % 4 == 0, "two vectors of weights at a time");
  static constexpr int pairs = (R + 1) / 2, columns = kColumns / 2;
  V at[pairs][columns] = {};
  const int8_t *b;
  int64_t pitch;

  SINTER_INLINE_MEMBER SquareSums(const int8_t *b, int64_t pitch) : b(b), pitch(pitch) {}

  SINTER_INLINE_MEMBER static constexpr int second(int pair) { return 2 * pair + (2 * pair + 1 < R ? 1 : 0); }

  /// One step, `skipped` of them behind b, by pairs of rows of eight bytes. Weights are read two vectors at a time.
  SINTER_INLINE_MEMBER void add(const V (&x)[pairs], int64_t skipped) {
    SINTER_UNROLL
    for (int j = 0; j < columns; j += 2) {
      constexpr int inPanel = kPanel / 2;
      const int8_t *here = b + j / inPanel * pitch + (skipped * inPanel + j % inPanel) * int64_t(sizeof(V));
      V w[2];
      SINTER_IN_ORDER; // else all weights are read at once, and registers are lacking
      memcpy(&w[0], here, sizeof(V));
      memcpy(&w[1], here + sizeof(V), sizeof(V));
      SINTER_UNROLL
      for (int i = 0; i < pairs; ++i) {
        at[i][j] = squareOf<X>(at[i][j], x[i], w[0]);
        at[i][j + 1] = squareOf<X>(at[i][j + 1], x[i], w[1]);
      }
    }
  }
  /// eight(i): row i's.
  template <class Eight>
  SINTER_INLINE_MEMBER void addEights(Eight eight) {
    V x[pairs];
    SINTER_UNROLL
    for (int i = 0; i < pairs; ++i) {
      const uint64_t both[2] = {eight(2 * i), eight(second(i))};
      memcpy(&x[i], &both[0], sizeof(V));
      if constexpr (X::isFlipped)
        x[i] ^= splat<V>(int32_t(0x80808080u));
    }
    add(x, 0);
    b += kPanel * 8;
  }
  /// Two steps, of rows whose first byte is at row(i).
  template <class Row>
  SINTER_INLINE_MEMBER void addVectors(Row row) {
    V first[pairs], last[pairs];
    SINTER_UNROLL
    for (int i = 0; i < pairs; ++i) {
      V upper, lower;
      memcpy(&upper, row(2 * i), sizeof(V));
      memcpy(&lower, row(second(i)), sizeof(V));
      if constexpr (X::isFlipped) {
        upper ^= splat<V>(int32_t(0x80808080u));
        lower ^= splat<V>(int32_t(0x80808080u));
      }
      first[i] = halvesOf<false>(upper, lower);
      last[i] = halvesOf<true>(upper, lower);
    }
    add(first, 0);
    add(last, 1);
    b += 2 * kPanel * 8;
  }
  /// to[R][kColumns] = the sums.
  SINTER_INLINE_MEMBER void end(ElementOf<V> *to) const {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      SINTER_UNROLL
      for (int j = 0; j < columns; j += 2) {
        const V a = at[i / 2][j], b = at[i / 2][j + 1];
        store(to + i * kColumns + j * 2, i % 2 ? halvesOf<true>(a, b) : halvesOf<false>(a, b));
      }
    }
  }
};

/// dotTile of int_tile.h with weights [streams][run][eight of a run][column][8]: a run whose length is no multiple of 8
/// ends with the eight bytes before its end, weights being zero for those that the eight before had; of fewer than
/// eight see upToEightAt. Where X fills rests up, it ends with eight that its last bytes and zeros are: zero weights
/// would make numbers of infinities.
template <int R, int kColumns, int kStreams, class X, class V, class Stride, class Runs>
SINTER_HOST_DEVICE void squareTile(const uint8_t *a, Stride stride, const Runs &runs, const int8_t *b, int64_t pitch,
                                   V *out) {
  SquareSums<R, kColumns * kStreams, kColumns, X, Vec<ElementOf<V>, 4>> sums(b, pitch);
  for (int64_t h = 0; h < runs.countH; ++h)
    for (int64_t w = 0; w < runs.countW; ++w) {
      const uint8_t *run = a + h * runs.stepH + w * runs.stepW, *at = run;
      const int64_t length = runs.length;
      const auto eightAt = [&](int64_t byte) SINTER_INLINE_LAMBDA {
        sums.addEights([&](int i) SINTER_INLINE_LAMBDA {
          uint64_t eight;
          memcpy(&eight, at + i * stride + byte, sizeof(eight));
          return eight;
        });
      };
      for (int64_t p = 0; p + 16 <= length; p += 16, at += 16) // a pointer and constants, or the rows' distances
        sums.addVectors(
            [&](int i) SINTER_INLINE_LAMBDA { return kFixed<Stride> >= 0 ? at + i * stride : run + i * stride + p; });
      if (length % 16 >= 8)
        eightAt(0);
      if (length % 8 == 0)
        continue;
      if constexpr (X::fillsRests)
        sums.addEights([&](int i) SINTER_INLINE_LAMBDA {
          uint64_t eight = 0;
          memcpy(&eight, at + i * stride + length % 16 / 8 * 8, size_t(length % 8));
          return eight;
        });
      else if (length > 8)
        eightAt(length % 16 - 8);
      else
        sums.addEights([&](int i) SINTER_INLINE_LAMBDA { return upToEightAt(at + i * stride, runs.length); });
    }
  sums.end(reinterpret_cast<ElementOf<V> *>(out));
}

} // namespace
} // namespace sinter
