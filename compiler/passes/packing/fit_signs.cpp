// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feature maps of bytes lie in memory as the target's dot product takes them, signed or unsigned, so that kernels do
// not flip each byte (x ^ 0x80) whenever they load it. What is stored the other way is a set of tensors that are made
// from one another by moving elements. Whoever makes such a tensor moves its zero point by 128, a contraction that
// reads it moves the zero that it takes off, and bodies extend it the other way and move it back: the same numbers
// everywhere, bit for bit. A set with somebody in it who is no such op - the caller, a constant, a kernel - stays.
//
// Before pack-integers: there zero points meet the sums of weights, kernels their bytes, and pads their fills.
#include "passes/passes.h"

#include "ir/value_names.h"
#include "passes/packing/support/byte_contractions.h"
#include "passes/packing/support/flip_bytes.h"
#include "passes/packing/support/pack_dot4.h"
#include "passes/support/contractions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sinter {
namespace {

bool isByteTensor(Value value) { return isa<RankedTensorType>(value.getType()) && isByte(value); }

/// Whether results are made of elements of operands, in whatever order, or of the greatest of some, or of their mean
/// with a zero point.
bool movesBytes(Operation *op) {
  if (auto pool = dyn_cast<PoolOp>(op))
    return pool.getKind() == PoolKind::Max || pool.getScales();
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ConcatOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp, tensor::PackOp, tensor::PadOp, tensor::ReshapeOp, tensor::UnPackOp,
             linalg::BroadcastOp, linalg::TransposeOp, PermuteOp>(op);
}

/// An init whose elements nobody reads.
bool isOverwritten(OpOperand &use) {
  auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  if (!op || isa<tensor::InsertSliceOp>(op) || !op.isDpsInit(&use))
    return false;
  auto generic = dyn_cast<linalg::GenericOp>(*op);
  return !generic || generic.getMatchingBlockArgument(&use).use_empty();
}

/// The tensors that one tensor is moved to and comes from, and who makes and reads them.
class ByteSet {
public:
  ByteSet(const Target &target, EvaluationCache &cache) : target(target), cache(cache) {}

  /// Whether everybody in it can take the other kind of bytes.
  bool collect(Value first) {
    join(first);
    bool isKnown = true; // goes on behind the first who is not, so that nobody looks at the others again
    for (size_t i = 0; i < members.size(); ++i) {
      Value member = members[i];
      isKnown &= meetMaker(cast<OpResult>(member));
      for (OpOperand &use : member.getUses())
        isKnown &= meetReader(use);
    }
    return isKnown;
  }
  ArrayRef<Value> tensors() const { return members.getArrayRef(); }
  /// Whether more kernels would flip its bytes as they are than otherwise.
  bool isOfWrongKind() const { return wrong > right; }

  void flip(bool toUnsigned) {
    for (Value member : members)
      noteFlippedBytes(member);
    for (OpOperand *yielded : results)
      flipResult(*yielded, toUnsigned);
    for (BlockArgument element : elements)
      flipElement(element);
    for (OpOperand *scalar : scalars)
      flipScalar(*scalar);
    for (Operation *contraction : contractions) {
      if (auto conv = dyn_cast<ConvOp>(contraction))
        conv.setInputZero(flipSign(conv) + conv.getInputZero());
      else if (auto matmul = dyn_cast<MatmulOp>(contraction))
        matmul.setLhsZero(flipSign(matmul) + matmul.getLhsZero());
    }
    for (Operation *mover : movers)
      if (auto pool = dyn_cast<PoolOp>(mover))
        flipPool(pool);
  }

private:
  /// Block arguments come from outside of what is looked at; nobody makes the elements of an empty tensor.
  bool join(Value value) {
    if (!isByteTensor(value))
      return true;
    if (value.getDefiningOp<tensor::EmptyOp>())
      return true;
    if (!isa<OpResult>(value))
      return false;
    members.insert(value);
    return true;
  }

  bool meetMover(Operation *op) {
    if (!movers.insert(op))
      return true;
    bool isKnown = true;
    for (OpOperand &operand : op->getOpOperands())
      isKnown &= isOverwritten(operand) || join(operand.get());
    for (Value result : op->getResults())
      isKnown &= join(result);
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      scalars.insert(&pad.getBody()->getTerminator()->getOpOperand(0));
    if (auto pack = dyn_cast<tensor::PackOp>(op); pack && pack.getPaddingValue())
      scalars.insert(&pack.getPaddingValueMutable()[0]);
    return isKnown;
  }

  bool meetMaker(OpResult value) {
    Operation *op = value.getOwner();
    if (movesBytes(op))
      return meetMover(op);
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      scalars.insert(fill.getDpsInputOperand(0));
      return true;
    }
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic && (generic.getNumReductionLoops() != 0 || !generic.hasPureTensorSemantics()))
      return false;
    if (!generic && !isa<ConvOp, MatmulOp>(op))
      return false;
    results.insert(&op->getRegion(0).front().getTerminator()->getOpOperand(value.getResultNumber()));
    return true;
  }

  bool meetReader(OpOperand &use) {
    Operation *op = use.getOwner();
    if (isOverwritten(use) || isa<tensor::DimOp>(op))
      return true;
    if (movesBytes(op))
      return meetMover(op);
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      elements.insert(generic.getMatchingBlockArgument(&use));
      return generic.isDpsInput(&use);
    }
    if (auto conv = dyn_cast<ConvOp>(op))
      return meetContraction(conv, use, conv.getFilter(), conv.isInputUnsigned(), sizesOfBytes(conv).has_value());
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return meetContraction(matmul, use, matmul.getRhs(), matmul.isLhsUnsigned(), isByteContraction(matmul));
    return false;
  }

  template <class Contraction>
  bool meetContraction(Contraction op, OpOperand &use, Value weights, bool isUnsigned, bool isPacked) {
    unsigned number = use.getOperandNumber();
    if (number > 1) { // behind the factors; the first argument is their sum
      elements.insert(op.getEpilogue().front().getArgument(number - 1));
      return true;
    }
    if (number == 1 || !isPacked || !isConstant(weights, cache))
      return false;
    if (contractions.insert(op))
      ++(wantsUnsigned(target) == isUnsigned ? right : wrong);
    return true;
  }

  const Target &target;
  EvaluationCache &cache;
  llvm::SetVector<Value> members;
  llvm::SetVector<Operation *> movers, contractions; ///< contractions: that multiply its bytes
  llvm::SetVector<OpOperand *> results, scalars;     ///< in bodies; of fills and pads
  llvm::SetVector<BlockArgument> elements;           ///< as bodies read them
  int right = 0, wrong = 0;
};

} // namespace

LogicalResult fitSigns(ModuleOp module, const Target &target) {
  std::optional<bool> toUnsigned = wantsUnsigned(target);
  if (!toUnsigned)
    return success();
  EvaluationCache cache;
  SmallVector<Value> inputs;
  for (Operation *op : contractionsOf(module))
    inputs.push_back(op->getOperand(0));
  DenseSet<Value> seen;
  for (Value input : inputs) {
    if (!isByteTensor(input) || !isa<OpResult>(input) || seen.contains(input))
      continue;
    ByteSet set(target, cache);
    bool isKnown = set.collect(input);
    seen.insert(set.tensors().begin(), set.tensors().end());
    if (isKnown && set.isOfWrongKind())
      set.flip(*toUnsigned);
  }
  return success();
}

} // namespace sinter
