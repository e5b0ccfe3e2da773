// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops compute each position of a dim by itself, and where their operands have these positions: what a slice moves
// up through.
#pragma once

#include "builders/sizes.h"

namespace sinter {

/// Where a tensor has positions: in a dim whose index is (i * positions + position) * inner + j. A dim that has nothing
/// but them has one i and one j; heads that a reshape joins with positions are more.
struct Positions {
  int64_t dim;
  int64_t inner = 1;

  friend bool operator==(Positions a, Positions b) { return a.dim == b.dim && a.inner == b.inner; }
};

struct CutOperand {
  mlir::OpOperand *operand; ///< of the op, or of a tensor.extract in its body, which reads the op's own position
  Positions positions;
};

/// The loop over positions of a loop nest whose result has them in `dim`.
std::optional<unsigned> loopOver(mlir::linalg::LinalgOp nest, int64_t dim);

/// The operands that only need the same positions as `result`, of all `whole`; all others are needed as they are.
/// Nothing where a position of the result depends on others, or on what is not known to be positions.
std::optional<llvm::SmallVector<CutOperand>> cutOperands(mlir::OpBuilder &b, mlir::OpResult result, Positions positions,
                                                         Size whole);

/// What the dim of positions has of each position: its size / `whole`; nothing where something remains.
std::optional<Size> perPosition(mlir::OpBuilder &b, mlir::Value tensor, Positions positions, Size whole);

} // namespace sinter
