// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit: a warp multiplies a 16 x k by a k x 8 tile, where k is 32 bytes of a row whatever the elements.
// A and B are rows of k (B by columns), so one layout of words serves all types: with g = lane / 4, t = lane % 4,
//   a[0]: row g,     word t          a[2]: row g,     word t + 4
//   a[1]: row g + 8, word t          a[3]: row g + 8, word t + 4
//   b[0]: column g,  word t          b[1]: column g,  word t + 4
//   c[0], c[1]: row g, columns 2t, 2t + 1        c[2], c[3]: row g + 8, the same columns
// as in the PTX manual, "Matrix multiply-accumulate operation using mma instruction". loadMatrices fills a and b.
#pragma once

#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"

namespace sinter::cuda {
namespace {

/// Four 8 x 16-byte matrices from shared memory: lane l gives the row l % 8 of matrix l / 8, and takes word t of row g
/// of each. All 32 lanes come here.
SINTER_DEVICE void loadMatrices(uint32_t (&words)[4], SharedPlace row) {
#if SINTER_ON_DEVICE
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(row)
               : "memory");
#else
  emulation::loadMatrices(words, row, false);
#endif
}
/// The same, each matrix of 8 x 8 halves transposed.
SINTER_DEVICE void loadTransposed(uint32_t (&words)[4], SharedPlace row) {
#if SINTER_ON_DEVICE
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(row)
               : "memory");
#else
  emulation::loadMatrices(words, row, true);
#endif
}

#if SINTER_ON_DEVICE
#define SINTER_MMA(shape, types, constraint, c, a, b)                                                                  \
  asm volatile("mma.sync.aligned." shape ".row.col." types                                                             \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                                      \
               : "+" constraint(c[0]), "+" constraint(c[1]), "+" constraint(c[2]), "+" constraint(c[3])                \
               : "r"(a.at[0]), "r"(a.at[1]), "r"(a.at[2]), "r"(a.at[3]), "r"(b.at[0]), "r"(b.at[1]))
#endif

/// What a product takes: N words of a lane.
template <int N>
struct Words {
  uint32_t at[N];
};
/// A unit whose operands are elements as they are.
struct PlainOperands {
  static constexpr bool kPromote = false;
  static constexpr int kProducts = 1;
  template <int N>
  using Operand = Words<N>;
  template <int N>
  static SINTER_DEVICE Words<N> operand(const uint32_t (&words)[N]) {
    Words<N> all;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < N; ++i)
      all.at[i] = words[i];
    return all;
  }
};

/// The unit for elements of type T: multiply(c, operand(a), operand(b), product) for each of kProducts. Sum: what it
/// adds up in. kPromote: its sums, which are rounded toward zero, are added to sums of ordinary floats after each step
/// of k.
template <class T>
struct MatrixUnit;

template <>
struct MatrixUnit<f16> : PlainOperands {
  using Sum = float;

  static SINTER_DEVICE void multiply(Sum (&c)[4], const Words<4> &a, const Words<2> &b, int = 0) {
#if SINTER_CUDA_ARCH >= 800
#if SINTER_ON_DEVICE
    SINTER_MMA("m16n8k16", "f32.f16.f16.f32", "f", c, a, b);
#else
    emulation::multiply(emulation::Element::F16, c, a.at, b.at);
#endif
#else
    multiplyHalf(c, a.at[0], a.at[1], b.at[0]);
    multiplyHalf(c, a.at[2], a.at[3], b.at[1]);
#endif
  }

private:
  /// sm_75: 8 of k at a time.
  static SINTER_DEVICE void multiplyHalf(Sum (&c)[4], uint32_t a0, uint32_t a1, uint32_t b) {
#if SINTER_ON_DEVICE
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a0), "r"(a1), "r"(b));
#else
    const uint32_t a[4] = {a0, a1, 0, 0}, words[2] = {b, 0};
    emulation::multiply(emulation::Element::F16, c, a, words);
#endif
  }
};

template <>
struct MatrixUnit<bf16> : PlainOperands {
  using Sum = float;

  static SINTER_DEVICE void multiply(Sum (&c)[4], const Words<4> &a, const Words<2> &b, int = 0) {
#if !SINTER_ON_DEVICE
    emulation::multiply(emulation::Element::BF16, c, a.at, b.at);
#elif SINTER_CUDA_ARCH >= 800
    SINTER_MMA("m16n8k16", "f32.bf16.bf16.f32", "f", c, a, b);
#else
    (void)c, (void)a, (void)b;
    asm volatile("trap;"); // sm_75 has no unit for bf16: the compiler does not choose this there
#endif
  }
};

