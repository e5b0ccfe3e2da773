// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop nest over an unpacked feature map works on the packed one: its channel loop is split in two, the block's part
// innermost. Operands whose index uses the channel loop alone are read packed (feature maps) or through a free
// expand_shape (per-channel vectors).
//
// Precondition: one result; the channel loop is parallel, runs over whole blocks (a nest that reads by coordinates may
// take some of the channels), and appears in each operand's map only as a result of its own, so that splitting it keeps
// every map a projected permutation.
#include "relayout.h"

#include "blocked_layout.h"

#include "builders/sizes.h"
#include "ir/value_names.h"

using namespace mlir;

namespace sinter {
namespace {

/// Position of loop `loop` among the map's results; -1 if unused; nothing if it is part of a compound expression.
std::optional<int64_t> positionOf(AffineMap map, unsigned loop) {
  int64_t position = -1;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (expr == getAffineDimExpr(loop, map.getContext())) {
      if (position >= 0)
        return std::nullopt;
      position = static_cast<int64_t>(i);
    } else if (expr.isFunctionOfDim(loop)) {
      return std::nullopt;
    }
  }
  return position;
}

/// [.., c, ..] seen as [.., c/b, b, ..].
Value expandChannel(OpBuilder &builder, Location loc, Value x, int64_t axis, int64_t block) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  Sizes sizes = dimsOf(builder, loc, x), expanded;
  for (int64_t d = 0, next = 0; d < type.getRank(); ++d) {
    groups.push_back({next++});
    if (d != axis) {
      shape.push_back(type.getDimSize(d));
      expanded.push_back(sizes[d]);
      continue;
    }
    groups.back().push_back(next++);
    shape.append({type.getDimSize(d) / block, block});
    expanded.append({builder.getIndexAttr(type.getDimSize(d) / block), builder.getIndexAttr(block)});
  }
  return builder.create<tensor::ExpandShapeOp>(loc, RankedTensorType::get(shape, type.getElementType()), x, groups,
                                               expanded);
}

struct RelayoutGeneric : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op.getNumDpsInits() != 1)
      return failure();
    std::optional<std::pair<BlockedLayout, unsigned>> found = channelLoop(op);
    if (!found)
      return failure();
    auto [layout, loop] = *found;
    int64_t channels = op.getStaticLoopRanges()[loop];
    if (ShapedType::isDynamic(channels) || channels % layout.block != 0)
      return failure();
    OpOperand *init = op.getDpsInitOperand(0);
    std::optional<int64_t> outAxis = positionOf(op.getMatchingIndexingMap(init), loop);
    if (!outAxis || *outAxis < 0)
      return failure();
    for (OpOperand &operand : op->getOpOperands())
      if (!positionOf(op.getMatchingIndexingMap(&operand), loop))
        return failure();
    // Reads by coordinates must go to feature maps at the channel loop's own index.
    SmallVector<tensor::ExtractOp> extracts;
    if (!extractsFit(op, loop, layout, extracts) || (extracts.empty() && onlyVectorsArePacked(op)))
      return failure();

    Location loc = op.getLoc();
    unsigned loops = op.getNumLoops();
    MLIRContext *context = op.getContext();
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    auto remap = [&](AffineMap map, int64_t position, bool blockLast) {
      SmallVector<AffineExpr> results(map.getResults());
      if (position >= 0)
        results.insert(blockLast ? results.end() : results.begin() + position + 1, getAffineDimExpr(loops, context));
      maps.push_back(AffineMap::get(loops + 1, 0, results, context));
    };
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      int64_t position = *positionOf(map, loop);
      auto source = packedSource(operand->get());
      bool fits = source && position == source->second.axis && source->second.block == layout.block;
      // A plain feature map is packed by a copy: read in place, its lanes would be far apart.
      bool packs = position >= 0 && (fits || map.getNumResults() == loops);
      BlockedLayout own{position, layout.block};
      inputs.push_back(position < 0 ? operand->get()
                       : packs      ? packed(rewriter, loc, operand->get(), own)
                                    : expandChannel(rewriter, loc, operand->get(), position, layout.block));
      remap(map, position, packs);
    }
    BlockedLayout outLayout{*outAxis, layout.block};
    Value newInit = packedInit(rewriter, loc, init->get(), outLayout);
    if (!newInit)
      return failure();
    remap(op.getMatchingIndexingMap(init), *outAxis, true);
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    iterators.push_back(utils::IteratorType::parallel);

    auto generic = rewriter.create<linalg::GenericOp>(loc, newInit.getType(), inputs, newInit, maps, iterators);
    rewriter.inlineRegionBefore(op.getRegion(), generic.getRegion(), generic.getRegion().begin());
    splitCoordinates(rewriter, generic, loop, loops, layout);
    Value plain = rewriter.create<tensor::EmptyOp>(loc, dimsOf(rewriter, loc, init->get()),
                                                   cast<RankedTensorType>(init->get().getType()).getElementType());
    rewriter.replaceOp(op, unpacked(rewriter, loc, generic.getResult(0), plain, outLayout));
    return success();
  }

