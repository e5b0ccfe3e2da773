// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A write in place is safe if nobody else uses the value that it overwrites from then on. Where the uses of that one
// value show this, nothing else is looked at: readers of older values in the same memory stand before the write that
// made this one, or that write is refused, by the same rule, when its turn comes (last ops first). What needs to know
// more (loops, choices, slices that overlap) is upstream's to decide, in the same order as upstream would.
#include "in_place_analysis.h"

#include "ir/destinations.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

class Decider {
public:
  Decider(OneShotAnalysisState &state, func::FuncOp function) : state(state), dominance(function) {}

  LogicalResult decide(Operation *op) {
    auto tensors = llvm::make_filter_range(op->getOpOperands(), [&](OpOperand &operand) {
      return isa<TensorType>(operand.get().getType()) && !state.isInPlace(operand);
    });
    if (llvm::all_of(tensors, [&](OpOperand &operand) { return isSafe(operand); })) {
      for (OpOperand &operand : llvm::make_early_inc_range(tensors))
        state.bufferizeInPlace(operand);
    } else if (failed(state.analyzeSingleOp(op, dominance))) {
      return failure();
    }
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()) && state.isInPlace(operand) && changes(operand))
        written.insert(operand.get());
    return success();
  }

private:
  /// Writes to the operand's memory if it is in place, here or where its alias is used.
  bool changes(OpOperand &operand) {
    return state.bufferizesToMemoryWrite(operand) ||
           llvm::any_of(state.getAliasingValues(operand),
                        [&](const AliasingValue &alias) { return written.contains(alias.value); });
  }

  bool isSafe(OpOperand &operand) {
    Value value = operand.get();
    if (!changes(operand)) // a reader, or a view for readers
      return state.getAliasingValues(operand).getNumAliases() == 0 || !written.contains(value) ||
             isReadBeforeWrites(operand);
    if (!state.isWritable(value) || value.getParentBlock() != operand.getOwner()->getBlock())
      return false;
    if (state.bufferizesToMemoryWrite(operand))
      return llvm::all_of(value.getUses(), [&](OpOperand &use) {
        return &use == &operand || standsBefore(use.getOwner(), operand.getOwner()) ||
               llvm::any_of(state.getAliasingValues(operand), [&](const AliasingValue &alias) {
                 return isUpdateOf(use, alias.value) || overwritesWhatIsRead(use, alias.value);
               });
      });
    auto slice = dyn_cast<tensor::ExtractSliceOp>(operand.getOwner());
    return slice && isPutBack(slice);
  }

  /// Who reads the memory of `values`, or hands it on in place.
  SmallVector<Operation *> readersOf(ArrayRef<Value> values) {
    SmallVector<Operation *> readers;
    llvm::SetVector<Value> views(values.begin(), values.end());
    for (size_t i = 0; i < views.size(); ++i)
      for (OpOperand &use : views[i].getUses()) {
        readers.push_back(use.getOwner());
        if (state.isInPlace(use))
          for (const AliasingValue &alias : state.getAliasingValues(use))
            views.insert(alias.value);
      }
    return readers;
  }

  /// Whoever reads the view, or a view of it, stands in front of each op that writes over what it is a view of.
  bool isReadBeforeWrites(OpOperand &view) {
    SmallVector<Operation *> writers;
    for (OpOperand &use : view.get().getUses())
      if (&use != &view && state.isInPlace(use) && changes(use))
        writers.push_back(use.getOwner());
    SmallVector<Value> views;
    for (const AliasingValue &alias : state.getAliasingValues(view))
      views.push_back(alias.value);
    return llvm::all_of(readersOf(views), [&](Operation *reader) {
      return llvm::all_of(writers, [&](Operation *writer) { return standsBefore(reader, writer); });
    });
  }

  /// The use writes all of the memory and reads nothing of it, when nobody is left who reads `value` there.
  bool overwritesWhatIsRead(OpOperand &use, Value value) {
    auto copy = dyn_cast<MaterializeInDestinationOp>(use.getOwner());
    return copy && &use == &copy.getDestMutable() && copy->getBlock() == value.getParentBlock() &&
           llvm::all_of(readersOf(value), [&](Operation *reader) { return standsBefore(reader, copy); });
  }

  /// What `insert` put into its place is there until all `readers` have run: updates of the whole in between go to
  /// other places.
  bool isThereFor(ArrayRef<Operation *> readers, tensor::InsertSliceOp insert) {
    auto readBefore = [&](Operation *op) {
      return llvm::all_of(readers, [&](Operation *reader) { return standsBefore(reader, op); });
    };
    Block *block = insert->getBlock();
    bool isLocal = llvm::all_of(readers, [&](Operation *reader) {
      return block->findAncestorOpInBlock(*reader) && !isa<RegionBranchTerminatorOpInterface>(reader);
    });
    if (!isLocal)
      return false;
    for (Value whole = insert.getResult(); whole;) {
      Value updated;
      for (OpOperand &use : whole.getUses()) {
        Operation *op = use.getOwner();
        if (!state.isInPlace(use) || !changes(use) || readBefore(op))
          continue;
        auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
        if (op->getBlock() != block || !slice || !areDisjointSlices(slice, insert))
          return false;
        if (auto other = dyn_cast<tensor::InsertSliceOp>(op)) {
          if (&use != &other.getDestMutable())
            return false;
          updated = other.getResult();
        }
      }
      whole = updated;
    }
    return true;
  }

  /// In one dim at least, whatever the others are.
  static bool areDisjointSlices(OffsetSizeAndStrideOpInterface a, OffsetSizeAndStrideOpInterface b) {
    for (auto [offsetA, sizeA, strideA, offsetB, sizeB, strideB] :
         llvm::zip_equal(a.getStaticOffsets(), a.getStaticSizes(), a.getStaticStrides(), b.getStaticOffsets(),
                         b.getStaticSizes(), b.getStaticStrides())) {
      if (ShapedType::isDynamic(offsetA) || ShapedType::isDynamic(offsetB))
        continue;
      bool areSpaced = strideA == strideB && !ShapedType::isDynamic(strideA) && strideA > 0;
      if (areSpaced && offsetA % strideA != offsetB % strideA)
        return true;
      auto endsBefore = [](int64_t offset, int64_t size, int64_t stride, int64_t other) {
        return !ShapedType::isDynamic(size) && !ShapedType::isDynamic(stride) && offset + (size - 1) * stride < other;
      };
      if (endsBefore(offsetA, sizeA, strideA, offsetB) || endsBefore(offsetB, sizeB, strideB, offsetA))
        return true;
    }
    return false;
  }

  static bool standsBefore(Operation *user, Operation *op) {
    Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
    return inBlock && inBlock != op && inBlock->isBeforeInBlock(op);
  }

  /// The use copies a value to where it lies anyway: it is what updates in place made of `value`, which thereby nobody
  /// reads any more.
  bool isUpdateOf(OpOperand &use, Value value) {
    auto copy = dyn_cast<MaterializeInDestinationOp>(use.getOwner());
    if (!copy || &use != &copy.getDestMutable())
      return false;
    for (Value made = copy.getSource(); made != value;) {
      OpOperand *updated = sinter::updatedOperand(made);
      if (!updated || !state.isInPlace(*updated) || updated->get().getType() != made.getType() ||
          made.getParentBlock() != copy->getBlock())
        return false;
      made = updated->get();
    }
    return true;
  }

  /// The slice is computed, by ops that each read it only to hand it on, and inserted where it was taken from, by the
  /// only other user of the whole behind it. Others may read what is inserted as long as it is there.
  bool isPutBack(tensor::ExtractSliceOp slice) {
    Value part = slice.getResult();
    while (true) {
      tensor::InsertSliceOp insert = insertionOf(part, slice);
      if (insert)
        return isInsertedAlone(part, insert) && llvm::all_of(insert.getDest().getUses(), [&](OpOperand &other) {
                 return other.getOwner() == slice || &other == &insert.getDestMutable() ||
                        standsBefore(other.getOwner(), slice) || isUpdateOf(other, insert.getResult());
               });
      if (!part.hasOneUse())
        return false;
      OpOperand &use = *part.getUses().begin();
      auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (!dps || dps->getBlock() != slice->getBlock() || !dps.isDpsInit(&use) || !state.isInPlace(use))
        return false;
      part = dps.getTiedOpResult(&use);
    }
  }

  /// The op that inserts `part` where `slice` was taken from.
  static tensor::InsertSliceOp insertionOf(Value part, tensor::ExtractSliceOp slice) {
    for (OpOperand &use : part.getUses())
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
        if (&use == &insert.getSourceMutable() && insert->getBlock() == slice->getBlock() &&
            insert.getDest() == slice.getSource() && insert.getMixedOffsets() == slice.getMixedOffsets() &&
            insert.getMixedSizes() == slice.getMixedSizes() && insert.getMixedStrides() == slice.getMixedStrides())
          return insert;
    return {};
  }

  /// Besides `insert`, all users of `part` and of its views only read, in time.
  bool isInsertedAlone(Value part, tensor::InsertSliceOp insert) {
    if (part.hasOneUse())
      return true;
    SmallVector<Operation *> readers;
    SmallVector<Value> views;
    for (OpOperand &use : part.getUses()) {
      if (use.getOwner() == insert)
        continue;
      if (changes(use) && state.isInPlace(use))
        return false;
      readers.push_back(use.getOwner());
      if (state.isInPlace(use))
        for (const AliasingValue &alias : state.getAliasingValues(use))
          views.push_back(alias.value);
    }
    readers.append(readersOf(views));
    return isThereFor(readers, insert);
  }

  OneShotAnalysisState &state;
  DominanceInfo dominance;
  DenseSet<Value> written; ///< in place, by ops that stand behind
};

