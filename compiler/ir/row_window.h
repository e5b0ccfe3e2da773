// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rows of its input an op on feature maps reads for which rows of its output. Rows are the first spatial dim.
// Tiling (tileable.cpp) and the choice of row tiles (passes/tiling/tile_rows.cpp) ask.
#pragma once

#include "dialect.h"

namespace sinter {

struct RowWindow {
  int64_t inDim = 0, outDim = 0; ///< where the rows are in the types of input and output
  int64_t stride = 1;
  int64_t extent = 1; ///< rows from the first to the last tap
  int64_t pad = 0;    ///< rows of padding above; what is below follows from the sizes
  int64_t inputRows = 0, outputRows = 0;

  /// Whether no output row reads padding: what is read begins at first * stride and has one size.
  bool isInside() const { return pad == 0 && (outputRows - 1) * stride + extent <= inputRows; }
};

/// The input whose rows the window is about: a convolution's or pool's first operand.
///
/// Preconditions of a window, else nullopt: a sinter.conv with at least two spatial dims, or a pool whose kernel takes
/// its padding at run time or has none; static sizes; no padding that was chosen at run time already.
std::optional<RowWindow> rowWindowOf(mlir::Operation *op);

/// TilingInterface of this dialect's ops, by rows (and batch).
void registerTilingModels(mlir::DialectRegistry &registry);

} // namespace sinter
