// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feature maps of convolutions get the blocked layout that their kernels read (blocked_layout.h). Convolutions are rewritten between a pack and an
// unpack; then unpacks sink through the ops that follow until they meet a pack, or an op that wants the plain form. What is left of packs and
// unpacks is lowered by lower_layouts.cpp. Through loop nests: relayout_generic.cpp.
#include "passes.h"

#include "blocked_layout.h"
#include "relayout.h"

#include "ops/sizes.h"

using namespace mlir;

namespace sinter {
namespace {

/// Channels below this are read in the plain layout by the first convolution.
constexpr int64_t fewChannels = 8;

bool isDepthwise(ConvOp conv) {
  auto input = cast<RankedTensorType>(conv.getInput().getType()), output = cast<RankedTensorType>(conv.getInits()[0].getType());
  int64_t group = conv.getGroup();
  return group == input.getDimSize(1) && group == output.getDimSize(1);
}

struct BlockConvolution : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp conv, PatternRewriter &rewriter) const override {
    auto input = dyn_cast<RankedTensorType>(conv.getInput().getType());
    auto output = dyn_cast<RankedTensorType>(conv.getInits()[0].getType());
    if (conv.getLayout() != "nchw" || !input || input.isDynamicDim(1) || output.isDynamicDim(1) || !isa<Float32Type, Float16Type>(input.getElementType()))
      return failure();
    if (!conv.getEpilogueInputs().empty() || (conv.getGroup() != 1 && !isDepthwise(conv)))
      return failure(); // runs before epilogues are fused
    auto module = conv->getParentOfType<ModuleOp>();
    int64_t channels = input.getDimSize(1);
    bool readsPlain = channels < fewChannels && !packedSource(conv.getInput()) && conv.getGroup() == 1;
    Location loc = conv.getLoc();
    BlockedLayout in{1, channelBlock(module, channels)}, out{1, channelBlock(module, output.getDimSize(1))};
    Value x = readsPlain ? conv.getInput() : packed(rewriter, loc, conv.getInput(), in);
    Value init = emptyPacked(rewriter, loc, conv.getInits()[0], out);
    auto blocked = cast<ConvOp>(rewriter.clone(*conv));
    rewriter.modifyOpInPlace(blocked, [&] {
      blocked.getInputMutable().assign(x);
      blocked.getInitsMutable().assign(init);
      blocked.setLayout(readsPlain ? "nchw->nchwc" : "nchwc");
      blocked->getResult(0).setType(init.getType());
    });
    rewriter.replaceOp(conv, unpacked(rewriter, loc, blocked->getResult(0), conv.getInits()[0], out));
    return success();
  }
};

/// concat(unpack(a), unpack(b)) = unpack(concat(a, b)), where the blocks of all parts are alike or the axis is another one.
struct SinkThroughConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp concat, PatternRewriter &rewriter) const override {
    std::optional<BlockedLayout> layout;
    SmallVector<Value> parts;
    for (Value input : concat.getInputs()) {
      auto source = packedSource(input);
      if (!source || (layout && !(*layout == source->second)))
        return failure();
      layout = source->second;
      parts.push_back(source->first);
    }
    auto type = concat.getResultType();
    int64_t axis = concat.getDim();
    if (axis == layout->axis && (type.isDynamicDim(axis) || channelBlock(concat->getParentOfType<ModuleOp>(), type.getDimSize(axis)) != layout->block))
      return failure();
    Location loc = concat.getLoc();
    Sizes sizes = dimsOf(rewriter, loc, concat.getResult());
    Value plain = rewriter.create<tensor::EmptyOp>(loc, sizes, type.getElementType());
    Value joined = rewriter.create<tensor::ConcatOp>(loc, packedType(type, *layout), axis, parts);
    rewriter.replaceOp(concat, unpacked(rewriter, loc, joined, plain, *layout));
    return success();
  }
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
    if (getConstantIntValue(insert.getMixedOffsets()[layout.axis]) != 0 || insert.getSourceType().getDimSize(layout.axis) != type.getDimSize(layout.axis))
      return failure();
    Location loc = insert.getLoc();
    Value background = rewriter.create<linalg::FillOp>(loc, fill.getInputs()[0], emptyPacked(rewriter, loc, insert.getDest(), layout)).getResult(0);
    Sizes offsets = insert.getMixedOffsets(), sizes = dimsOf(rewriter, loc, source->first), strides = insert.getMixedStrides();
    offsets.push_back(rewriter.getIndexAttr(0));
    strides.push_back(rewriter.getIndexAttr(1));
    Value inserted = rewriter.create<tensor::InsertSliceOp>(loc, source->first, background, offsets, sizes, strides);
    Value plain = rewriter.create<tensor::EmptyOp>(loc, dimsOf(rewriter, loc, insert.getDest()), type.getElementType());
    rewriter.replaceOp(insert, unpacked(rewriter, loc, inserted, plain, layout));
    return success();
  }
};

