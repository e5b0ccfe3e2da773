// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of a buffer a view of it has, as numbers: sizes of run time take their largest value (or what
// consistent_sizes.h sets), loop counters the value of the iteration that is looked at. For check_values.cpp.
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace sinter {

/// Gapless runs of elements, in order: [begin, end).
using Runs = llvm::SmallVector<std::pair<int64_t, int64_t>, 1>;

bool overlap(llvm::ArrayRef<std::pair<int64_t, int64_t>> a, llvm::ArrayRef<std::pair<int64_t, int64_t>> b);
Runs difference(llvm::ArrayRef<std::pair<int64_t, int64_t>> whole, llvm::ArrayRef<std::pair<int64_t, int64_t>> part);

/// Values of integers and indices, as far as they follow from constants, dims and what was set.
class Numbers {
public:
  std::optional<int64_t> of(mlir::Value value);
  std::optional<int64_t> of(mlir::OpFoldResult value);
  /// Of a loop's argument in the iteration to come, or of a dim; forgets what followed from others.
  void set(mlir::Value value, std::optional<int64_t> number);

private:
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> given, known;
};

/// The elements of the view's buffer; nothing where they are not known, or are in too many pieces.
std::optional<Runs> runsOf(mlir::Value view, Numbers &numbers);

/// The buffers that the view may be of: the ops that make them.
llvm::SmallVector<mlir::Operation *> buffersOf(mlir::Value view);

} // namespace sinter
