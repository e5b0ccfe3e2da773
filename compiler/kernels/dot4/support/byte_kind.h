// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels of templates/dot4/ take their activations: int_dot.h.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// The type that says so.
inline llvm::StringRef byteKind(KernelAttr kernel, bool isUnsigned) {
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

} // namespace sinter
