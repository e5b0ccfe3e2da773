// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of a block as one launch: may they stand in one place, and how they get there.
#pragma once

#include "ir/launch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace sinter {

/// What may follow in a launch: loop nests, contractions, templates.
bool isPayload(mlir::Operation *op);

/// Whether two ops may run in either order, or side by side: neither writes what the other touches.
bool areIndependent(mlir::Operation *a, mlir::Operation *b);

/// Whether all may stand at the place of the last, in their order: what lies between touches nothing of theirs.
bool canMeet(llvm::ArrayRef<mlir::Operation *> ops);

/// Moves an op up, with what makes its operands, to where `place` is just before it; false where what lies between
/// touches something of its own.
bool moveUp(mlir::Operation *op, mlir::Operation *place);

/// The ops that touch a buffer, in any way; views are followed. Null where one of them is not in the buffer's block, or
/// what the buffer is does not show.
std::optional<llvm::SmallVector<mlir::Operation *>> usersOf(mlir::memref::AllocOp buffer);

/// The ops as one launch, at the place of the last; launches among them are taken apart. Buffers that nothing else
/// touches become its own (memref.alloca) where `isHeld` says that the form hands them on without memory. Precondition:
/// canMeet.
LaunchOp makeLaunch(llvm::StringRef form, llvm::ArrayRef<mlir::Operation *> ops,
                    llvm::function_ref<bool(mlir::memref::AllocOp)> isHeld);

} // namespace sinter
