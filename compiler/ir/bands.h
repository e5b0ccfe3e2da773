// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bands of rows that threads compute side by side: a loop with one iteration for each band, which writes other rows of
// an output than the others do and works in memory of its own (passes/buffers/buffers_of_bands.cpp). Row tiles
// (passes/tiling) make such loops; generated code runs them on the caller's pool. The kernels in an iteration are one
// thread's.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sinter {

inline constexpr llvm::StringRef kBandsAttr = "sinter.bands";

inline void setBands(mlir::scf::ForOp loop) { loop->setAttr(kBandsAttr, mlir::UnitAttr::get(loop.getContext())); }

inline bool isOverBands(mlir::scf::ForOp loop) { return loop->hasAttr(kBandsAttr); }

/// The loop over bands around an op; null where there is none.
inline mlir::scf::ForOp bandsAround(mlir::Operation *op) {
  auto loop = op->getParentOfType<mlir::scf::ForOp>();
  while (loop && !isOverBands(loop))
    loop = loop->getParentOfType<mlir::scf::ForOp>();
  return loop;
}

} // namespace sinter
