// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor that is copied into another, or into a part of it, is made there in the first place: the tensor.empty that
// its memory starts from becomes (a view of) the destination. One-shot bufferization would see to correctness whatever
// stands here, by copies; but where it must not copy (what loops carry, outputs) it would fail, and elsewhere the copy
// costs more than what was saved. So a destination is taken only where the last reads say that nothing is lost:
//   E -> step 1 -> ... -> v, inserted into d, which gives c
//   - nobody reads d from the first write to E on;
//   - nobody reads E, ..., v behind the step that updates it;
//   - nobody reads v behind the next update of c.
// Outputs are destinations like any other: tensors on the caller's buffer, whose final value stays in place.
#include "passes/passes.h"

#include "ir/dense_dims.h"
#include "ir/destinations.h"
#include "ir/dialect.h"
#include "memory/in_place.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Values copied into the caller's buffer at once become updates of a tensor on that buffer; what is written to memory
/// for good is then visible to every analysis of tensors.
void outputsAsTensors(func::FuncOp function) {
  SmallVector<bufferization::MaterializeInDestinationOp> copies;
  function.walk([&](bufferization::MaterializeInDestinationOp copy) {
    if (isa<MemRefType>(copy.getDest().getType()))
      copies.push_back(copy);
  });
  Operation *end = function.getBody().front().getTerminator();
  OpBuilder builder(function.getContext());
  for (auto copy : copies) {
    if (copy->getBlock() != end->getBlock())
      continue;
    Value memory = copy.getDest();
    builder.setInsertionPointAfterValue(memory);
    Value place = builder.create<bufferization::ToTensorOp>(copy.getLoc(), memory, /*restrict=*/true,
                                                            /*writable=*/true);
    builder.setInsertionPoint(copy);
    Value value = copy.getSource();
    if (value.getType() != place.getType())
      place = builder.create<tensor::CastOp>(copy.getLoc(), value.getType(), place);
    Value placed =
        builder.create<bufferization::MaterializeInDestinationOp>(copy.getLoc(), value.getType(), value, place)
            .getResult();
    builder.setInsertionPoint(end);
    builder.create<bufferization::MaterializeInDestinationOp>(copy.getLoc(), Type(), placed, memory,
                                                              /*restrict=*/false, /*writable=*/true);
    copy.erase();
  }
}

/// How the inserted tensor lies in the whole.
MemRefType insertedPlaceOf(tensor::InsertSliceOp insert) {
  RankedTensorType into = insert.getDestType();
  return cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      insert.getSourceType().getShape(), MemRefType::get(into.getShape(), into.getElementType()),
      insert.getMixedOffsets(), insert.getMixedSizes(), insert.getMixedStrides()));
}

bool mayLie(OpOperand &updated, MemRefType place) { return isDense(place, denseDims(updated)); }

class Placer {
public:
  explicit Placer(func::FuncOp function) : function(function), dominance(function) {
    int64_t next = 0;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) { position[op] = next++; });
  }

  void run() {
    SmallVector<Operation *> consumers;
    function.walk([&](Operation *op) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        consumers.push_back(op);
      else if (auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(op); copy && copy.getResult())
        consumers.push_back(op);
    });
    for (Operation *consumer : consumers)
      place(consumer);
  }

