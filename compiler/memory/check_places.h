// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers of a planned function and which of them a value may be, traced backward: for check.cpp and
// check_order.cpp.
#pragma once

#include "arenas.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include <memory>
#include <vector>

namespace sinter {

/// A buffer of an arena; or one of the caller's that is state, seen as what it was (`sinter.input`) or as what it
/// becomes (`sinter.input {state = true}`): two values in the same bytes.
struct Place {
  mlir::Value buffer;
  int64_t begin, end;            ///< from where the arena begins
  std::optional<unsigned> arena; ///< its number; none: the caller's
  int64_t stateOf = -1;          ///< the input's index
};

class ArenaPlaces {
public:
  explicit ArenaPlaces(mlir::func::FuncOp function);

  std::vector<Arena> arenas; ///< by what the function states
  std::vector<Place> all;

  /// The numbers of the places that a buffer may be (in).
  const llvm::SetVector<unsigned> &of(mlir::Value value);
  /// Whether the value is a place from its first byte on, not a view of one.
  bool isPlace(mlir::Value value) const { return number.contains(value); }

private:
  llvm::DenseMap<mlir::Value, unsigned> number;
  llvm::DenseMap<mlir::Value, std::unique_ptr<llvm::SetVector<unsigned>>> traced;
};

/// The buffers that an op reads and writes, of those that it works on directly.
void collectAccesses(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Value> &reads,
                     llvm::SmallVectorImpl<mlir::Value> &writes);

/// Bytes of an element; 0 where they are not whole numbers.
unsigned elementWidth(mlir::Value buffer);

} // namespace sinter
