// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops touch a buffer: directly, through views, or through what loops and choices pass on.
#pragma once

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sinter {

/// Appends the values that are the same memory as `use`'s (or a part of it), by what its owner does with it.
void appendAliases(mlir::OpOperand &use, llvm::SmallVectorImpl<mlir::Value> &aliases);

/// As forEachTouch, until `touch` returns false. Whether it never did.
bool allTouches(mlir::Value root, llvm::function_ref<bool(mlir::OpOperand &)> touch,
                llvm::function_ref<void(mlir::Value)> alias = nullptr);

/// Calls `touch` for each operand through which an op reads or writes the memory of `root`; views and sizes touch
/// nothing. `alias`, where given, is called for each value that is the memory or a part of it, `root` included.
void forEachTouch(mlir::Value root, llvm::function_ref<void(mlir::OpOperand &)> touch,
                  llvm::function_ref<void(mlir::Value)> alias = nullptr);

/// What the owner does with the buffer. Terminators and unknown ops: both.
bool mayRead(mlir::OpOperand &use);
bool mayWrite(mlir::OpOperand &use);

} // namespace sinter
