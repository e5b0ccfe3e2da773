// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who reads a slice of what is computed, as the scores behind a prompt's last token or the class token of an encoder,
// has no use for the other positions. The slice moves up through all that treats each position by itself (rows of
// products, norms, activations, residual sums, the queries and masks of attention), to what all positions are needed
// of: the keys and values of the last layer. Of a layer that is all but its keys and values.
//
// Precondition of an op that is cut: nobody reads more of it. Where no contraction becomes smaller, the slice stays.
#include "passes/algebra/support/cut_rules.h"
#include "passes/passes.h"

#include "builders/attention_scratch.h"
#include "builders/tensors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sinter {
namespace {

bool isContraction(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op);
  return isa<MatmulOp>(op) || (kernel && kernel.getKernel() == "attention_heads");
}

/// As good as nothing to have twice.
bool isFree(Operation *op) { return isa<tensor::EmptyOp, linalg::FillOp>(op); }

/// The only dim that a slice cuts; nothing where there are others, or it takes some of many.
std::optional<int64_t> cutDim(OpBuilder &b, tensor::ExtractSliceOp slice) {
  std::optional<int64_t> cut;
  for (int64_t d = 0; d < slice.getSourceType().getRank(); ++d) {
    Size whole = dimOf(b, slice.getLoc(), slice.getSource(), d), count = slice.getMixedSizes()[d];
    if (!isConstantIntValue(slice.getMixedStrides()[d], 1))
      return std::nullopt;
    if (sameSize(whole, count))
      continue;
    if (cut)
      return std::nullopt;
    cut = d;
  }
  return cut;
}

class Raise {
public:
  Raise(tensor::ExtractSliceOp slice, int64_t dim)
      : slice(slice), source{dim}, b(slice), loc(slice.getLoc()), whole(dimOf(b, loc, slice.getSource(), dim)),
        first(slice.getMixedOffsets()[dim]), count(slice.getMixedSizes()[dim]) {}

  /// Whether anything is gained.
  bool plan() {
    ask(slice.getSourceMutable(), source);
    bool gains = false;
    while (!pending.empty()) {
      Operation *op = *llvm::max_element(pending, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
      pending.remove(op);
      std::optional<Positions> positions = positionsReadOf(op->getResult(0));
      if (!positions)
        continue;
      std::optional<SmallVector<CutOperand>> operands = cutOperands(b, op->getResult(0), *positions, whole);
      if (!operands)
        continue;
      planned.insert(op);
      gains |= isContraction(op);
      for (const CutOperand &operand : *operands)
        ask(*operand.operand, operand.positions);
    }
    return gains;
  }

  ArrayRef<Operation *> opsPlanned() const { return planned.getArrayRef(); }

  void apply() {
    start = toValue(b, loc, first);
    Value cut = cutOf(slice.getSource(), source);
    if (cut.getType() != slice.getType()) { // of another rank
      Sizes offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes();
      offsets[static_cast<size_t>(source.dim)] = b.getIndexAttr(0);
      cut = b.create<tensor::ExtractSliceOp>(loc, slice.getType(), cut, offsets, sizes, slice.getMixedStrides());
    }
    slice.replaceAllUsesWith(cut);
    slice.erase();
    auto inOrder = planned.takeVector();
    llvm::sort(inOrder, [](Operation *x, Operation *y) { return y->isBeforeInBlock(x); });
    for (Operation *op : inOrder)
      if (op->use_empty()) // sizes may still ask for it
        op->erase();
  }

private:
  void ask(OpOperand &operand, Positions positions) {
    asked.try_emplace(&operand, positions);
    Operation *op = operand.get().getDefiningOp();
    if (op && op->getBlock() == slice->getBlock() && !isFree(op))
      pending.insert(op);
  }

  /// Where all who read `value` want the same positions of it, and no others.
  std::optional<Positions> positionsReadOf(Value value) {
    std::optional<Positions> positions;
    for (OpOperand &use : value.getUses()) {
      auto found = asked.find(&use);
      if (found == asked.end() || (positions && !(*positions == found->second)))
        return std::nullopt;
      positions = found->second;
    }
    return positions;
  }

  Value cutOf(Value value, Positions positions) {
    for (const auto &[known, at, cut] : made)
      if (known == value && at == positions)
        return cut;
    Operation *op = value.getDefiningOp();
    Value cut = op && (isFree(op) || planned.contains(op)) ? cloneOf(cast<OpResult>(value), positions)
                                                           : sliceOf(value, positions);
    made.emplace_back(value, positions, cut);
    return cut;
  }

  Sizes cutSizes(Value value, Positions positions) {
    Sizes sizes = dimsOf(b, loc, value);
    sizes[static_cast<size_t>(positions.dim)] = mul(b, loc, *perPosition(b, value, positions, whole), count);
    return sizes;
  }

  /// Of what is needed besides. Where a dim has more than positions, they get a dim of their own for it.
  Value sliceOf(Value value, Positions positions) {
    Tensors t{b, loc};
    Sizes sizes = dimsOf(b, loc, value), apart(sizes), joined = cutSizes(value, positions);
    auto d = static_cast<size_t>(positions.dim);
    bool isPlain = sameSize(sizes[d], whole);
    if (!isPlain) {
      Size outer = floorDiv(b, loc, *perPosition(b, value, positions, whole), positions.inner);
      apart[d] = outer;
      apart.insert(apart.begin() + positions.dim + 1, {whole, sizeOf(b, positions.inner)});
      value = t.reshape({value, ElementType::Undefined}, apart).value;
      ++d;
    }
    Sizes offsets(apart.size(), b.getIndexAttr(0)), strides(apart.size(), b.getIndexAttr(1));
    offsets[d] = first;
    apart[d] = count;
    Value cut = b.create<tensor::ExtractSliceOp>(loc, value, offsets, apart, strides);
    return isPlain ? cut : t.reshape({cut, ElementType::Undefined}, joined).value;
  }

  Value cloneOf(OpResult value, Positions positions) {
    Operation *op = value.getOwner();
    if (isa<tensor::EmptyOp>(op))
      return b.create<tensor::EmptyOp>(op->getLoc(), cutSizes(value, positions), getElementTypeOrSelf(value));
    SmallVector<CutOperand> operands = *cutOperands(b, value, positions, whole);
    SmallVector<Value> cuts;
    for (const CutOperand &operand : operands)
      cuts.push_back(cutOf(operand.operand->get(), operand.positions));
    auto type = RankedTensorType::get(staticShape(cutSizes(value, positions)), getElementTypeOrSelf(value));
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      return b.create<tensor::ExpandShapeOp>(op->getLoc(), type, cuts[0], expand.getReassociationIndices(),
                                             cutSizes(value, positions));
    if (auto part = dyn_cast<tensor::ExtractSliceOp>(op)) {
      Sizes sizes = part.getMixedSizes();
      sizes[static_cast<size_t>(positions.dim)] = cutSizes(value, positions)[static_cast<size_t>(positions.dim)];
      return b.create<tensor::ExtractSliceOp>(op->getLoc(), cuts[0], part.getMixedOffsets(), sizes,
                                              part.getMixedStrides());
    }
    IRMapping copies;
    Operation *clone = b.clone(*op, copies);
    for (auto [operand, cut] : llvm::zip_equal(operands, cuts)) {
      Operation *owner = operand.operand->getOwner();
      (owner == op ? clone : copies.lookup(owner))->setOperand(operand.operand->getOperandNumber(), cut);
    }
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(clone))
      type = cast<RankedTensorType>(dps.getDpsInitOperand(0)->get().getType());
    clone->getResult(0).setType(type);
    if (auto kernel = dyn_cast<KernelOp>(clone); kernel && kernel.getInits().size() > 1)
      renewScratch(kernel);
    if (auto nest = dyn_cast<linalg::LinalgOp>(clone))
      shiftIndices(nest, *loopOver(nest, positions.dim), operands, copies);
    return clone->getResult(0);
  }

