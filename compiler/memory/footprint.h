// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of its buffer a view covers, by the offset and strides in its type; and the way back: how a reshaped
// value lies in such a view.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace sinter {

/// The value that a chain of views starts from. Offsets count from its first element.
mlir::Value rootOf(mlir::Value buffer);

/// offset + sum of i * stride, 0 <= i < size, over dims of falling stride; neighbours that lie gaplessly are one dim. A
/// size may be dynamic.
struct Footprint {
  struct Dim {
    int64_t size, stride;
  };
  int64_t offset = 0;
  llvm::SmallVector<Dim> dims;
};

/// Nullopt if a stride or the offset is known at run time only.
std::optional<Footprint> footprintOf(mlir::MemRefType type);

/// True only if no element belongs to both.
bool areDisjoint(const std::optional<Footprint> &a, const std::optional<Footprint> &b);

/// The type under which a tensor of `shape` lies in `place`, its elements in the order that `place` has them; null if
/// it has no strides there.
mlir::MemRefType reshapedIn(mlir::MemRefType place, llvm::ArrayRef<int64_t> shape);

} // namespace sinter