/// float as three products of TF32: x = high + low, where the unit takes 11 bits of each and no notice of those below,
/// and high low + low high + high high are added up. As good as float where all is finite; an infinity comes out as
/// NaN, since its low part is one: block_tile.h looks for it. sm_80 on.
template <>
struct MatrixUnit<float> {
  using Sum = float;
  static constexpr bool kPromote = true;
  static constexpr int kProducts = 3;

  template <int N>
  struct Operand {
    Words<N> high, low;
  };
  template <int N>
  static SINTER_DEVICE Operand<N> operand(const uint32_t (&words)[N]) {
    Operand<N> parts;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < N; ++i) {
      parts.high.at[i] = words[i];
      parts.low.at[i] = bitCast<uint32_t>(bitCast<float>(words[i]) - bitCast<float>(words[i] & kCounted)); // exact
    }
    return parts;
  }

  /// One of the products, the smallest first.
  static SINTER_DEVICE void multiply(Sum (&c)[4], const Operand<4> &a, const Operand<2> &b, int product) {
    multiplyOnce(c, product == 0 ? a.low : a.high, product == 1 ? b.low : b.high);
  }
  /// One product of TF32: 11 bits of each operand count.
  static SINTER_DEVICE void multiplyOnce(Sum (&c)[4], const Words<4> &a, const Words<2> &b) {
#if !SINTER_ON_DEVICE
    emulation::multiply(emulation::Element::TF32, c, a.at, b.at);
#elif SINTER_CUDA_ARCH >= 800
    SINTER_MMA("m16n8k8", "f32.tf32.tf32.f32", "f", c, a, b);
#else
    (void)c, (void)a, (void)b;
    asm volatile("trap;"); // as for bf16
#endif
  }

private:
  static constexpr uint32_t kCounted = 0xffffe000u; ///< a float's bits that TF32 has
};

/// One product of TF32 for floats that need no more than its 11 bits (--fast): what is below does not count.
struct Tf32Unit : PlainOperands {
  using Sum = float;

  static SINTER_DEVICE void multiply(Sum (&c)[4], const Words<4> &a, const Words<2> &b, int = 0) {
    MatrixUnit<float>::multiplyOnce(c, a, b);
  }
};

/// Bytes: sums are whole numbers, and exact.
template <class T>
struct ByteMatrixUnit : PlainOperands {
  using Sum = int32_t;

  static SINTER_DEVICE void multiply(Sum (&c)[4], const Words<4> &a, const Words<2> &b, int = 0) {
#if SINTER_CUDA_ARCH >= 800
#if !SINTER_ON_DEVICE
    emulation::multiply(kSame<T, int8_t> ? emulation::Element::S8 : emulation::Element::U8, c, a.at, b.at);
#else
    if constexpr (kSame<T, int8_t>)
      SINTER_MMA("m16n8k32", "s32.s8.s8.s32", "r", c, a, b);
    else
      SINTER_MMA("m16n8k32", "s32.u8.s8.s32", "r", c, a, b);
#endif
#else
    multiplyQuarter(c[0], c[1], a.at[0], b.at[0]);
    multiplyQuarter(c[0], c[1], a.at[2], b.at[1]);
    multiplyQuarter(c[2], c[3], a.at[1], b.at[0]);
    multiplyQuarter(c[2], c[3], a.at[3], b.at[1]);
#endif
  }

private:
  /// sm_75: 8 rows and 16 of k at a time.
  static SINTER_DEVICE void multiplyQuarter(Sum &c0, Sum &c1, uint32_t a, uint32_t b) {
#if !SINTER_ON_DEVICE
    int32_t c[4] = {c0, c1, 0, 0};
    const uint32_t words[4] = {a, 0, 0, 0}, column[2] = {b, 0};
    emulation::multiply(kSame<T, int8_t> ? emulation::Element::S8 : emulation::Element::U8, c, words, column);
    c0 = c[0], c1 = c[1];
#else
    if constexpr (kSame<T, int8_t>)
      asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+r"(c0), "+r"(c1)
                   : "r"(a), "r"(b));
    else
      asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+r"(c0), "+r"(c1)
                   : "r"(a), "r"(b));
#endif
  }
};
template <>
struct MatrixUnit<int8_t> : ByteMatrixUnit<int8_t> {};
/// A's bytes are unsigned, B's signed.
template <>
struct MatrixUnit<uint8_t> : ByteMatrixUnit<uint8_t> {};

} // namespace
} // namespace sinter::cuda
