// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer comes to lie with other strides: what uses it must take them, and views of it get new types.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace sinter {

/// Whether everything that uses `value` takes a buffer of `type`; with `apply`, views of it get their new types.
bool retypeUses(mlir::Value value, mlir::MemRefType type, bool apply);

} // namespace sinter
