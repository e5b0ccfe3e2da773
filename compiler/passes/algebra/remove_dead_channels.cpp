// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels that hold one number, and channels that nobody reads, are not computed. A contraction's output channel whose
// weights are all zero (exactly) is its bias everywhere; training with sparsity, and quantizing, leave many. What such
// a channel adds to the sums of its readers is known now. Repeated until nothing changes: a reader that loses its
// inputs may have a dead channel in turn.
//
// Preconditions, per channel and for every contraction that sums over it: its weights for the channel are all zero, or
// the channel is constant and adds nothing (it is 0, or its zero point) or, in integers and without padding, whose
// place it would not have, the same to every sum. Results are equal to the last bit. Some channel always stays.
#include "passes/passes.h"

#include "passes/algebra/support/channel_constants.h"
#include "passes/support/contractions.h"

#include "ir/work.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {
namespace {

/// What a channel that goes adds to the sums of one reader, or nullopt if it cannot go.
std::optional<SmallVector<int64_t>> channelsAddedBy(int64_t channel, OpOperand &reader,
                                                    const ContractionWeights &weights, const WeightNumbers &numbers,
                                                    const ChannelConstants &constants) {
  SmallVector<int64_t> added;
  Operation *contraction = reader.getOwner();
  Value x = reader.get();
  if (numbers.isZero(weights.inDim, channel))
    return added;
  if (!constants.isKnown(x, channel))
    return std::nullopt;
  if (!getElementTypeOrSelf(x.getType()).isInteger())
    return constants.numberAt(x, channel) == 0 ? std::optional(added) : std::nullopt;
  int64_t over = constants.integerAt(x, channel, isInputUnsigned(contraction)) - inputZero(contraction);
  if (over == 0)
    return added;
  if (hasPadding(contraction))
    return std::nullopt;
  int64_t outputs = cast<ShapedType>(weights.operand->get().getType()).getDimSize(weights.outDim);
  for (int64_t k = 0; k < outputs; ++k)
    added.push_back(over * numbers.sum(k, channel));
  return added;
}

class ChannelRemover {
public:
  ChannelRemover(const ChannelGroup &group, EvaluationCache &cache) : group(group), cache(cache) {}

  /// How many channels went.
  int64_t run() {
    ChannelConstants constants(group, cache);
    SmallVector<ContractionWeights> weights;
    SmallVector<WeightNumbers> numbers;
    for (OpOperand *reader : group.readers) {
      weights.push_back(*plainWeights(reader->getOwner(), cache));
      numbers.emplace_back(reader->getOwner(), weights.back(), cache);
      if (!numbers.back())
        return 0;
    }
    additions.resize(group.readers.size());
    for (int64_t c = 0; c < group.channels; ++c) {
      SmallVector<std::optional<SmallVector<int64_t>>> added;
      for (size_t r = 0; r < group.readers.size(); ++r)
        added.push_back(channelsAddedBy(c, *group.readers[r], weights[r], numbers[r], constants));
      bool isLast = c + 1 == group.channels && kept.empty();
      if (isLast || !llvm::all_of(added, [](const auto &one) { return one.has_value(); })) {
        kept.push_back(c);
        continue;
      }
      for (size_t r = 0; r < added.size(); ++r) {
        additions[r].resize(std::max(additions[r].size(), added[r]->size()));
        for (auto [k, value] : llvm::enumerate(*added[r]))
          additions[r][k] += value;
      }
    }
    int64_t gone = group.channels - static_cast<int64_t>(kept.size());
    if (gone && canBuild())
      build();
    else
      gone = 0;
    return gone;
  }

private:
  /// Can every constant be evaluated, and does what is added fit the sums? Nothing is added to what loses channels.
  bool canBuild() {
    for (auto [reader, added] : llvm::zip(group.readers, additions))
      for (int64_t value : added)
        if (value != static_cast<int32_t>(value) || (value && llvm::is_contained(group.makers, reader->getOwner())))
          return false;
    for (Operation *maker : group.makers)
      if (!evaluate(plainWeights(maker, cache)->operand->get(), cache))
        return false;
    for (Operation *op : group.carriers)
      for (Value operand : op->getOperands())
        if (!group.channelDim.count(operand) && isConstant(operand, cache) && !evaluate(operand, cache))
          return false;
    return true;
  }

  Value keptConstant(OpBuilder &b, Value value, int64_t dim) {
    HostTensor tensor = keptElements(*evaluate(value, cache), dim, kept);
    return constantOf(b, value.getLoc(), tensor, getElementTypeOrSelf(value.getType()));
  }

  RankedTensorType keptType(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[group.channelDim.lookup(value)] = static_cast<int64_t>(kept.size());
    return RankedTensorType::get(shape, type.getElementType());
  }