  /// Bodies mean the positions of the whole tensor, except where they read what is cut.
  void shiftIndices(linalg::LinalgOp nest, unsigned loop, ArrayRef<CutOperand> operands, const IRMapping &copies) {
    SmallVector<linalg::IndexOp> indices;
    nest->walk([&](linalg::IndexOp index) {
      if (index.getDim() == loop)
        indices.push_back(index);
    });
    for (linalg::IndexOp index : indices) {
      OpBuilder inside(index);
      inside.setInsertionPointAfter(index);
      Value shifted = inside.create<arith::AddIOp>(index.getLoc(), index, start);
      index.getResult().replaceAllUsesExcept(shifted, shifted.getDefiningOp());
    }
    for (const CutOperand &operand : operands)
      if (auto read = dyn_cast<tensor::ExtractOp>(operand.operand->getOwner())) {
        auto copy = cast<tensor::ExtractOp>(copies.lookup(read.getOperation()));
        OpOperand &place = copy.getIndicesMutable()[static_cast<unsigned>(operand.positions.dim)];
        place.set(place.get().getDefiningOp<arith::AddIOp>().getLhs());
      }
  }

  tensor::ExtractSliceOp slice;
  Positions source;
  OpBuilder b;
  Location loc;
  Size whole, first, count;
  Value start;
  llvm::DenseMap<OpOperand *, Positions> asked;
  llvm::SetVector<Operation *> pending, planned;
  SmallVector<std::tuple<Value, Positions, Value>> made;
};

} // namespace

LogicalResult raiseSlices(ModuleOp module) {
  SmallVector<tensor::ExtractSliceOp> slices;
  module.walk([&](tensor::ExtractSliceOp slice) { slices.push_back(slice); });
  llvm::SmallPtrSet<Operation *, 16> gone;
  for (tensor::ExtractSliceOp slice : llvm::reverse(slices)) {
    if (gone.contains(slice))
      continue;
    OpBuilder b(slice);
    std::optional<int64_t> dim = cutDim(b, slice);
    if (!dim)
      continue;
    Raise raise(slice, *dim);
    if (!raise.plan())
      continue;
    for (Operation *op : raise.opsPlanned())
      gone.insert(op);
    raise.apply();
  }
  return success();
}

} // namespace sinter
