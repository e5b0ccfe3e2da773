// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The group grows from a contraction's output to its users, and from these to what else they read.
#include "channel_group.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {
namespace {

bool isPlainEpilogue(Region &epilogue, ValueRange epilogueInputs) {
  Block &block = epilogue.front();
  return epilogueInputs.empty() && cast<YieldOp>(block.getTerminator()).getValues()[0] == block.getArgument(0);
}

bool isPlainPool(Operation *op) {
  auto pool = dyn_cast<PoolOp>(op);
  return pool && pool.getKind() != PoolKind::Sum && !pool.isBlocked() && isEmptyInit(pool);
}

/// Where dim `dim` of the longer shape is in the shorter one, if all that is folded with it has size 1.
std::optional<int64_t> dimOfGroup(ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> longer, int64_t dim) {
  for (auto [i, group] : llvm::enumerate(groups))
    if (llvm::is_contained(group, dim))
      return llvm::all_of(group, [&](int64_t d) { return d == dim || longer[d] == 1; }) ? std::optional<int64_t>(i)
                                                                                        : std::nullopt;
  return std::nullopt;
}

} // namespace

bool isEmptyInit(Operation *op) {
  auto destination = cast<DestinationStyleOpInterface>(op);
  return destination.getNumDpsInits() == 1 && op->getNumResults() == 1 &&
         destination.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
}

bool isDepthwise(Operation *contraction) {
  auto conv = dyn_cast<ConvOp>(contraction);
  if (!conv)
    return false;
  auto filter = cast<ShapedType>(conv.getFilter().getType());
  return conv.getGroup() > 1 && filter.getDimSize(0) == static_cast<int64_t>(conv.getGroup()) &&
         filter.getDimSize(1) == 1;
}

std::optional<ContractionWeights> plainWeights(Operation *contraction, EvaluationCache &cache) {
  auto isKnown = [&](Value value) {
    return isa<RankedTensorType>(value.getType()) && cast<ShapedType>(value.getType()).hasStaticShape() &&
           isConstant(value, cache);
  };
  if (auto conv = dyn_cast<ConvOp>(contraction)) {
    if ((conv.getGroup() != 1 && !isDepthwise(conv)) || conv.getLayout() != "nchw" || conv.getKernelAttr() ||
        conv.getRowPad() || !isPlainEpilogue(conv.getEpilogue(), conv.getEpilogueInputs()) || !isEmptyInit(conv) ||
        !isKnown(conv.getFilter()))
      return std::nullopt;
    return ContractionWeights{&conv.getFilterMutable(), 0, isDepthwise(conv) ? -1 : 1};
  }
  if (auto matmul = dyn_cast<MatmulOp>(contraction)) {
    if (matmul.getTransposeLhs() || matmul.getKernelAttr() ||
        cast<ShapedType>(matmul.getRhs().getType()).getRank() != 2 ||
        !isPlainEpilogue(matmul.getEpilogue(), matmul.getEpilogueInputs()) || !isEmptyInit(matmul) ||
        !isKnown(matmul.getRhs()))
      return std::nullopt;
    bool isTransposed = matmul.getTransposeRhs();
    return ContractionWeights{&matmul.getRhsMutable(), isTransposed ? 0 : 1, isTransposed ? 1 : 0};
  }
  return std::nullopt;
}

std::optional<ChannelGroup> ChannelGroup::of(Operation *maker, EvaluationCache &cache, DenseSet<Operation *> &refused) {
  if (refused.contains(maker) || !plainWeights(maker, cache) || isDepthwise(maker))
    return std::nullopt;
  ChannelGroup group(refused);
  auto type = cast<RankedTensorType>(maker->getResult(0).getType());
  int64_t dim = isa<ConvOp>(maker) ? 1 : type.getRank() - 1;
  group.channels = type.getDimSize(dim);
  bool isGroup = group.addMaker(maker->getResult(0), dim, cache);
  while (isGroup && !group.pending.empty())
    isGroup = group.addUsers(group.pending.pop_back_val(), cache);
  if (!isGroup) {
    refused.insert(group.makers.begin(), group.makers.end());
    refused.insert(group.carriers.begin(), group.carriers.end());
    return std::nullopt;
  }
  llvm::sort(group.carriers, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return group;
}

bool ChannelGroup::addValue(Value value, int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getDimSize(dim) != channels)
    return false;
  auto [known, isNew] = channelDim.try_emplace(value, dim);
  if (isNew)
    pending.push_back(value);
  return known->second == dim;
}

