// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a buffer a view is, as far as it is known at compile time.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace sinter {

/// The value that a chain of views starts from.
mlir::Value rootOf(mlir::Value buffer);

/// A box in the coordinates of the root.
struct BufferRegion {
  llvm::SmallVector<int64_t> low, high; ///< high is not part of it
};

/// Nullopt: unknown, so possibly all of it. Known for subviews of constant offset and size, one inside the other.
std::optional<BufferRegion> regionOf(mlir::Value buffer);

bool areDisjoint(const std::optional<BufferRegion> &a, const std::optional<BufferRegion> &b);

} // namespace sinter
