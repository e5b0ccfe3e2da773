// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each step becomes its tile (upstream's TilingInterface; ir/tileable.cpp) for the rows that are new in a row tile. A
// tile is cut out of whole feature maps; those of the segment's own steps are then replaced by windows, whose first row
// is TileRows::low. A window that keeps rows is carried by the loop: its last rows move up
// (templates/maps/slide_rows.h) before new ones come in behind them.
#include "row_tile_loop.h"

#include "ir/bands.h"
#include "ir/dialect.h"
#include "ir/work.h"
#include "tile_rows_ir.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;

namespace sinter {
namespace {

class RowTileLoop {
public:
  RowTileLoop(ArrayRef<ChainStep> chain, const Segment &segment)
      : chain(chain), segment(segment), last(chain[segment.last]), tiles(rowsOfTiles(chain, segment)),
        loc(last.op->getLoc()), rewriter(last.op) {}

  LogicalResult make(StringRef why) {
    Value output = cast<DestinationStyleOpInterface>(last.op).getDpsInits()[0];
    FailureOr<Value> made = segment.bands > 1 ? bands(output, why) : band(output, why, Value());
    if (failed(made))
      return failure();
    rewriter.replaceOp(last.op, *made);
    for (size_t i = segment.last; i-- > segment.first;)
      rewriter.eraseOp(chain[i].op);
    return success();
  }

private:
  Value index(int64_t value) { return rewriter.create<arith::ConstantIndexOp>(loc, value); }

  int64_t rowsOfBand() const { return segment.tilesOfBand() * segment.rows; }

  FailureOr<Value> bands(Value output, StringRef why) {
    auto loop = rewriter.create<scf::ForOp>(loc, index(0), index(segment.bands), index(1), output);
    setBands(loop);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    FailureOr<Value> made = band(loop.getRegionIterArgs()[0], why, loop.getInductionVar());
    if (failed(made))
      return failure();
    rewriter.setInsertionPointToEnd(loop.getBody());
    rewriter.create<scf::YieldOp>(loc, *made);
    return loop.getResult(0);
  }

  /// The tiles of all rows, or of the band with this number.
  FailureOr<Value> band(Value output, StringRef why, Value number) {
    SmallVector<Value> carried = {output};
    SmallVector<size_t> carriers;
    for (size_t i = segment.first; i < segment.last; ++i)
      if (keepsRows(i)) {
        carriers.push_back(i);
        carried.push_back(emptyWindow(i));
      }
    // Of one band the variable is the row that a tile begins with; of several, counted from the band's first row.
    Value from = index(number ? 0 : -segment.lead * segment.rows), to = index(number ? rowsOfBand() : last.rows);
    AffineExpr d0 = rewriter.getAffineDimExpr(0), d1 = rewriter.getAffineDimExpr(1);
    if (number && segment.tiles < segment.bands * segment.tilesOfBand()) // the last band is shorter
      to = getValueOrCreateConstantIndexOp(
          rewriter, loc,
          affine::makeComposedFoldedAffineMin(
              rewriter, loc,
              AffineMap::get(1, 0, {rewriter.getAffineConstantExpr(rowsOfBand()), last.rows - d0 * rowsOfBand()},
                             rewriter.getContext()),
              OpFoldResult(number)));
    auto loop = rewriter.create<scf::ForOp>(loc, from, to, index(segment.rows), carried);
    loop->setAttr("sinter.row_tiles", rewriter.getStringAttr(why));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    OpFoldResult begin = loop.getInductionVar(), since = begin;
    if (number)
      begin = affine::makeComposedFoldedAffineApply(rewriter, loc, d0 * rowsOfBand() + d1, {number, since});
    else if (segment.lead)
      since = affine::makeComposedFoldedAffineApply(rewriter, loc, d0 + segment.lead * segment.rows, {begin});
    TileRowsIR rows(rewriter, loc, chain, segment, tiles, begin, since);
    for (auto [i, window] : llvm::zip(carriers, loop.getRegionIterArgs().drop_front()))
      windows[i] = slid(i, window, rows);
    Value result;
    for (size_t i = segment.first; i <= segment.last; ++i) {
      FailureOr<Value> made = tile(i, rows, loop.getRegionIterArgs()[0]);
      if (failed(made))
        return chain[i].op->emitOpError("cannot be computed in tiles");
      result = *made;
    }
    SmallVector<Value> yielded = {result};
    for (size_t i : carriers)
      yielded.push_back(windows[i]);
    rewriter.create<scf::YieldOp>(loc, yielded);
    // What the tiles were cut from.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
      if (isOpTriviallyDead(&op))
        rewriter.eraseOp(&op);
    return loop.getResult(0);
  }

private:
  /// Whether any row of step i stays in its window from one tile to the next.
  bool keepsRows(size_t i) const {
    return llvm::any_of(tiles, [&](const std::vector<TileRows> &tile) {
      return tile[i - segment.first].first > tile[i - segment.first].low;
    });
  }

  /// That any tile computes of step i.
  int64_t mostRows(size_t i) const {
    int64_t rows = 0;
    for (const std::vector<TileRows> &tile : tiles)
      rows = std::max(rows, tile[i - segment.first].end - tile[i - segment.first].first);
    return rows;
  }

