// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// out[b, j, i] = in[b, i, j]: a transpose by tiles of 32 x 32 in shared memory, so that rows are read and columns
// written side by side. Tile rows are one word longer than 32, so that columns of it lie in different banks.
// Grid: ceil(columns / 32) x ceil(rows / 32) x batch; blocks of 256.
#pragma once

#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"

namespace sinter::cuda {
namespace {

constexpr int kSwapThreads = 256, kSwapTile = 32, kSwapPitch = kSwapTile + 1;
/// Of shared memory: a word for each element, of whatever type.
constexpr int kSwapSharedBytes = kSwapTile * kSwapPitch * 4;

/// `epilogue(v)`. T: up to 4 bytes.
template <class T, class TC, class Epilogue>
SINTER_DEVICE void swapAxes(const T *in, TC *out, int rows, int columns, Epilogue epilogue) {
  static_assert(sizeof(T) <= 4);
  struct alignas(4) Word {
    T value;
  };
  Word *const tile = sharedMemoryAs<Word>();
  const int across = threadIndex() % kSwapTile, down = threadIndex() / kSwapTile;
  const int row = blockY() * kSwapTile, column = blockX() * kSwapTile;
  const int64_t picture = int64_t(blockZ()) * rows * columns;
  SINTER_DEVICE_UNROLL
  for (int i = down; i < kSwapTile; i += kSwapThreads / kSwapTile)
    if (row + i < rows && column + across < columns)
      tile[i * kSwapPitch + across].value = in[picture + int64_t(row + i) * columns + column + across];
  syncBlock();
  SINTER_DEVICE_UNROLL
  for (int i = down; i < kSwapTile; i += kSwapThreads / kSwapTile)
    if (column + i < columns && row + across < rows)
      out[picture + int64_t(column + i) * rows + row + across] =
          stored<TC>(epilogue(tile[across * kSwapPitch + i].value));
}

} // namespace
} // namespace sinter::cuda
