// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of two ops of a block comes first, for passes that ask while they insert. Operation::isBeforeInBlock has room
// for few new ops side by side, and counts the whole block anew for more: quadratic time.
#pragma once

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace sinter {

/// Listens to builders for new ops. Precondition: none is moved but by takePlace, and new ones between two ops that
/// were there come in their order.
class OpOrder : public mlir::OpBuilder::Listener {
public:
  explicit OpOrder(mlir::Operation *root) {
    root->walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::Operation *op) { numbers.try_emplace(op, static_cast<int64_t>(numbers.size()) * room); });
  }

  /// Rises from op to op of a block; 0 of ops that it does not know.
  int64_t numberOf(mlir::Operation *op) const { return numbers.lookup(op); }
  /// Precondition: both are in one block.
  bool isBefore(mlir::Operation *a, mlir::Operation *b) const { return numberOf(a) < numberOf(b); }

  /// `op` stands where `other` stood, which goes.
  void takePlace(mlir::Operation *op, mlir::Operation *other) { numbers[op] = numberOf(other); }

  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint /*from*/) override {
    if (mlir::Operation *previous = op->getPrevNode())
      numbers[op] = numberOf(previous) + 1;
    else if (mlir::Operation *next = op->getNextNode())
      numbers[op] = numberOf(next) - 1;
  }

private:
  static constexpr int64_t room = 1 << 20; ///< for as many new ops in one place
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
};

} // namespace sinter
