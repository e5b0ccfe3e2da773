// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `$ref` refers to within one file: JSON Pointers as fragments of URIs (RFC 6901, section 6).
#pragma once

#include "llvm/Support/JSON.h"

namespace sinter::grammar {

/// "#/a/b" in `root`; null if there is nothing, or it is no such pointer.
const llvm::json::Value *atPointer(const llvm::json::Value &root, llvm::StringRef fragment);

} // namespace sinter::grammar
