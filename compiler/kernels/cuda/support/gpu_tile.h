// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiles of templates/cuda. Which of them a product takes: tile_choice.h.
#pragma once

#include "kernels/contraction_call.h"

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

struct GpuTile {
  int64_t rows = 0, columns = 0, threads = 0, sharedBytes = 0;
  int64_t stages = 0;     ///< steps of k that shared memory holds
  int64_t depthBytes = 0; ///< of k, in a step
  int64_t warpRows = 0, warpColumns = 0;
  int64_t registers = 0; ///< of a thread, as ptxas says for sm_80
  double perUnit = 0;    ///< instructions of the main loop for each of the matrix unit
  int64_t products = 1;  ///< of the unit, for each of the elements: floats are split in two
  std::string type;      ///< as the source names it; lasts
};

/// Of templates/cuda/simt_gemm.h, in float, from the largest to the smallest.
llvm::ArrayRef<GpuTile> simtTiles();
/// Of templates/cuda/block_tile.h, for elements on the matrix unit: f16, bf16, i8, f32. `isFast`: floats by one
/// product.
llvm::ArrayRef<GpuTile> matrixTiles(mlir::Type element, bool isUnsigned, bool isFast = false);
/// Whether `--fast` gives up bits of floats: `sinter.fast` of the op's module.
bool isFast(mlir::Operation *op);
/// Shared memory of a block that holds all k of its rows: normedTileBytes of templates/cuda/tile_norm_gemm.h.
int64_t normedTileBytes(const GpuTile &tile, int64_t k);
/// What the templates call f32, f16, bf16 and bytes.
llvm::StringRef elementName(mlir::Type element, bool isUnsigned);
/// Whether every GPU of the target has a matrix unit for the element.
bool hasMatrixUnit(const Target &target, mlir::Type element);

/// What tiles of 32 rows and more are nearly empty with: templates/cuda/row_products.h.
constexpr int64_t mostFewRows = 4;
/// Known rows (batches among them) and columns of the output.
std::pair<std::optional<int64_t>, std::optional<int64_t>> outputSizesOf(MatmulOp op);

/// Whether a buffer's rows are dense, and begin at multiples of so many bytes, by its type.
bool areMultiples(mlir::Value buffer, int64_t bytes);
/// Whether a buffer's rows begin at multiples of 16 bytes, by its type: arenas, weights and tensors do.
bool hasAlignedRows(mlir::Value buffer);
/// Whether elements at even places are pairs that are aligned.
bool hasAlignedPairs(mlir::Value buffer);
/// A known size that sums of 32 bits count; nothing else is taken by tiles.
bool isSmall(mlir::Value buffer);

/// Of a feature map [n, 1, h, w, c] (or [n, 1, w, c]): pixels one distance apart, channels side by side.
bool isOfPixels(mlir::Value map);

} // namespace sinter
