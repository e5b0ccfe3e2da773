// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feature maps of convolutions get the blocked layout that their kernels read (blocked_layout.h). Convolutions are
// rewritten between a pack and an unpack; then unpacks sink through the ops that follow until they meet a pack, or an
// op that wants the plain form. What is left of packs and unpacks is lowered by lower_layouts.cpp. Through loop nests:
// relayout_generic.cpp. Before all that convolutions learn whether their inputs are spread out: spread_inputs.h.
#include "passes/passes.h"

#include "passes/layout/support/blocked_layout.h"
#include "passes/layout/support/feature_maps.h"
#include "passes/layout/support/relayout.h"
#include "passes/layout/support/spread_inputs.h"

#include "builders/sizes.h"
#include "ir/spreads.h"
#include "ir/value_names.h"

using namespace mlir;

namespace sinter {
namespace {

/// Is there a kernel for integers that takes the channels of `conv`'s input as planes (templates/dual/dual_planar.h),
/// and does it spare a copy?
bool weavesPlanes(ConvOp conv, const Target &target) {
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  return target.byteKernels == ByteKernels::Dual && input.getElementType().isInteger(8) && input.getRank() == 4 &&
         input.getDimSize(1) > 1 && comesPlain(conv.getInput());
}

/// The convolution between a pack and an unpack.
void blockConvolution(ConvOp conv, BlockedLayout in, BlockedLayout out, const Target &target, RewriterBase &rewriter) {
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  Location loc = conv.getLoc();
  bool readsPlain = input.getDimSize(1) < fewChannels && !packedSource(conv.getInput()) && conv.getGroup() == 1 &&
                    !spreadsOf(conv) && (!hasNarrowIntegers(conv.getInput()) || weavesPlanes(conv, target));
  rewriter.setInsertionPoint(conv);
  Value x = readsPlain ? conv.getInput() : packed(rewriter, loc, conv.getInput(), in);
  Value init = emptyPacked(rewriter, loc, conv.getInits()[0], out);
  auto blocked = cast<ConvOp>(rewriter.clone(*conv));
  blocked.getInputMutable().assign(x);
  blocked.getInitsMutable().assign(init);
  blocked.setLayout(readsPlain ? "nchw->nchwc" : "nchwc");
  blocked->getResult(0).setType(init.getType());
  rewriter.replaceOp(conv, unpacked(rewriter, loc, blocked->getResult(0), conv.getInits()[0], out));
}

/// concat(unpack(a), unpack(b)) = unpack(concat(a, b)), where the blocks of all parts are alike or the axis is another
/// one; along the channels also where each part has all of its own in one block.
struct SinkThroughConcat : OpRewritePattern<tensor::ConcatOp> {
  SinkThroughConcat(MLIRContext *context, const Target &target) : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(tensor::ConcatOp concat, PatternRewriter &rewriter) const override {
    std::optional<BlockedLayout> layout;
    SmallVector<Value> parts;
    auto type = concat.getResultType();
    int64_t axis = concat.getDim(), joinedDim = axis;
    bool isAlike = true, isWhole = true;
    for (Value input : concat.getInputs()) {
      auto source = packedSource(input);
      if (!source || (layout && layout->axis != source->second.axis))
        return failure();
      isAlike &= !layout || *layout == source->second;
      isWhole &= cast<RankedTensorType>(input.getType()).getDimSize(source->second.axis) == source->second.block;
      layout = source->second;
      parts.push_back(source->first);
    }
    if (axis == layout->axis) {
      int64_t channels = type.getDimSize(axis);
      int64_t block = type.isDynamicDim(axis) ? 0 : channelBlock(target, channels);
      bool isJoined = isWhole && block;
      if (!(isAlike && block == layout->block) && !isJoined)
        return failure();
      if (!isAlike || block != layout->block) {
        layout->block = channels;
        joinedDim = type.getRank();
      }
    } else if (!isAlike) {
      return failure();
    }
    Location loc = concat.getLoc();
    Sizes sizes = dimsOf(rewriter, loc, concat.getResult());
    Value plain = rewriter.create<tensor::EmptyOp>(loc, sizes, type.getElementType());
    Value joined = rewriter.create<tensor::ConcatOp>(loc, packedType(type, *layout), joinedDim, parts);
    rewriter.replaceOp(concat, unpacked(rewriter, loc, joined, plain, *layout));
    return success();
  }

