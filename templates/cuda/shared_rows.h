// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of rows that lie in shared memory, k side by side in both operands: sums[i, j] = A's row i times B's row j.
// In float a thread has kR x 4 sums, in halves a warp 16 x 16 on the matrix unit. Rows are an odd number of chunks of
// 16 bytes apart, which are zeros past k; rows past the last may hold anything, since their sums are dropped.
#pragma once

#include "templates/cuda/matrix_unit.h"

namespace sinter::cuda {
namespace {

/// Sums that one worker computes at a time. Workers are threads, numbered in the block.
template <class T, int kR>
struct RowUnit {
  static_assert(kSame<T, float>);
  static constexpr int kRows = kR, kColumns = 4, kDepth = 4, kAtOnce = 4, kSums = kR * 4;
  float at[kR][4] = {};

  static SINTER_DEVICE int worker() { return threadIndex(); }

  /// Of `rows` rows, worker-th unit of `unit`: its rows lie `groups` apart, so that a warp reads neighbours.
  SINTER_DEVICE void multiply(const unsigned char *a, int bytesA, const unsigned char *b, int bytesB, int unit,
                              int groups, int k) {
    const unsigned char *const rowsA = a + unit % groups * bytesA;
    const unsigned char *const rowsB = b + unit / groups * 4 * bytesB;
    SINTER_DEVICE_UNROLL_BY(2)
    for (int p = 0; p < k; p += 4) {
      Pack<float, 4> x[kR], y[4];
      SINTER_DEVICE_UNROLL
      for (int i = 0; i < kR; ++i)
        x[i] = *reinterpret_cast<const Pack<float, 4> *>(rowsA + i * groups * bytesA + p * 4);
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < 4; ++j)
        y[j] = *reinterpret_cast<const Pack<float, 4> *>(rowsB + j * bytesB + p * 4);
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < 4; ++e) {
        SINTER_DEVICE_UNROLL
        for (int i = 0; i < kR; ++i) {
          SINTER_DEVICE_UNROLL
          for (int j = 0; j < 4; ++j)
            at[i][j] = fma(x[i].at[e], y[j].at[e], at[i][j]);
        }
      }
    }
  }
  /// f(row, first of kAtOnce columns, their sums)
  template <class F>
  SINTER_DEVICE void each(int unit, int groups, F f) const {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kR; ++i)
      f(unit % groups + i * groups, unit / groups * 4, at[i]);
  }
  /// f(a sum, its number)
  template <class F>
  SINTER_DEVICE void eachSum(F f) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kR; ++i) {
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < 4; ++j)
        f(at[i][j], i * 4 + j);
    }
  }
};

/// The same of a warp.
template <class T>
struct MatrixRowUnit {
  static constexpr int kRows = 16, kColumns = 16, kDepth = 16, kAtOnce = 2, kSums = 8;
  float at[2][4] = {};

  static SINTER_DEVICE int worker() { return warpIndex(); }

  SINTER_DEVICE void multiply(SharedPlace a, int bytesA, SharedPlace b, int bytesB, int unit, int groups, int k) {
    const int lane = laneIndex();
    const SharedPlace rowA = a + (unit % groups * 16 + lane % 16) * bytesA + lane / 16 * 16;
    const SharedPlace rowB = b + (unit / groups * 16 + lane % 8 + lane / 16 * 8) * bytesB + lane / 8 % 2 * 16;
    SINTER_DEVICE_UNROLL_BY(2)
    for (int p = 0; p < k; p += 16) {
      uint32_t x[4], y[4];
      loadMatrices(x, rowA + p * 2);
      loadMatrices(y, rowB + p * 2);
      MatrixUnit<T>::multiply(at[0], MatrixUnit<T>::operand(x), MatrixUnit<T>::operand({y[0], y[1]}));
      MatrixUnit<T>::multiply(at[1], MatrixUnit<T>::operand(x), MatrixUnit<T>::operand({y[2], y[3]}));
    }
  }
  template <class F>
  SINTER_DEVICE void each(int unit, int groups, F f) const {
    const int row = unit % groups * 16 + laneIndex() / 4, column = unit / groups * 16 + laneIndex() % 4 * 2;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < 4; ++i) {
      const float pair[2] = {at[i / 2][i % 2 * 2], at[i / 2][i % 2 * 2 + 1]};
      f(row + i % 2 * 8, column + i / 2 * 8, pair);
    }
  }
  template <class F>
  SINTER_DEVICE void eachSum(F f) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < 8; ++i)
      f(at[i / 4][i % 4], i);
  }
};
template <int kR>
struct RowUnit<f16, kR> : MatrixRowUnit<f16> {};
template <int kR>
struct RowUnit<bf16, kR> : MatrixRowUnit<bf16> {};

/// A place in shared memory, as a unit of T takes it.
template <class T>
SINTER_DEVICE auto operandAt(int bytes) {
  if constexpr (kSame<T, float>)
    return static_cast<const unsigned char *>(sharedMemory() + bytes);
  else
    return sharedStart() + bytes;
}

/// `rows` rows of k elements, ld apart, to shared memory, rowBytes apart, with zeros from k to up to `depth`. Where
/// rows are aligned the copies run on, until a wait.
template <class T, bool kAligned>
SINTER_DEVICE void copyRows(int to, int rowBytes, const T *from, int64_t ld, int rows, int k, int depth, int threads) {
  constexpr int per = kPerChunk<T>;
  const int chunks = ceilDiv(depth, per);
  SINTER_DEVICE_LOOP
  for (int i = threadIndex(); i < rows * chunks; i += threads) {
    const int row = i / chunks, first = i % chunks * per, valid = k - first;
    const SharedPlace place = sharedStart() + to + row * rowBytes + first * int(sizeof(T));
    const T *const source = from + row * ld + first;
    if constexpr (kAligned)
      copyChunk(place, valid > 0 ? source : from, upTo(per, valid) * int(sizeof(T)));
    else
      gatherChunk(place, source, valid);
  }
}

} // namespace
} // namespace sinter::cuda
