// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs and unpacks that layout choice could not cancel become a reshape (free) and a transpose (a copy that fuses with
// its neighbours).
#include "passes/passes.h"

#include "passes/layout/support/blocked_layout.h"

#include "builders/sizes.h"
#include "ir/value_names.h"

using namespace mlir;

namespace sinter {
namespace {

/// [n, c, h, w] as [n, c/b, b, h, w]: type, groups and sizes.
struct Expanded {
  RankedTensorType type;
  SmallVector<ReassociationIndices> groups;
  Sizes sizes;
};

Expanded expandedForm(OpBuilder &builder, Location loc, Value plain, BlockedLayout layout) {
  Expanded form;
  auto type = cast<RankedTensorType>(plain.getType());
  for (auto [d, size] : llvm::enumerate(dimsOf(builder, loc, plain))) {
    int64_t next = form.sizes.size();
    if (static_cast<int64_t>(d) == layout.axis) {
      form.groups.push_back({next, next + 1});
      form.sizes.append({floorDiv(builder, loc, size, layout.block), sizeOf(builder, layout.block)});
    } else {
      form.groups.push_back({next});
      form.sizes.push_back(size);
    }
  }
  form.type = RankedTensorType::get(staticShape(form.sizes), type.getElementType());
  return form;
}

/// Order of the packed dims in terms of the expanded ones: the block moves from behind its dim to the end.
SmallVector<int64_t> packedOrder(int64_t rank, BlockedLayout layout) {
  SmallVector<int64_t> order;
  for (int64_t d = 0; d <= rank; ++d)
    if (d != layout.axis + 1)
      order.push_back(d);
  order.push_back(layout.axis + 1);
  return order;
}

struct LowerPack : OpRewritePattern<tensor::PackOp> {
  LowerPack(MLIRContext *context, const Target &target, Fit fit)
      : OpRewritePattern(context), target(target), fit(fit) {}

  /// What an elementwise op makes for a pack of all channels into one block, it can write channels-last itself; a
  /// caller's buffer is read by one that only copies, so that it can be part of a loop over row tiles.
  /// Preconditions: no other reader, and the op writes each element where its loops stand.
  LogicalResult writeInOrder(tensor::PackOp pack, BlockedLayout layout, PatternRewriter &rewriter) const {
    auto generic = pack.getSource().getDefiningOp<linalg::GenericOp>();
    if (pack.getSource().getDefiningOp<bufferization::ToTensorOp>() && layout.block > 1 && layout.axis == 1 &&
        pack.getSourceType().getDimSize(1) == layout.block)
      generic = copyOf(pack, rewriter);
    if (!generic || turnsInVectors(generic) || !generic->hasOneUse() || generic.getNumDpsInits() != 1 ||
        generic.getNumReductionLoops() || !generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)).isIdentity() ||
        !generic.getMatchingBlockArgument(generic.getDpsInitOperand(0)).use_empty() || generic.hasIndexSemantics() ||
        layout.axis != 1 || pack.getSourceType().getDimSize(1) != layout.block)
      return failure();
    // Loops [n, c, h, w] become [n, 1, h, w, c], as the result is: where the old ones are among the new.
    MLIRContext *context = rewriter.getContext();
    unsigned rank = static_cast<unsigned>(pack.getSourceRank());
    SmallVector<AffineExpr> loops;
    for (unsigned d = 0; d < rank; ++d)
      loops.push_back(getAffineDimExpr(d == static_cast<unsigned>(layout.axis) ? rank : d, context));
    SmallVector<AffineMap> maps;
    for (AffineMap map : generic.getIndexingMapsArray())
      maps.push_back(map.replaceDimsAndSymbols(loops, {}, rank + 1, 0));
    maps.back() = AffineMap::getMultiDimIdentityMap(rank + 1, context);
    SmallVector<utils::IteratorType> iterators(rank + 1, utils::IteratorType::parallel);
    rewriter.setInsertionPoint(pack);
    auto written = rewriter.create<linalg::GenericOp>(generic.getLoc(), pack.getDestType(), generic.getDpsInputs(),
                                                      pack.getDest(), maps, iterators);
    rewriter.inlineRegionBefore(generic.getRegion(), written.getRegion(), written.getRegion().begin());
    noteBlocks(written.getResult(0), static_cast<unsigned>(layout.axis), layout.block);
    rewriter.replaceOp(pack, written);
    rewriter.eraseOp(generic);
    return success();
  }