  const Target &target;
};

/// insert_slice of a feature map into a filled one (Pad) along dims other than the channel.
struct SinkThroughInsert : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp insert, PatternRewriter &rewriter) const override {
    auto source = packedSource(insert.getSource());
    auto fill = insert.getDest().getDefiningOp<linalg::FillOp>();
    if (!source || !fill || insert.getSourceType().getRank() != insert.getDestType().getRank())
      return failure();
    BlockedLayout layout = source->second;
    auto type = insert.getDestType();
    if (getConstantIntValue(insert.getMixedOffsets()[layout.axis]) != 0 ||
        insert.getSourceType().getDimSize(layout.axis) != type.getDimSize(layout.axis))
      return failure();
    Location loc = insert.getLoc();
    Value background = rewriter
                           .create<linalg::FillOp>(withoutValueNames(loc), fill.getInputs()[0],
                                                   emptyPacked(rewriter, loc, insert.getDest(), layout))
                           .getResult(0);
    Sizes offsets = insert.getMixedOffsets(), sizes = dimsOf(rewriter, loc, source->first),
          strides = insert.getMixedStrides();
    offsets.push_back(rewriter.getIndexAttr(0));
    strides.push_back(rewriter.getIndexAttr(1));
    Value inserted = rewriter.create<tensor::InsertSliceOp>(loc, source->first, background, offsets, sizes, strides);
    Value plain = rewriter.create<tensor::EmptyOp>(loc, dimsOf(rewriter, loc, insert.getDest()), type.getElementType());
    rewriter.replaceOp(insert, unpacked(rewriter, loc, inserted, plain, layout));
    return success();
  }
};

/// Pools work on channel blocks by a kernel of their own.
struct SinkThroughPool : OpRewritePattern<PoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PoolOp pool, PatternRewriter &rewriter) const override {
    auto source = packedSource(pool.getInput());
    auto type = dyn_cast<RankedTensorType>(pool.getInits()[0].getType());
    if (pool.getKind() == PoolKind::Sum || !source || source->second.axis != 1 || !type ||
        !(isa<Float32Type, Float16Type>(type.getElementType()) || hasNarrowIntegers(pool.getInits()[0])))
      return failure();
    Location loc = pool.getLoc();
    Value init = emptyPacked(rewriter, loc, pool.getInits()[0], source->second);
    auto blocked = cast<PoolOp>(rewriter.clone(*pool));
    blocked.getInputMutable().assign(source->first);
    blocked.getInitsMutable().assign(init);
    blocked->getResult(0).setType(init.getType());
    blocked.setLayout("nchwc");
    rewriter.replaceOp(pool, unpacked(rewriter, loc, blocked->getResult(0), pool.getInits()[0], source->second));
    return success();
  }
};

/// extract_slice of a feature map that keeps all channels, or whole blocks of them.
struct SinkThroughExtract : OpRewritePattern<tensor::ExtractSliceOp> {
  SinkThroughExtract(MLIRContext *context, const Target &target) : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp extract, PatternRewriter &rewriter) const override {
    auto source = packedSource(extract.getSource());
    auto type = extract.getType();
    if (!source || type.getRank() != extract.getSourceType().getRank() || type.isDynamicDim(source->second.axis))
      return failure();
    BlockedLayout layout = source->second;
    std::optional<int64_t> offset = getConstantIntValue(extract.getMixedOffsets()[layout.axis]),
                           stride = getConstantIntValue(extract.getMixedStrides()[layout.axis]);
    int64_t channels = type.getDimSize(layout.axis);
    int64_t wanted = channelBlock(target, channels);
    bool isBlocks = offset && *offset % layout.block == 0 && channels % layout.block == 0 && wanted == layout.block;
    bool isWhole = !isBlocks && extract.getSourceType().getDimSize(layout.axis) == layout.block;
    if (!offset || stride != 1 || !(isBlocks || isWhole))
      return failure();
    Location loc = extract.getLoc();
    Sizes offsets = extract.getMixedOffsets(), sizes = extract.getMixedSizes(), strides = extract.getMixedStrides();
    int64_t firstInBlock = isWhole ? *offset : 0;
    if (isWhole)
      layout.block = channels;
    offsets[layout.axis] = rewriter.getIndexAttr(isWhole ? 0 : *offset / layout.block);
    sizes[layout.axis] = rewriter.getIndexAttr(channels / layout.block);
    Value plain = rewriter.create<tensor::EmptyOp>(loc, extract.getMixedSizes(), type.getElementType());
    offsets.push_back(rewriter.getIndexAttr(firstInBlock));
    sizes.push_back(rewriter.getIndexAttr(layout.block));
    strides.push_back(rewriter.getIndexAttr(1));
    Value slice =
        rewriter.create<tensor::ExtractSliceOp>(loc, packedType(type, layout), source->first, offsets, sizes, strides);
    rewriter.replaceOp(extract, unpacked(rewriter, loc, slice, plain, layout));
    return success();
  }

  const Target &target;
};

