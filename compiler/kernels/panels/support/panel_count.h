// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many panels a packed operand has, and how wide they are.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// Columns of a panel, of a packed right-hand side.
inline int64_t columnsOfPanels(MatmulOp matmul) {
  return mlir::cast<mlir::ShapedType>(matmul.getRhs().getType()).getShape().back();
}
/// Filters of a panel. Precondition: as that of panelsOf.
inline int64_t columnsOfPanels(ConvOp conv) {
  return mlir::cast<mlir::ShapedType>(conv.getFilter().getType()).getShape().back();
}

/// Of all groups. Precondition: the kernel packs filters in panels, [panels, ..., columns] or [groups, panels, ...,
/// columns].
inline int64_t panelsOf(ConvOp conv) {
  llvm::ArrayRef<int64_t> shape = mlir::cast<mlir::ShapedType>(conv.getFilter().getType()).getShape();
  int64_t count = 1;
  for (int64_t dim : conv.getKernelAttr().dimsOf(0)->drop_back())
    count *= shape[dim];
  return count;
}

} // namespace sinter