private:
  /// The layout of the first packed operand and the parallel loop that runs over its channels.
  static std::optional<std::pair<BlockedLayout, unsigned>> channelLoop(linalg::GenericOp op) {
    for (OpOperand *operand : op.getDpsInputOperands())
      if (auto source = packedSource(operand->get())) {
        auto dim = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(operand).getResult(source->second.axis));
        if (dim && op.getIteratorTypesArray()[dim.getPosition()] == utils::IteratorType::parallel)
          return std::make_pair(source->second, dim.getPosition());
        return std::nullopt;
      }
    std::optional<std::pair<BlockedLayout, unsigned>> found;
    op.getBody()->walk([&](tensor::ExtractOp extract) {
      auto source = packedSource(extract.getTensor());
      if (!source || found)
        return;
      if (auto index = extract.getIndices()[source->second.axis].getDefiningOp<linalg::IndexOp>())
        if (op.getIteratorTypesArray()[index.getDim()] == utils::IteratorType::parallel)
          found = {source->second, static_cast<unsigned>(index.getDim())};
    });
    return found;
  }

  /// Are whole maps plain and only what all places share is packed, as the factors of squeeze and excite are where the
  /// map is what the model is given? Such factors are cheaper to unpack than a map is to pack. Who packs the map or the
  /// result anyway decides otherwise.
  static bool onlyVectorsArePacked(linalg::GenericOp op) {
    auto isPackedAnyway = [](Value value) {
      return llvm::any_of(value.getUsers(), [](Operation *user) { return isa<tensor::PackOp>(user); });
    };
    bool readsPlainMap = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (getUnusedDimsBitVector({op.getMatchingIndexingMap(operand)}).any())
        continue;
      if (packedSource(operand->get()) || isPackedAnyway(operand->get()))
        return false;
      readsPlainMap = true;
    }
    return readsPlainMap && !isPackedAnyway(op.getResult(0));
  }

  static bool extractsFit(linalg::GenericOp op, unsigned loop, BlockedLayout layout,
                          SmallVectorImpl<tensor::ExtractOp> &extracts) {
    bool fits = true;
    op.getBody()->walk([&](tensor::ExtractOp extract) {
      auto source = packedSource(extract.getTensor());
      if (!source)
        return;
      auto index = extract.getIndices()[source->second.axis].getDefiningOp<linalg::IndexOp>();
      fits &= source->second == layout && index && index.getDim() == loop;
      extracts.push_back(extract);
    });
    return fits;
  }

  /// The init in packed form: empty or filled inits are made anew.
  static Value packedInit(OpBuilder &builder, Location loc, Value init, BlockedLayout layout) {
    Value empty = emptyPacked(builder, loc, init, layout);
    if (init.getDefiningOp<tensor::EmptyOp>())
      return empty;
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      return builder.create<linalg::FillOp>(withoutValueNames(loc), fill.getInputs()[0], empty).getResult(0);
    return nullptr;
  }

  /// In the body: the channel's coordinate is outer * block + inner; reads of packed feature maps take both.
  static void splitCoordinates(PatternRewriter &rewriter, linalg::GenericOp op, unsigned loop, unsigned inner,
                               BlockedLayout layout) {
    SmallVector<linalg::IndexOp> coordinates;
    SmallVector<tensor::ExtractOp> extracts;
    op.getBody()->walk([&](Operation *o) {
      if (auto index = dyn_cast<linalg::IndexOp>(o); index && index.getDim() == loop)
        coordinates.push_back(index);
      if (auto extract = dyn_cast<tensor::ExtractOp>(o); extract && packedSource(extract.getTensor()))
        extracts.push_back(extract);
    });
    OpBuilder::InsertionGuard guard(rewriter); // what replaces the nest stands behind it, not in its body
    for (tensor::ExtractOp extract : extracts) {
      auto [source, own] = *packedSource(extract.getTensor());
      rewriter.setInsertionPoint(extract);
      SmallVector<Value> at(extract.getIndices());
      at[own.axis] = rewriter.create<linalg::IndexOp>(extract.getLoc(), loop);
      at.push_back(rewriter.create<linalg::IndexOp>(extract.getLoc(), inner));
      rewriter.replaceOpWithNewOp<tensor::ExtractOp>(extract, source, at);
    }
    for (linalg::IndexOp coordinate : coordinates) {
      rewriter.setInsertionPointAfter(coordinate);
      if (coordinate->use_empty())
        continue;
      Value block = rewriter.create<linalg::IndexOp>(coordinate.getLoc(), inner);
      AffineExpr whole = rewriter.getAffineDimExpr(0) * layout.block + rewriter.getAffineDimExpr(1);
      auto joined = rewriter.create<affine::AffineApplyOp>(coordinate.getLoc(), AffineMap::get(2, 0, whole),
                                                           ValueRange{coordinate, block});
      rewriter.replaceAllUsesExcept(coordinate, joined, joined);
    }
  }
};

} // namespace

void addRelayoutGenericPatterns(RewritePatternSet &patterns) { patterns.add<RelayoutGeneric>(patterns.getContext()); }

} // namespace sinter