  /// Arithmetic whose lanes run along rows, and a turn of bytes behind it (templates/maps/interleave.h), are both in
  /// vectors; one loop that reads rows and writes channels would be in none. On targets without, and where memory
  /// counts, it is the shorter way.
  bool turnsInVectors(linalg::GenericOp generic) const {
    return target.byteKernels == ByteKernels::Dot4 && fit != Fit::Ram &&
           !generic.getBody()->without_terminator().empty() &&
           getElementTypeOrSelf(generic.getResult(0).getType()).isInteger(8);
  }

  static linalg::GenericOp copyOf(tensor::PackOp pack, PatternRewriter &rewriter) {
    Location loc = pack.getLoc();
    RankedTensorType type = pack.getSourceType();
    AffineMap identity =
        AffineMap::getMultiDimIdentityMap(static_cast<unsigned>(type.getRank()), rewriter.getContext());
    Value init = rewriter.create<tensor::EmptyOp>(loc, dimsOf(rewriter, loc, pack.getSource()), type.getElementType());
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    auto copy = rewriter.create<linalg::GenericOp>(
        loc, type, pack.getSource(), init, ArrayRef{identity, identity}, loops,
        [](OpBuilder &b, Location l, ValueRange v) { b.create<linalg::YieldOp>(l, v[0]); });
    pack.getSourceMutable().assign(copy.getResult(0));
    return copy;
  }

  LogicalResult matchAndRewrite(tensor::PackOp pack, PatternRewriter &rewriter) const override {
    if (pack.getInnerDimsPos().size() != 1 || ShapedType::isDynamic(pack.getStaticInnerTiles()[0]) ||
        pack.getPaddingValue())
      return failure();
    BlockedLayout layout{pack.getInnerDimsPos()[0], pack.getStaticInnerTiles()[0]};
    Location loc = pack.getLoc();
    if (succeeded(writeInOrder(pack, layout, rewriter)))
      return success();
    Expanded form = expandedForm(rewriter, loc, pack.getSource(), layout);
    Value expanded = rewriter.create<tensor::ExpandShapeOp>(loc, form.type, pack.getSource(), form.groups, form.sizes);
    auto order = packedOrder(pack.getSourceRank(), layout);
    rewriter.replaceOp(pack, rewriter.create<linalg::TransposeOp>(loc, expanded, pack.getDest(), order).getResult());
    return success();
  }

  const Target &target;
  Fit fit;
};

struct LowerUnpack : OpRewritePattern<tensor::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::UnPackOp unpack, PatternRewriter &rewriter) const override {
    std::optional<BlockedLayout> layout = layoutOf(unpack);
    if (!layout)
      return failure();
    Location loc = unpack.getLoc();
    Expanded form = expandedForm(rewriter, loc, unpack.getDest(), *layout);
    SmallVector<int64_t> order = packedOrder(unpack.getDestRank(), *layout);
    SmallVector<int64_t> back(order.size());
    for (auto [i, d] : llvm::enumerate(order))
      back[d] = i;
    // A block at the end of its own dim (a vector of channels) needs no move.
    Value moved = unpack.getSource();
    if (!llvm::equal(back, llvm::seq<int64_t>(0, back.size()))) {
      Value init = rewriter.create<tensor::EmptyOp>(loc, form.sizes, form.type.getElementType());
      moved = rewriter.create<linalg::TransposeOp>(loc, moved, init, back).getResult()[0];
    }
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(unpack, cast<RankedTensorType>(unpack.getDest().getType()),
                                                         moved, form.groups);
    return success();
  }
};

} // namespace

LogicalResult lowerLayouts(ModuleOp module, const Target &target, Fit fit) {
  RewritePatternSet patterns(module.getContext());
  patterns.add<LowerPack>(module.getContext(), target, fit);
  patterns.add<LowerUnpack>(module.getContext());
  return applyPatternsAndFoldGreedily(module, std::move(patterns));
}

} // namespace sinter
