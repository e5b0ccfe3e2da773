// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many panels a packed filter has.
#pragma once

#include "ir/dialect.h"

namespace sinter {

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
