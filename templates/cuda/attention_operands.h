// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of probabilities and values on the matrix unit, for flash_attention.h. The probabilities are where the
// product before left them, and become A as they lie; the values are rows of columns in shared memory, where B wants
// columns of keys. Halves are transposed as they are loaded. There is no such load of words, and none is needed: which
// key stands at which place of k, and which column at which place of n, is free as long as both operands, and who
// stores sums, agree.
#pragma once

#include "templates/cuda/matrix_unit.h"

namespace sinter::cuda {
namespace {

/// kKeys: of an instruction. kColumns: of a load. kRun: a lane's sums of a row that are side by side in memory.
template <class T>
struct ValueProduct {
  static constexpr int kKeys = 16, kColumns = 16, kRun = 2;
  using Unit = MatrixUnit<T>;

  /// A, of the instruction number `step` of all that the scores' keys take.
  template <int N>
  static SINTER_DEVICE Words<4> weights(const float (&scores)[N][4], int step) {
    const float(&low)[4] = scores[2 * step], (&high)[4] = scores[2 * step + 1];
    return {{packPair<T>(low[0], low[1]), packPair<T>(low[2], low[3]), packPair<T>(high[0], high[1]),
             packPair<T>(high[2], high[3])}};
  }
  /// B, of the values from a key and a column on.
  template <class Tile>
  static SINTER_DEVICE void load(Words<2> (&b)[kColumns / 8], SharedPlace values, int key, int column) {
    const int lane = laneIndex();
    uint32_t words[4];
    loadTransposed(words, values + Tile::template placeOf<Tile::kWidth>(key + lane % 16, column / 8 + lane / 16));
    b[0] = Words<2>{{words[0], words[1]}};
    b[1] = Words<2>{{words[2], words[3]}};
  }
  /// The first column of run number `run` of this lane, and its sums in row r (of two).
  static SINTER_DEVICE int columnOf(int run) { return run * 8 + laneIndex() % 4 * 2; }
  template <int N>
  static SINTER_DEVICE Pack<float, kRun> runOf(const float (&sums)[N][4], int run, int r) {
    return {{sums[run][2 * r], sums[run][2 * r + 1]}};
  }
  static SINTER_DEVICE void store(T *to, const Pack<float, kRun> &run) {
    *reinterpret_cast<uint32_t *>(to) = packPair<T>(run.at[0], run.at[1]);
  }
};

/// Place t of k is key 2t, place t + 4 is key 2t + 1: so a lane's scores are its words of A. Place g of n is column
/// 4g + i of 32, in the i-th of four instructions: so 16 bytes of a key are words of B for all four.
template <>
struct ValueProduct<float> {
  static constexpr int kKeys = 8, kColumns = 32, kRun = 4;
  using Unit = MatrixUnit<float>;

  template <int N>
  static SINTER_DEVICE Unit::Operand<4> weights(const float (&scores)[N][4], int step) {
    const float(&own)[4] = scores[step];
    return Unit::operand(
        {bitCast<uint32_t>(own[0]), bitCast<uint32_t>(own[2]), bitCast<uint32_t>(own[1]), bitCast<uint32_t>(own[3])});
  }
  template <class Tile>
  static SINTER_DEVICE void load(Unit::Operand<2> (&b)[kColumns / 8], SharedPlace values, int key, int column) {
    const int row = key + laneIndex() % 4 * 2, chunk = column / 4 + laneIndex() / 4;
    const Chunk even = loadShared(values + Tile::template placeOf<Tile::kWidth>(row, chunk));
    const Chunk odd = loadShared(values + Tile::template placeOf<Tile::kWidth>(row + 1, chunk));
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kColumns / 8; ++i)
      b[i] = Unit::operand({even.at[i], odd.at[i]});
  }
  static SINTER_DEVICE int columnOf(int run) { return run / 2 * 32 + laneIndex() % 4 * 8 + run % 2 * 4; }
  template <int N>
  static SINTER_DEVICE Pack<float, kRun> runOf(const float (&sums)[N][4], int run, int r) {
    const int first = run / 2 * 4, of = 2 * r + run % 2;
    return {{sums[first][of], sums[first + 1][of], sums[first + 2][of], sums[first + 3][of]}};
  }
  static SINTER_DEVICE void store(float *to, const Pack<float, kRun> &run) {
    *reinterpret_cast<Pack<float, kRun> *>(to) = run;
  }
};

} // namespace
} // namespace sinter::cuda
