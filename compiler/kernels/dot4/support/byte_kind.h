// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels of templates/dot4/ take their activations: int_dot.h.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// The type that says so.
inline llvm::StringRef byteKind(KernelAttr kernel, bool isUnsigned) {
  if (kernel.has("flipped"))
    return isUnsigned ? "FlippedToSigned" : "FlippedToUnsigned";
  return isUnsigned ? "UnsignedBytes" : "SignedBytes";
}

} // namespace sinter