  Value emptyWindow(size_t i) {
    int64_t rows = 0;
    for (const std::vector<TileRows> &tile : tiles)
      rows = std::max(rows, tile[i - segment.first].end - tile[i - segment.first].low);
    auto type = cast<RankedTensorType>(chain[i].op->getResult(0).getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[chain[i].rowsDim] = rows;
    return rewriter.create<tensor::EmptyOp>(loc, shape, type.getElementType());
  }

  Value slid(size_t i, Value window, TileRowsIR &rows) {
    Value operands[] = {getValueOrCreateConstantIndexOp(rewriter, loc, rows.shift(i)),
                        getValueOrCreateConstantIndexOp(rewriter, loc, rows.kept(i))};
    NamedAttribute dim = rewriter.getNamedAttr("dim", rewriter.getI64IntegerAttr(chain[i].rowsDim));
    auto slide = rewriter.create<KernelOp>(loc, window.getType(), "slide_rows", operands, window,
                                           rewriter.getDictionaryAttr(dim), "");
    slide->setAttr("updates", rewriter.getUnitAttr());
    return slide->getResult(0);
  }

  /// Rows first .. of `map`, as `like` cuts its other dims.
  tensor::ExtractSliceOp cut(tensor::ExtractSliceOp like, Value map, int64_t rowsDim, OpFoldResult first) {
    SmallVector<OpFoldResult> offsets = like.getMixedOffsets();
    offsets[rowsDim] = first;
    return rewriter.create<tensor::ExtractSliceOp>(loc, like.getType(), map, offsets, like.getMixedSizes(),
                                                   like.getMixedStrides());
  }

  /// The rows of step i that are new in this tile: computed, and put where its readers look for them.
  FailureOr<Value> tile(size_t i, TileRowsIR &rows, Value output) {
    const ChainStep &step = chain[i];
    auto tiling = cast<TilingInterface>(step.op);
    SmallVector<OpFoldResult> offsets, sizes;
    for (const Range &range : tiling.getIterationDomain(rewriter)) {
      offsets.push_back(range.offset);
      sizes.push_back(range.size);
    }
    offsets[step.rowsDim] = rows.first(i);
    sizes[step.rowsDim] = rows.count(i);
    auto tiled = tiling.getTiledImplementation(rewriter, offsets, sizes);
    if (failed(tiled) || tiled->tiledOps.size() != 1)
      return failure();
    auto op = cast<DestinationStyleOpInterface>(tiled->tiledOps[0]);
    if (int64_t macs = Work().macsOf(step.op))
      op->setAttr("macs_of_map", rewriter.getI64IntegerAttr(macs)); // rows of a tile have no size to count by
    if (auto conv = dyn_cast<ConvOp>(op.getOperation()); conv && !getConstantIntValue(sizes[step.rowsDim]))
      conv.setMostRows(mostRows(i));
    rewriter.setInsertionPoint(op);
    for (OpOperand *operand : op.getDpsInputOperands())
      if (failed(readWindow(*operand, rows)))
        return failure();
    if (step.isReduction) { // all of the output, in each tile
      op.getDpsInitsMutable()[0].assign(output);
      rewriter.setInsertionPointAfter(op);
      return Value(op->getResult(0));
    }
    auto init = op.getDpsInits()[0].getDefiningOp<tensor::ExtractSliceOp>();
    if (!init)
      return failure();
    bool isLast = i == segment.last;
    if (!isLast && !windows.contains(i))
      windows[i] = emptyWindow(i);
    Value target = isLast ? output : windows[i];
    auto place = cut(init, target, step.rowsDim, isLast ? rows.first(i) : rows.kept(i));
    op.getDpsInitsMutable()[0].assign(place);
    rewriter.setInsertionPointAfter(op);
    Value joined = rewriter.create<tensor::InsertSliceOp>(loc, op->getResult(0), target, place.getMixedOffsets(),
                                                          place.getMixedSizes(), place.getMixedStrides());
    if (!isLast)
      windows[i] = joined;
    return joined;
  }

  LogicalResult readWindow(OpOperand &operand, TileRowsIR &rows) {
    for (size_t i = segment.first; i < segment.last; ++i) {
      Value whole = chain[i].op->getResult(0);
      if (operand.get() == whole)
        return failure(); // all rows at once
      auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || slice.getSource() != whole)
        continue;
      AffineExpr d0 = rewriter.getAffineDimExpr(0), d1 = rewriter.getAffineDimExpr(1);
      OpFoldResult first = affine::makeComposedFoldedAffineApply(
          rewriter, loc, d0 - d1, {slice.getMixedOffsets()[chain[i].rowsDim], rows.low(i)});
      if (chain[i].readers.size() == 1)
        first = rewriter.getIndexAttr(0); // the window begins with what its only reader reads first
      operand.set(cut(slice, windows[i], chain[i].rowsDim, first));
    }
    return success();
  }

  ArrayRef<ChainStep> chain;
  const Segment &segment;
  const ChainStep &last;
  const std::vector<std::vector<TileRows>> tiles;
  Location loc;
  IRRewriter rewriter;
  DenseMap<size_t, Value> windows; ///< by step, as they are at this point of the body
};

} // namespace

LogicalResult makeRowTileLoop(ArrayRef<ChainStep> chain, const Segment &segment, StringRef why) {
  return RowTileLoop(chain, segment).make(why);
}

} // namespace sinter