/// A feature map in one block of all channels is channels-last already.
struct ReadChannelsLast : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp transpose, PatternRewriter &rewriter) const override {
    Value map = mapMadeChannelsLast(transpose);
    auto source = map ? packedSource(map) : std::nullopt;
    if (!source || source->second.axis != 1 ||
        source->second.block != cast<RankedTensorType>(map.getType()).getDimSize(1))
      return failure();
    // [n, 1, h, w, c] -> [n, h, w, c], or with spatial dims collapsed as on the way to the transpose
    SmallVector<ReassociationIndices> groups;
    if (auto collapse =
            transpose.getInput() == map ? nullptr : transpose.getInput().getDefiningOp<tensor::CollapseShapeOp>())
      groups = collapse.getReassociationIndices();
    else
      for (int64_t d = 0, rank = cast<RankedTensorType>(map.getType()).getRank(); d < rank; ++d)
        groups.push_back({d});
    groups[0].push_back(1);
    groups.erase(groups.begin() + 1);
    groups.push_back({cast<RankedTensorType>(source->first.getType()).getRank() - 1});
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        transpose, cast<RankedTensorType>(transpose->getResult(0).getType()), source->first, groups);
    return success();
  }
};

/// [n, ..., c] -> [n, 1, h, w, c]: a channels-last tensor as one block of the map that is made of it.
Value asOneBlock(OpBuilder &b, Value map, BlockedLayout layout) {
  Value last = channelsLastSource(map);
  int64_t rank = cast<RankedTensorType>(map.getType()).getRank();
  Sizes sizes = dimsOf(b, map.getLoc(), map);
  sizes[1] = sizeOf(b, 1);
  sizes.push_back(sizeOf(b, layout.block));
  SmallVector<ReassociationIndices> groups;
  if (auto expand = map.getDefiningOp<tensor::ExpandShapeOp>()) {
    groups = expand.getReassociationIndices();
    groups.erase(groups.begin());
  } else {
    for (int64_t d = 1; d < rank; ++d)
      groups.push_back({d});
  }
  groups[0].insert(groups[0].begin(), 0);
  groups.push_back({rank});
  return b.create<tensor::ExpandShapeOp>(map.getLoc(), packedType(cast<RankedTensorType>(map.getType()), layout), last,
                                         groups, sizes);
}

} // namespace

LogicalResult chooseLayouts(ModuleOp module, const Target &target) {
  MLIRContext *context = module.getContext();
  foldSpreads(module, target);
  struct Choice {
    ConvOp conv;
    BlockedLayout in, out;
  };
  SmallVector<Choice> choices;
  SmallVector<Value> madeOfLast;
  FeatureMaps maps(module, target); // of the tensors as they are now
  module.walk([&](Operation *op) {
    if (isa<linalg::TransposeOp, tensor::ExpandShapeOp>(op))
      if (Value map = op->getResult(0); channelsLastSource(map) && maps.isConvolved(map) &&
                                        maps.blockOf(map) == cast<ShapedType>(map.getType()).getDimSize(1))
        madeOfLast.push_back(map);
  });
  module.walk([&](ConvOp conv) {
    if (takesBlocks(conv, target))
      choices.push_back({conv, {1, maps.blockOf(conv.getInput())}, {1, maps.blockOf(conv->getResult(0))}});
  });
  IRRewriter rewriter(context);
  for (Value map : madeOfLast) {
    rewriter.setInsertionPointAfterValue(map);
    BlockedLayout layout{1, cast<ShapedType>(map.getType()).getDimSize(1)};
    Value block = asOneBlock(rewriter, map, layout);
    Value plain =
        rewriter.create<tensor::EmptyOp>(map.getLoc(), dimsOf(rewriter, map.getLoc(), map), getElementTypeOrSelf(map));
    rewriter.replaceAllUsesWith(map, unpacked(rewriter, map.getLoc(), block, plain, layout));
  }
  for (auto [conv, in, out] : choices)
    blockConvolution(conv, in, out, target, rewriter);

  RewritePatternSet sinking(context);
  sinking.add<SinkThroughConcat, SinkThroughExtract>(context, target);
  sinking.add<SinkThroughInsert, SinkThroughPool, ReadChannelsLast>(context);
  addRelayoutGatherPatterns(sinking, target);
  addRelayoutGenericPatterns(sinking);
  tensor::PackOp::getCanonicalizationPatterns(sinking, context);
  tensor::UnPackOp::getCanonicalizationPatterns(sinking, context);
  FrozenRewritePatternSet frozen(std::move(sinking));
  // In program order: when an op's turn comes, all of its operands are in their final layout.
  SmallVector<Operation *> inOrder;
  module.walk([&](Operation *op) {
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::ExtractSliceOp, linalg::GenericOp, linalg::TransposeOp,
            PoolOp, tensor::PackOp>(op))
      inOrder.push_back(op);
  });
  GreedyRewriteConfig config;
  config.strictMode = GreedyRewriteStrictness::ExistingOps;
  for (Operation *op : inOrder)
    (void)applyOpPatternsAndFold(op, frozen, config);
  return success();
}

} // namespace sinter
