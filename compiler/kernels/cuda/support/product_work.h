// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel of each kind does, in the numbers of gpu_time.h: a function for each template of templates/cuda that
// computes contractions.
#pragma once

#include "gpu_tile.h"
#include "gpu_time.h"
#include "kernels/cycles.h"
#include "kernels/kernel.h"

namespace sinter {

/// A contraction as kernels of GPUs meet it.
struct GpuProduct {
  ProductSizes sizes;      ///< batches are blocks of their own
  double elementBytes = 4; ///< of the operands
  bool isAligned = true;   ///< 16 bytes at a time
  bool isConv = false;     ///< rows are windows of a map
  double weightBytes = 0;  ///< constants, of the launch
  double mapBytes = 0;     ///< all else, inputs and outputs
};
/// Nothing where a size has no bound.
std::optional<GpuProduct> gpuProductOf(ConvOp op);
std::optional<GpuProduct> gpuProductOf(MatmulOp op);

/// Tiles on the matrix unit, k in so many slices: tile_gemm.h, tile_conv.h, split_k.h.
GpuWork matrixWork(const GpuProduct &product, const GpuTile &tile, int64_t slices, const GpuModel &gpu);
/// The same of rows that a block normalises first: tile_norm_gemm.h.
GpuWork normedWork(const GpuProduct &product, const GpuTile &tile, const GpuModel &gpu);
/// A warp for each row of `size` elements that are normalised: row_of_warp.h.
GpuWork normRowsWork(double rows, double size, double elementBytes);
/// Tiles of floats: simt_gemm.h, simt_conv.h.
GpuWork simtWork(const GpuProduct &product, const GpuTile &tile);
/// The same of rows that are normalised on their way: simt_norm_gemm.h.
GpuWork simtNormedWork(const GpuProduct &product, const GpuTile &tile);
/// A warp for each column: row_products.h.
GpuWork rowsWork(const GpuProduct &product);
/// A thread's channels and outputs of a row; inputs and taps of a line that it meets.
struct DepthwiseStrip {
  int64_t pack = 1, outputs = 1, inputs = 1, taps = 1;
};
/// depthwise_strip.h.
GpuWork stripWork(const GpuProduct &product, const DepthwiseStrip &strip);
/// A thread for each element: by_element.h.
GpuWork elementWork(const GpuProduct &product);

/// A record's `work` by one that needs no more than the product.
template <GpuWork (*work)(const GpuProduct &), class Contraction>
std::optional<GpuWork> workBy(Contraction op, const Target &) {
  std::optional<GpuProduct> product = gpuProductOf(op);
  return product ? std::optional(work(*product)) : std::nullopt;
}
/// An `estimate` for kernels whose launch no other op shares (passes/launches): a gap more than the work takes.
template <class Contraction>
std::optional<double> aloneNanoseconds(Contraction op, const Target &target) {
  std::optional<GpuProduct> product = gpuProductOf(op);
  if (!product)
    return std::nullopt;
  return 1000 * (timeInSequence(target.gpu, elementWork(*product)).microseconds + leastGap(target.gpu));
}

/// The record of a GPU's kernel, whose estimate is how long its work takes.
template <class Contraction>
Kernel gpuKernel(llvm::StringRef name, int rank, KernelOf<Contraction> kernel,
                 std::optional<GpuWork> (*work)(Contraction op, const Target &target)) {
  kernel.work = work;
  return Kernel(name, rank, kernel).forGpu();
}

} // namespace sinter