/// The operands that each result of a loop may be. Upstream asks all operands anew for each result, each of which looks
/// for itself among all that the loop carries.
DenseMap<Value, AliasingOpOperandList> operandsOfResults(Operation *op, OneShotAnalysisState &state) {
  DenseMap<Value, AliasingOpOperandList> operands;
  if (isa<LoopLikeOpInterface>(op))
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()))
        for (const AliasingValue &alias : state.getAliasingValues(operand))
          operands[alias.value].addAlias({&operand, alias.relation, alias.isDefinite});
  return operands;
}

/// Values that are one buffer, from its first byte to its last.
void findEquivalent(func::FuncOp function, OneShotAnalysisState &state) {
  function.walk<WalkOrder::PostOrder>([&](BufferizableOpInterface op) {
    DenseMap<Value, AliasingOpOperandList> ofLoop = operandsOfResults(op, state);
    for (OpResult result : op->getOpResults()) {
      if (!isa<TensorType>(result.getType()))
        continue;
      AliasingOpOperandList aliases =
          isa<LoopLikeOpInterface>(op.getOperation()) ? ofLoop.lookup(result) : state.getAliasingOpOperands(result);
      bool allAre = aliases.getNumAliases() > 0, hasOne = false;
      for (const AliasingOpOperand &alias : aliases) {
        bool is = alias.relation == BufferRelation::Equivalent && state.isInPlace(*alias.opOperand);
        if (is && alias.isDefinite) {
          state.unionEquivalenceClasses(result, alias.opOperand->get());
          hasOne = true;
          break;
        }
        allAre &= is && state.areEquivalentBufferizedValues(alias.opOperand->get(), aliases.begin()->opOperand->get());
      }
      if (!hasOne && allAre && !op.bufferizesToAllocation(result))
        state.unionEquivalenceClasses(result, aliases.begin()->opOperand->get());
    }
  });
}

} // namespace

LogicalResult sinter::decideInPlace(func::FuncOp function, OneShotAnalysisState &state) {
  SmallVector<BufferizableOpInterface> ops;
  function.walk([&](BufferizableOpInterface op) {
    if (hasTensorSemantics(op))
      ops.push_back(op);
  });
  Decider decider(state, function);
  for (BufferizableOpInterface op : llvm::reverse(ops))
    if (failed(decider.decide(op)))
      return failure();
  findEquivalent(function, state);
  // Only copies ask whether what they copy is undefined, which takes a walk back through all updates of a value.
  llvm::SetVector<Operation *> copied;
  for (BufferizableOpInterface op : ops)
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()) && !state.isInPlace(operand) && operand.get().getDefiningOp())
        copied.insert(operand.get().getDefiningOp());
  for (Operation *op : copied)
    state.gatherUndefinedTensorUses(op);
  bool isValid = true;
  for (BufferizableOpInterface op : ops)
    isValid &= succeeded(op.verifyAnalysis(state));
  return success(isValid);
}