/// `value` is read together with the group's: what makes it belongs to the group too.
bool ChannelGroup::addMaker(Value value, int64_t dim, EvaluationCache &cache) {
  Operation *op = value.getDefiningOp();
  if (channelDim.count(value))
    return channelDim.lookup(value) == dim;
  if (!op || refused->contains(op) || (!makers.empty() && op->getBlock() != makers.front()->getBlock()))
    return false;
  if (plainWeights(op, cache) && !isDepthwise(op)) {
    if (dim != (isa<ConvOp>(op) ? 1 : cast<ShapedType>(value.getType()).getRank() - 1))
      return false;
    makers.push_back(op);
    return addValue(value, dim);
  }
  // A carrier: upwards through the operand that has the channels.
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return addGeneric(generic, dim, cache);
  bool keepsDim = isDepthwise(op) || isPlainPool(op);
  return keepsDim && dim == 1 && addMaker(op->getOperand(0), dim, cache);
}

bool ChannelGroup::addGeneric(linalg::GenericOp op, int64_t dim, EvaluationCache &cache) {
  if (!isEmptyInit(op) || op.getNumReductionLoops() || op.hasIndexSemantics() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty())
    return false;
  if (!seen.insert(op).second)
    return true;
  carriers.push_back(op);
  if (!addValue(op.getResult(0), dim))
    return false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isFunctionOfDim(dim))
      continue;
    if (map.isIdentity() && !isConstant(input->get(), cache)) {
      if (!addMaker(input->get(), dim, cache))
        return false;
      continue;
    }
    // A constant with an element for each channel, in one of its dims.
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !type.hasStaticShape() || !isConstant(input->get(), cache) ||
        llvm::count_if(map.getResults(), [&](AffineExpr e) { return e.isFunctionOfDim(dim); }) != 1 ||
        !llvm::is_contained(map.getResults(), getAffineDimExpr(dim, op.getContext())))
      return false;
  }
  return true;
}

bool ChannelGroup::addCarrier(OpOperand &use, EvaluationCache &cache) {
  Operation *op = use.getOwner();
  int64_t dim = channelDim.lookup(use.get());
  if (refused->contains(op))
    return false;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return generic.isDpsInput(&use) && generic.getMatchingIndexingMap(&use).isIdentity() &&
           addGeneric(generic, dim, cache);
  std::optional<int64_t> resultDim;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    resultDim = dimOfGroup(collapse.getReassociationIndices(), collapse.getSrcType().getShape(), dim);
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    for (int64_t d : groups[dim])
      if (expand.getResultType().getDimSize(d) == channels && dimOfGroup(groups, expand.getResultType().getShape(), d))
        resultDim = d;
  } else if (isPlainPool(op) && dim == 1)
    resultDim = 1;
  else if (isDepthwise(op) && plainWeights(op, cache) && use.getOperandNumber() == 0 && dim == 1)
    resultDim = 1;
  if (!resultDim)
    return false;
  if (seen.insert(op).second)
    carriers.push_back(op);
  return addValue(op->getResult(0), *resultDim);
}

bool ChannelGroup::addUsers(Value value, EvaluationCache &cache) {
  int64_t dim = channelDim.lookup(value);
  for (OpOperand &use : value.getUses()) {
    Operation *op = use.getOwner();
    if (op->getBlock() != value.getParentBlock())
      return false;
    bool isInput = isa<ConvOp, MatmulOp>(op) && use.getOperandNumber() == 0 && !isDepthwise(op);
    int64_t summed = isa<ConvOp>(op) ? 1 : cast<ShapedType>(value.getType()).getRank() - 1;
    if (isInput && dim == summed && plainWeights(op, cache))
      readers.push_back(&use);
    else if (!addCarrier(use, cache))
      return false;
  }
  return true;
}

} // namespace sinter
