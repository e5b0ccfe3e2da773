// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of inverted_residual.h, of its maps and of what a block has of them in shared memory. The compiler chooses
// tiles by these functions (compiler/kernels/cuda/support), so what it reserves is what the kernel uses: plain numbers,
// no header of the device.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter::cuda {

/// A convolution's input and its windows.
struct ResidualConv {
  int height, width, channels;
  int kernelHeight, kernelWidth, strideY, strideX, dilationY, dilationX, padTop, padLeft;
  int pitch;      ///< elements from a pixel to the next
  bool hasPlanes; ///< each channel is a plane: a net's picture

  SINTER_HOST_DEVICE constexpr int depth() const { return kernelHeight * kernelWidth * channels; }
};

/// What a block computes: tileY x tileX pixels of the output, from `chunk` hidden channels at a time, of one of
/// `splits` shares of them.
struct ResidualTile {
  int tileY, tileX, chunk, splits, threads;
  int expandRows, projectRows; ///< pixels whose sums a thread has at a time; of halves a warp always has 16
};

struct ResidualShape {
  ResidualConv expand;    ///< where there is none, depth 0
  ResidualConv depthwise; ///< `channels` are the hidden ones
  int outHeight, outWidth, filters;
  int elementBytes; ///< 4, and sums of a thread; or 2, and those of a warp on the matrix unit
  ResidualTile tile;

  SINTER_HOST_DEVICE static constexpr int up(int n, int unit) { return (n + unit - 1) / unit * unit; }

  SINTER_HOST_DEVICE constexpr bool hasExpand() const { return expand.channels > 0; }
  SINTER_HOST_DEVICE constexpr bool isOnMatrixUnit() const { return elementBytes == 2; }
  SINTER_HOST_DEVICE constexpr int tilesX() const { return (outWidth + tile.tileX - 1) / tile.tileX; }
  SINTER_HOST_DEVICE constexpr int tilesOfImage() const { return (outHeight + tile.tileY - 1) / tile.tileY * tilesX(); }
  /// The tile's window of the hidden map, and the tile itself, in pixels.
  SINTER_HOST_DEVICE constexpr int windowY() const {
    return (tile.tileY - 1) * depthwise.strideY + (depthwise.kernelHeight - 1) * depthwise.dilationY + 1;
  }
  SINTER_HOST_DEVICE constexpr int windowX() const {
    return (tile.tileX - 1) * depthwise.strideX + (depthwise.kernelWidth - 1) * depthwise.dilationX + 1;
  }
  SINTER_HOST_DEVICE constexpr int window() const { return windowY() * windowX(); }
  SINTER_HOST_DEVICE constexpr int pixels() const { return tile.tileY * tile.tileX; }
  SINTER_HOST_DEVICE constexpr int chunks() const { return (depthwise.channels + tile.chunk - 1) / tile.chunk; }
  SINTER_HOST_DEVICE constexpr int chunksOfSplit() const { return (chunks() + tile.splits - 1) / tile.splits; }

  /// What products take at a time: elements of k, sums down and across.
  SINTER_HOST_DEVICE constexpr int depthUnit() const { return isOnMatrixUnit() ? 16 : 4; }
  SINTER_HOST_DEVICE constexpr int rowUnit(int rows) const { return isOnMatrixUnit() ? 16 : rows; }
  SINTER_HOST_DEVICE constexpr int columnUnit() const { return isOnMatrixUnit() ? 16 : 4; }
  /// Threads or warps.
  SINTER_HOST_DEVICE constexpr int workers() const { return isOnMatrixUnit() ? tile.threads / 32 : tile.threads; }
  SINTER_HOST_DEVICE constexpr int units(int rows, int columns, int perUnit) const {
    return (rows + rowUnit(perUnit) - 1) / rowUnit(perUnit) * ((columns + columnUnit() - 1) / columnUnit());
  }
  SINTER_HOST_DEVICE constexpr int expandUnits() const { return units(window(), tile.chunk, tile.expandRows); }
  SINTER_HOST_DEVICE constexpr int projectUnits() const { return units(pixels(), filters, tile.projectRows); }
  /// Of the projection, a worker's units, and a thread's sums in each.
  SINTER_HOST_DEVICE constexpr int ownUnits() const { return (projectUnits() + workers() - 1) / workers(); }
  SINTER_HOST_DEVICE constexpr int sumsOfUnit() const { return isOnMatrixUnit() ? 8 : tile.projectRows * 4; }

  /// Bytes from a row of k elements to the next: an odd number of chunks of 16, so that rows do not meet in a bank.
  SINTER_HOST_DEVICE constexpr int rowBytes(int k) const { return (up(k, depthUnit()) * elementBytes / 16 | 1) * 16; }
  /// Where the parts lie in shared memory: windows of the input, filters of the expansion, the hidden map, what the
  /// depthwise convolution makes of it, filters of the projection.
  SINTER_HOST_DEVICE constexpr int expandFilters() const {
    return hasExpand() ? up(window(), rowUnit(tile.expandRows)) * rowBytes(expand.depth()) : 0;
  }
  SINTER_HOST_DEVICE constexpr int hiddenMap() const {
    return expandFilters() + (hasExpand() ? up(tile.chunk, columnUnit()) * rowBytes(expand.depth()) : 0);
  }
  SINTER_HOST_DEVICE constexpr int middleMap() const {
    return hiddenMap() + up(window(), rowUnit(tile.expandRows)) * rowBytes(tile.chunk);
  }
  SINTER_HOST_DEVICE constexpr int projectFilters() const {
    return middleMap() + up(pixels(), rowUnit(tile.projectRows)) * rowBytes(tile.chunk);
  }
  SINTER_HOST_DEVICE constexpr int sharedBytes() const {
    return projectFilters() + up(filters, columnUnit()) * rowBytes(tile.chunk);
  }

  /// Floats that the splits of all tiles leave for the block that adds them up.
  SINTER_HOST_DEVICE constexpr long long partials(long long images) const {
    return tile.splits == 1 ? 0 : images * tilesOfImage() * tile.splits * (ownUnits() * sumsOfUnit()) * tile.threads;
  }
};

} // namespace sinter::cuda
