// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels of templates/dot4/ take their activations: int_dot.h.
#pragma once

#include "ir/dialect.h"
#include "kernels/panels/support/tile.h"

namespace sinter {

/// The type that says so.
inline llvm::StringRef byteKind(KernelAttr kernel, bool isUnsigned) {
  if (kernel.has("eights"))
    return isUnsigned ? "InEights<UnsignedBytes>" : "InEights<SignedBytes>";
  bool isFlipped = kernel.has("flipped");
  if (kernel.has("extras")) {
    std::string name = isFlipped ? "FlippedToPaired<" : "PairedBytes<";
    name += std::to_string(kernel.number("extras")) + ">";
    return mlir::StringAttr::get(kernel.getContext(), name).getValue();
  }
  if (isFlipped)
    return isUnsigned ? "FlippedToSigned" : "FlippedToUnsigned";
  return isUnsigned ? "UnsignedBytes" : "SignedBytes";
}

/// The bytes of k that packed weights have together for each column.
inline int64_t bytesTogether(KernelAttr kernel) { return kernel.has("eights") ? 8 : 4; }

/// Rows of the register tile: templates/dot4/int_tile.h, matrix_tile.h.
inline int rowsOfByteTile(const Target &target, int64_t columns, int64_t together) {
  return together == 8 ? rowsOfMatrixTile(target, columns) : rowsOfTile(target, columns);
}

} // namespace sinter
