// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The touches of one buffer in the order in which they run, for passes that ask again and again which of them lie
// between two ops: a walk over all touches for each question is quadratic where one buffer is written piece by piece.
#pragma once

#include "ir/op_order.h"
#include "memory/footprint.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

namespace sinter {

/// What it does not follow: moves of their ops past each other, and new types of the views that they go through.
class TouchOrder {
public:
  struct Touch {
    int64_t number;
    mlir::Operation *op; ///< in the block that is asked for: the owner of `use`, or what it is in
    mlir::OpOperand *use;
    bool operator<(const Touch &other) const {
      return number == other.number ? std::less<>()(use, other.use) : number < other.number;
    }
  };
  /// Each with what it covers, by the type of the operand.
  using Line = std::map<Touch, std::optional<Footprint>>;

  /// What touches the buffer in a block, or in regions of its ops, by the op in that block.
  struct InBlock {
    Line all, writes;
  };

  /// All touches of `root`, as forEachTouch finds them.
  TouchOrder(mlir::Value root, const OpOrder &order);

  void add(mlir::OpOperand &use);
  void remove(mlir::OpOperand &use);

  const InBlock &in(mlir::Block *block) { return blocks[block]; }
  /// All touches, in whatever block.
  const llvm::SmallPtrSetImpl<mlir::OpOperand *> &uses() const { return touching; }
  /// Whether a loop carries the buffer, or a choice gives it.
  bool isPassedOn() const { return terminators > 0; }

private:
  const OpOrder &order;
  llvm::SmallPtrSet<mlir::OpOperand *, 4> touching;
  llvm::DenseMap<mlir::Block *, InBlock> blocks;
  int64_t terminators = 0;
};

} // namespace sinter