/// Pools work on channel blocks by a kernel of their own.
struct SinkThroughPool : OpRewritePattern<KernelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(KernelOp pool, PatternRewriter &rewriter) const override {
    StringRef name = pool.getKernel();
    if ((name != "max_pool" && name != "average_pool") || pool.getInputs().size() != 1 || pool.getInits().size() != 1)
      return failure();
    auto source = packedSource(pool.getInputs()[0]);
    auto type = dyn_cast<RankedTensorType>(pool.getInits()[0].getType());
    if (!source || source->second.axis != 1 || !type || type.getRank() != 4 || !isa<Float32Type, Float16Type>(type.getElementType()))
      return failure();
    if (auto sum = pool.getParams().getAs<BoolAttr>("sum"); sum && sum.getValue())
      return failure();
    SmallVector<NamedAttribute> params;
    for (NamedAttribute param : pool.getParams())
      if (param.getName() != "sum")
        params.push_back(param);
    Location loc = pool.getLoc();
    Value init = emptyPacked(rewriter, loc, pool.getInits()[0], source->second);
    auto blocked = rewriter.create<KernelOp>(loc, init.getType(), (name + "_blocked").str(), source->first, init,
                                             rewriter.getDictionaryAttr(params), pool.getSignedness());
    rewriter.replaceOp(pool, unpacked(rewriter, loc, blocked->getResult(0), pool.getInits()[0], source->second));
    return success();
  }
};

/// extract_slice of a feature map that keeps all channels, or whole blocks of them.
struct SinkThroughExtract : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp extract, PatternRewriter &rewriter) const override {
    auto source = packedSource(extract.getSource());
    auto type = extract.getType();
    if (!source || type.getRank() != extract.getSourceType().getRank() || type.isDynamicDim(source->second.axis))
      return failure();
    BlockedLayout layout = source->second;
    std::optional<int64_t> offset = getConstantIntValue(extract.getMixedOffsets()[layout.axis]), stride = getConstantIntValue(extract.getMixedStrides()[layout.axis]);
    int64_t channels = type.getDimSize(layout.axis);
    if (!offset || stride != 1 || *offset % layout.block || channels % layout.block || channelBlock(extract->getParentOfType<ModuleOp>(), channels) != layout.block)
      return failure();
    Location loc = extract.getLoc();
    Sizes offsets = extract.getMixedOffsets(), sizes = extract.getMixedSizes(), strides = extract.getMixedStrides();
    offsets[layout.axis] = rewriter.getIndexAttr(*offset / layout.block);
    sizes[layout.axis] = rewriter.getIndexAttr(channels / layout.block);
    Value plain = rewriter.create<tensor::EmptyOp>(loc, extract.getMixedSizes(), type.getElementType());
    offsets.push_back(rewriter.getIndexAttr(0));
    sizes.push_back(rewriter.getIndexAttr(layout.block));
    strides.push_back(rewriter.getIndexAttr(1));
    Value slice = rewriter.create<tensor::ExtractSliceOp>(loc, packedType(type, layout), source->first, offsets, sizes, strides);
    rewriter.replaceOp(extract, unpacked(rewriter, loc, slice, plain, layout));
    return success();
  }
};

} // namespace

LogicalResult chooseLayouts(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet blocking(context);
  blocking.add<BlockConvolution>(context);
  if (failed(applyPatternsAndFoldGreedily(module, std::move(blocking))))
    return failure();
  RewritePatternSet sinking(context);
  sinking.add<SinkThroughConcat, SinkThroughInsert, SinkThroughPool, SinkThroughExtract>(context);
  addRelayoutGenericPatterns(sinking);
  tensor::PackOp::getCanonicalizationPatterns(sinking, context);
  tensor::UnPackOp::getCanonicalizationPatterns(sinking, context);
  FrozenRewritePatternSet frozen(std::move(sinking));
  // In program order: when an op's turn comes, all of its operands are in their final layout.
  SmallVector<Operation *> inOrder;
  module.walk([&](Operation *op) {
    if (isa<tensor::ConcatOp, tensor::InsertSliceOp, tensor::ExtractSliceOp, linalg::GenericOp, KernelOp, tensor::PackOp>(op))
      inOrder.push_back(op);
  });
  GreedyRewriteConfig config;
  config.strictMode = GreedyRewriteStrictness::ExistingOps;
  for (Operation *op : inOrder)
    (void)applyOpPatternsAndFold(op, frozen, config);
  return success();
}

} // namespace sinter