private:
  void place(Operation *consumer) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(consumer);
    OpOperand &dest = *updatedOperand(consumer->getResult(0));
    OpOperand &source = insert ? insert.getSourceMutable()
                               : cast<bufferization::MaterializeInDestinationOp>(consumer).getSourceMutable();
    Value value = source.get();
    MemRefType there = insert ? insertedPlaceOf(insert) : MemRefType();
    // Each step is the last to see what it updates.
    while (OpOperand *updated = updatedOperand(value)) {
      Value from = updated->get();
      if (from.getType() != value.getType() || from.getParentBlock() != consumer->getBlock() ||
          isReadBehind(from, updated->getOwner(), updated) || (there && !mayLie(*updated, there)))
        return;
      value = from;
    }
    auto empty = value.getDefiningOp<tensor::EmptyOp>();
    if (!empty || empty->getBlock() != consumer->getBlock() || empty == dest.get().getDefiningOp())
      return;
    Operation *first = firstUser(empty);
    if (!first || !standsBefore(dest.get(), first) ||
        (insert && !llvm::all_of(insert->getOperands().drop_front(2),
                                 [&](Value operand) { return standsBefore(operand, first); })))
      return;
    if (!isFreeFrom(first, empty, dest) || isReadBehindNextUpdate(source, consumer->getResult(0)))
      return;
    OpBuilder builder(first);
    Value place = dest.get();
    if (insert)
      place = builder.create<tensor::ExtractSliceOp>(consumer->getLoc(), insert.getSourceType(), place,
                                                     insert.getMixedOffsets(), insert.getMixedSizes(),
                                                     insert.getMixedStrides());
    if (place.getType() != empty.getType())
      place = builder.create<tensor::CastOp>(consumer->getLoc(), empty.getType(), place);
    for (Operation *made = place.getDefiningOp(); made && !position.count(made);
         made = made->getOperand(0).getDefiningOp())
      position[made] = position.lookup(first); // views: as good as a part of their user
    empty.getResult().replaceAllUsesWith(place);
    empty.erase();
    // From here on it is the copy that is read: an analysis that takes the copy for a write would see a conflict.
    Value copy = consumer->getResult(0);
    if (!insert && copy.getType() == source.get().getType())
      source.get().replaceUsesWithIf(copy, [&](OpOperand &use) {
        return use.getOwner() != consumer && dominance.properlyDominates(consumer, use.getOwner());
      });
  }

  bool standsBefore(Value value, Operation *op) { return dominance.properlyDominates(value, op); }

  Operation *firstUser(tensor::EmptyOp empty) {
    Operation *first = nullptr;
    for (Operation *user : empty->getUsers()) {
      Operation *inBlock = empty->getBlock()->findAncestorOpInBlock(*user);
      if (!first || position.lookup(inBlock) < position.lookup(first))
        first = inBlock;
    }
    return first;
  }

  /// Calls `visit` with each op of `block` in or of which `value`, a view or another update of it than by `except`, is
  /// used.
  /// What is not beneath `block` is in another branch of the same choice, or behind it.
  void forEachUse(Value value, Block *block, OpOperand *except,
                  llvm::function_ref<void(Operation *, OpOperand &)> visit) {
    for (OpOperand &use : value.getUses()) {
      if (&use == except)
        continue;
      Operation *user = use.getOwner();
      bool isView = false;
      for (Value result : user->getResults()) {
        if (viewSource(result) == value) {
          isView = true;
          forEachUse(result, block, except, visit);
        } else if (updatedOperand(result) == &use) { // a second update, of the same memory
          forEachUse(result, block, except, visit);
        }
      }
      if (!isView && !isa<tensor::DimOp>(user))
        visit(block->findAncestorOpInBlock(*user), use);
    }
  }

  /// `value`, which `op` updates by its operand `update`, is used by ops behind it, or in its regions.
  bool isReadBehind(Value value, Operation *op, OpOperand *update) {
    bool found = false;
    forEachUse(value, op->getBlock(), update, [&](Operation *user, OpOperand &use) {
      found |= !user || (user == op && use.getOwner() != op) || position.lookup(user) > position.lookup(op);
    });
    return found;
  }

  /// `op` reads each element right before it writes the one that takes its place.
  static bool isReadInPlace(OpOperand &use, Operation *op, Value empty) {
    auto dps = dyn_cast<linalg::LinalgOp>(op);
    return dps && use.getOwner() == op && dps.getNumDpsInits() == 1 && dps.getDpsInitOperand(0)->get() == empty &&
           llvm::is_contained(readInPlace(dps, *dps.getDpsInitOperand(0)), &use);
  }

  /// What the update made is put where it is already.
  static bool writesBack(OpOperand &use, OpOperand &dest) {
    auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(use.getOwner());
    if (!copy || &use != &copy.getDestMutable())
      return false;
    Value value = copy.getSource();
    while (OpOperand *updated = updatedOperand(value)) {
      if (updated == &dest)
        return true;
      value = updated->get();
    }
    return false;
  }

  /// Nobody but its update `dest` uses the destination from `first` on. It may have been made in front of choices that
  /// stand around, not of loops.
  bool isFreeFrom(Operation *first, Value empty, OpOperand &dest) {
    Block *block = dest.get().getParentBlock();
    for (Operation *around = first->getParentOp(); around->getBlock() != block && first->getBlock() != block;
         around = around->getParentOp())
      if (around == function || isa<LoopLikeOpInterface>(around))
        return false;
    if (first->getBlock() != block && isa<LoopLikeOpInterface>(block->findAncestorOpInBlock(*first)))
      return false;
    Operation *around = block->findAncestorOpInBlock(*first);
    bool free = true;
    forEachUse(dest.get(), block, &dest, [&](Operation *user, OpOperand &use) {
      if (user == around && around != first) { // in the same branch, or in the other one
        Operation *inBranch = first->getBlock()->findAncestorOpInBlock(*use.getOwner());
        free &= !inBranch ? !isInSameBranch(use.getOwner(), first) : position.lookup(inBranch) < position.lookup(first);
      } else if (user != first || !isReadInPlace(use, first, empty)) {
        free &= user && (position.lookup(user) < position.lookup(around) || writesBack(use, dest));
      }
    });
    return free;
  }

  /// Whether some region around both stands in the same op, but is not the other branch of a choice.
  static bool isInSameBranch(Operation *op, Operation *other) {
    for (Region *region = op->getParentRegion(); region; region = region->getParentRegion())
      if (Operation *holder = region->getParentOp(); holder->isProperAncestor(other))
        return region->isAncestor(other->getParentRegion());
    return true;
  }

  /// `source` is in the memory of `result` now, and still read when that is updated.
  bool isReadBehindNextUpdate(OpOperand &source, Value result) {
    Operation *consumer = source.getOwner();
    int64_t lastRead = -1;
    forEachUse(source.get(), consumer->getBlock(), &source, [&](Operation *user, OpOperand &) {
      lastRead = std::max(lastRead, user ? position.lookup(user) : INT64_MAX);
    });
    if (lastRead < position.lookup(consumer))
      return false;
    bool lost = false;
    forEachUse(result, consumer->getBlock(), nullptr, [&](Operation *user, OpOperand &use) {
      bool updates =
          llvm::any_of(use.getOwner()->getResults(), [&](Value made) { return updatedOperand(made) == &use; });
      lost |= updates && user && position.lookup(user) <= lastRead;
    });
    return lost;
  }

  func::FuncOp function;
  DominanceInfo dominance;
  DenseMap<Operation *, int64_t> position;
};

} // namespace

LogicalResult sinter::placeDestinations(ModuleOp module) {
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    outputsAsTensors(function);
    Placer(function).run();
  }
  return success();
}