  void build() {
    SmallVector<Operation *> ops(group.makers);
    llvm::append_range(ops, group.carriers);
    llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *op : ops)
      mapping.map(op->getResult(0), narrowed(op));
    for (auto [reader, added] : llvm::zip(group.readers, additions)) {
      Value narrow = mapping.lookupOrDefault(reader->getOwner()->getResult(0)); // a maker in its own group
      narrowReader(narrow.getDefiningOp(), mapping.lookup(reader->get()), added);
    }
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  /// `op` with the channels that stay.
  Value narrowed(Operation *op) {
    OpBuilder b(op);
    Value result = op->getResult(0);
    int64_t dim = group.channelDim.lookup(result);
    RankedTensorType type = keptType(result);
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
      return b.create<tensor::CollapseShapeOp>(op->getLoc(), type, mapping.lookup(collapse.getSrc()),
                                               collapse.getReassociationIndices());
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      return b.create<tensor::ExpandShapeOp>(op->getLoc(), type, mapping.lookup(expand.getSrc()),
                                             expand.getReassociationIndices());
    Operation *clone = b.clone(*op, mapping);
    clone->getResult(0).setType(type);
    auto destination = cast<DestinationStyleOpInterface>(clone);
    Value init = b.create<tensor::EmptyOp>(op->getLoc(), type.getShape(), type.getElementType());
    init.getDefiningOp()->moveBefore(clone);
    destination.getDpsInitOperand(0)->set(init);
    b.setInsertionPoint(clone);
    if (std::optional<ContractionWeights> weights = plainWeights(op, cache)) {
      unsigned at = weights->operand->getOperandNumber();
      clone->setOperand(at, keptConstant(b, op->getOperand(at), weights->outDim));
      if (isDepthwise(op))
        cast<ConvOp>(clone).setGroup(kept.size());
    } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      for (OpOperand *input : generic.getDpsInputOperands()) {
        AffineMap map = generic.getMatchingIndexingMap(input);
        if (!mapping.contains(input->get()) && map.isFunctionOfDim(dim)) {
          auto place = llvm::find(map.getResults(), b.getAffineDimExpr(dim)) - map.getResults().begin();
          clone->setOperand(input->getOperandNumber(), keptConstant(b, input->get(), place));
        }
      }
    }
    return clone->getResult(0);
  }

  void narrowReader(Operation *contraction, Value input, ArrayRef<int64_t> added) {
    OpBuilder b(contraction);
    ContractionWeights weights = *plainWeights(contraction, cache);
    weights.operand->set(keptConstant(b, weights.operand->get(), weights.inDim));
    contraction->setOperand(0, input);
    if (llvm::all_of(added, [](int64_t value) { return value == 0; }))
      return;
    // What went is added to the sums.
    Value y = contraction->getResult(0);
    auto type = cast<RankedTensorType>(y.getType());
    int64_t dim = isa<ConvOp>(contraction) ? 1 : type.getRank() - 1;
    HostTensor vector = HostTensor::allocate(type.getElementType(), {static_cast<int64_t>(added.size())});
    for (auto [k, value] : llvm::enumerate(added))
      std::memcpy(vector.mutableBytes() + k * vector.bytesPerElement(), &value, vector.bytesPerElement());
    b.setInsertionPointAfter(contraction);
    Value constant = constantOf(b, contraction->getLoc(), vector, type.getElementType());
    Value empty = b.create<tensor::EmptyOp>(contraction->getLoc(), type.getShape(), type.getElementType());
    AffineMap all = b.getMultiDimIdentityMap(type.getRank()),
              channel = AffineMap::get(type.getRank(), 0, b.getAffineDimExpr(dim));
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    auto sum = b.create<linalg::GenericOp>(
        contraction->getLoc(), type, ValueRange{y, constant}, empty, ArrayRef{all, channel, all}, loops,
        [](OpBuilder &inner, Location at, ValueRange v) {
          inner.create<linalg::YieldOp>(at, inner.create<arith::AddIOp>(at, v[0], v[1]).getResult());
        });
    y.replaceAllUsesExcept(sum.getResult(0), sum);
  }

  const ChannelGroup &group;
  EvaluationCache &cache;
  SmallVector<int64_t> kept;
  SmallVector<SmallVector<int64_t>> additions; ///< per reader and output channel
  IRMapping mapping;
};

} // namespace

LogicalResult removeDeadChannels(ModuleOp module) {
  int64_t gone = 0;
  for (bool changed = true; changed;) {
    changed = false;
    llvm::DenseSet<Operation *> done; // in another one's group, which may be gone
    llvm::DenseSet<Operation *> refused;
    EvaluationCache cache;
    for (Operation *contraction : contractionsOf(module)) {
      if (done.contains(contraction))
        continue;
      std::optional<ChannelGroup> group = ChannelGroup::of(contraction, cache, refused);
      if (!group)
        continue;
      done.insert(group->makers.begin(), group->makers.end());
      done.insert(group->carriers.begin(), group->carriers.end());
      int64_t channels = ChannelRemover(*group, cache).run();
      gone += channels;
      changed |= channels > 0;
      if (channels > 0)
        cache.clear();
    }
  }
  if (gone) {
    auto integer = IntegerType::get(module.getContext(), 64);
    module->setAttr("sinter.removed_channels", IntegerAttr::get(integer, gone));
    module->setAttr("sinter.macs_left", IntegerAttr::get(integer, Work().macsIn(module.getBodyRegion())));
  }
  return success();
}

} // namespace sinter
