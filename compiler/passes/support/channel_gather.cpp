// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "channel_gather.h"

#include "builders/sizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {
namespace {

/// The dims of group 1, if all others stand alone.
std::optional<int64_t> dimsOfChannel(ArrayRef<ReassociationIndices> groups) {
  if (groups.size() < 3)
    return std::nullopt;
  for (auto [d, group] : llvm::enumerate(groups))
    if (d != 1 && group.size() != 1)
      return std::nullopt;
  return static_cast<int64_t>(groups[1].size());
}

/// [n, c, ...] -> [n, g, c/g, ...] -> [n, c/g, g, ...] -> [n, c, ...], with any number of parts in any order.
std::optional<ChannelGather> shuffle(tensor::CollapseShapeOp collapse) {
  auto transpose = collapse.getSrc().getDefiningOp<linalg::TransposeOp>();
  auto expand = transpose ? transpose.getInput().getDefiningOp<tensor::ExpandShapeOp>() : nullptr;
  std::optional<int64_t> parts = dimsOfChannel(collapse.getReassociationIndices());
  if (!expand || !parts || parts != dimsOfChannel(expand.getReassociationIndices()))
    return std::nullopt;
  for (auto [to, from] : llvm::enumerate(transpose.getPermutation())) {
    bool isPart = static_cast<int64_t>(to) >= 1 && static_cast<int64_t>(to) <= *parts;
    if (isPart ? from < 1 || from > *parts : from != static_cast<int64_t>(to))
      return std::nullopt;
  }
  ArrayRef<int64_t> sizes = expand.getResultType().getShape().slice(1, *parts);
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return std::nullopt;
  // Digits of the result's channel, innermost first, with what a step of each is in the source.
  ChannelGather gather{expand.getSrc(), {0}};
  for (int64_t part = *parts; part >= 1; --part) {
    int64_t from = transpose.getPermutation()[part] - 1, step = 1;
    for (int64_t size : sizes.drop_front(from + 1))
      step *= size;
    SmallVector<int64_t> longer;
    for (int64_t digit = 0; digit < sizes[from]; ++digit)
      for (int64_t channel : gather.channels)
        longer.push_back(digit * step + channel);
    gather.channels = std::move(longer);
  }
  return gather;
}

std::optional<ChannelGather> slice(tensor::ExtractSliceOp extract) {
  auto from = extract.getSourceType(), to = extract.getType();
  if (from.getRank() != to.getRank() || !hasChannels(extract.getSource()))
    return std::nullopt;
  OpBuilder b(extract);
  for (int64_t d = 0; d < from.getRank(); ++d)
    if (d != 1 && (!sameSize(extract.getMixedSizes()[d], dimOf(b, extract.getLoc(), extract.getSource(), d)) ||
                   getConstantIntValue(extract.getMixedOffsets()[d]) != 0 ||
                   getConstantIntValue(extract.getMixedStrides()[d]) != 1))
      return std::nullopt;
  std::optional<int64_t> first = getConstantIntValue(extract.getMixedOffsets()[1]),
                         step = getConstantIntValue(extract.getMixedStrides()[1]);
  if (!first || !step || to.isDynamicDim(1))
    return std::nullopt;
  ChannelGather gather{extract.getSource(), {}};
  for (int64_t c = 0; c < to.getDimSize(1); ++c)
    gather.channels.push_back(*first + c * *step);
  return gather;
}

/// Does `index` look up the loop of channels in a constant? Its numbers, as they are there.
std::optional<HostTensor> tableOf(linalg::GenericOp op, Value index, EvaluationCache &cache) {
  while (Operation *cast = index.getDefiningOp()) {
    if (!isa<CheckIndexOp, arith::IndexCastOp>(cast))
      break;
    index = cast->getOperand(0);
  }
  if (auto lookup = index.getDefiningOp<tensor::ExtractOp>()) {
    auto at = lookup.getIndices().size() == 1 ? lookup.getIndices()[0].getDefiningOp<linalg::IndexOp>() : nullptr;
    return at && at.getDim() == 1 ? evaluate(lookup.getTensor(), cache) : std::nullopt;
  }
  auto argument = dyn_cast<BlockArgument>(index);
  if (!argument || argument.getOwner() != op.getBody() || argument.getArgNumber() >= op.getNumDpsInputs())
    return std::nullopt;
  OpOperand *table = op.getDpsInputOperand(argument.getArgNumber());
  AffineMap byChannel = AffineMap::get(op.getNumLoops(), 0, getAffineDimExpr(1, op.getContext()));
  return op.getMatchingIndexingMap(table) == byChannel ? evaluate(table->get(), cache) : std::nullopt;
}

std::optional<ChannelGather> lookup(linalg::GenericOp op, EvaluationCache &cache) {
  if (op.getNumDpsInits() != 1 || op.getNumResults() != 1 || op.getNumReductionLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  auto read = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  if (!read || read->getBlock() != op.getBody() || !hasChannels(read.getTensor()) ||
      cast<ShapedType>(read.getTensor().getType()).getRank() != op.getNumLoops())
    return std::nullopt;
  OpBuilder b(op);
  for (auto [d, index] : llvm::enumerate(read.getIndices())) {
    auto at = index.getDefiningOp<linalg::IndexOp>();
    int64_t dim = static_cast<int64_t>(d);
    if (d != 1 &&
        (!at || at.getDim() != d ||
         !sameSize(dimOf(b, op.getLoc(), read.getTensor(), dim), dimOf(b, op.getLoc(), op.getDpsInits()[0], dim))))
      return std::nullopt;
  }
  std::optional<HostTensor> table = tableOf(op, read.getIndices()[1], cache);
  if (!table || table->shape().size() != 1)
    return std::nullopt;
  int64_t channels = cast<ShapedType>(read.getTensor().getType()).getDimSize(1);
  ChannelGather gather{read.getTensor(), {}};
  for (int64_t i = 0; i < table->shape()[0]; ++i) {
    int64_t channel = table->integerAt(i);
    gather.channels.push_back(channel < 0 ? channel + channels : channel);
    if (gather.channels.back() < 0 || gather.channels.back() >= channels)
      return std::nullopt;
  }
  return gather;
}

} // namespace

bool hasChannels(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() >= 3 && !type.isDynamicDim(1);
}

std::optional<ChannelGather> channelGather(Value value, EvaluationCache &cache) {
  if (!hasChannels(value))
    return std::nullopt;
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
    return shuffle(collapse);
  if (auto extract = value.getDefiningOp<tensor::ExtractSliceOp>())
    return slice(extract);
  if (auto generic = value.getDefiningOp<linalg::GenericOp>())
    return lookup(generic, cache);
  return std::nullopt;
}

SmallVector<int64_t> inverseOrder(ArrayRef<int64_t> order) {
  SmallVector<int64_t> inverse(order.size());
  for (auto [place, channel] : llvm::enumerate(order))
    inverse[channel] = static_cast<int64_t>(place);
  return inverse;
}

bool isRange(ArrayRef<int64_t> channels) {
  return llvm::equal(channels, llvm::seq<int64_t>(channels.front(), channels.front() + channels.size()));
}

Value gatherChannels(OpBuilder &b, Location loc, const ChannelGather &gather) {
  auto type = cast<RankedTensorType>(gather.source.getType());
  auto count = static_cast<int64_t>(gather.channels.size()), rank = type.getRank();
  bool isSlice = isRange(gather.channels);
  if (isSlice && count == type.getDimSize(1))
    return gather.source;
  Sizes sizes = dimsOf(b, loc, gather.source);
  sizes[1] = b.getIndexAttr(count);
  if (isSlice) {
    Sizes offsets(rank, b.getIndexAttr(0)), strides(rank, b.getIndexAttr(1));
    offsets[1] = b.getIndexAttr(gather.channels.front());
    return b.create<tensor::ExtractSliceOp>(loc, gather.source, offsets, sizes, strides);
  }
  Value table = b.create<arith::ConstantOp>(loc, b.getI64TensorAttr(gather.channels));
  Value init = b.create<tensor::EmptyOp>(loc, sizes, type.getElementType());
  AffineMap all = b.getMultiDimIdentityMap(rank), channel = AffineMap::get(rank, 0, b.getAffineDimExpr(1));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return b
      .create<linalg::GenericOp>(loc, init.getType(), table, init, ArrayRef{channel, all}, loops,
                                 [&](OpBuilder &inner, Location at, ValueRange v) {
                                   SmallVector<Value> index;
                                   for (int64_t d = 0; d < rank; ++d)
                                     index.push_back(inner.create<linalg::IndexOp>(at, d));
                                   index[1] = inner.create<arith::IndexCastOp>(at, inner.getIndexType(), v[0]);
                                   Value read = inner.create<tensor::ExtractOp>(at, gather.source, index);
                                   inner.create<linalg::YieldOp>(at, read);
                                 })
      .getResult(0);
}

} // namespace sinter
