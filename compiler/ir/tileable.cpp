// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions and pools by rows: upstream's TilingInterface. A tile reads the rows that its windows meet; where
// windows hang over the upper border, the tile's padding is a run-time value.
#include "row_window.h"
#include "spreads.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;

namespace sinter {
namespace {

/// Precondition: a maximum on channel blocks takes its padding at run time; the other pools have none.
std::optional<RowWindow> poolWindow(PoolOp pool) {
  if (pool.getWindow().size() < 2 || pool.getRowPad())
    return std::nullopt;
  RowWindow window;
  window.inDim = window.outDim = 2;
  window.stride = pool.getStrides()[0];
  window.extent = (pool.getWindow()[0] - 1) * pool.getDilations()[0] + 1;
  window.pad = pool.getPads()[0];
  window.inputRows = cast<ShapedType>(pool.getInput().getType()).getDimSize(2);
  window.outputRows = cast<ShapedType>(pool.getInits()[0].getType()).getDimSize(2);
  bool takesPad = pool.getKind() == PoolKind::Max && pool.isBlocked();
  return takesPad || window.isInside() ? std::optional(window) : std::nullopt;
}

/// A dim of an operand that a tile takes a part of.
struct TiledDim {
  int64_t dim;
  OpFoldResult offset, size;
};

Value tiledSliceOf(OpBuilder &b, Location loc, Value tensor, ArrayRef<TiledDim> tiled) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), strides(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(b.getContext(), type.getShape());
  for (const TiledDim &part : tiled) {
    offsets[part.dim] = part.offset;
    sizes[part.dim] = part.size;
  }
  return b.create<tensor::ExtractSliceOp>(loc, tensor, offsets, sizes, strides);
}

/// The rows of the input that a tile reads, and the padding above them.
struct InputRows {
  OpFoldResult offset, size, pad;
};

InputRows inputRows(OpBuilder &b, Location loc, const RowWindow &w, OpFoldResult first, OpFoldResult count) {
  AffineExpr o, n;
  bindDims(b.getContext(), o, n);
  auto constant = [&](int64_t value) { return getAffineConstantExpr(value, b.getContext()); };
  auto apply = [&](AffineExpr expr) { return affine::makeComposedFoldedAffineApply(b, loc, expr, {first, count}); };
  auto pick = [&](auto make, AffineExpr x, AffineExpr y) {
    return make(b, loc, AffineMap::get(2, 0, {x, y}, b.getContext()), ArrayRef<OpFoldResult>{first, count});
  };
  AffineExpr begin = o * w.stride - w.pad;
  if (w.isInside())
    return {apply(begin), apply((n - 1) * w.stride + w.extent), b.getIndexAttr(0)};
  OpFoldResult low = w.pad == 0 ? apply(begin) : pick(affine::makeComposedFoldedAffineMax, begin, constant(0));
  OpFoldResult high =
      pick(affine::makeComposedFoldedAffineMin, begin + (n - 1) * w.stride + w.extent, constant(w.inputRows));
  OpFoldResult size = affine::makeComposedFoldedAffineApply(b, loc, n - o, {low, high});
  OpFoldResult pad =
      w.pad == 0 ? OpFoldResult(b.getIndexAttr(0)) : pick(affine::makeComposedFoldedAffineMax, -begin, constant(0));
  return {low, size, pad};
}

template <class Model, class OpTy>
struct TilingByRows : TilingInterface::ExternalModel<Model, OpTy> {
  static Value initOf(Operation *op) { return cast<OpTy>(op).getInits()[0]; }

  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return SmallVector<utils::IteratorType>(cast<ShapedType>(initOf(op).getType()).getRank(),
                                            utils::IteratorType::parallel);
  }
  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    SmallVector<Range> domain;
    for (OpFoldResult size : tensor::getMixedSizes(b, op->getLoc(), initOf(op)))
      domain.push_back({b.getIndexAttr(0), size, b.getIndexAttr(1)});
    return domain;
  }
  LogicalResult getResultTilePosition(Operation *, OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
                                      SmallVector<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
    return success();
  }
  LogicalResult getIterationDomainTileFromResultTile(Operation *, OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                                     ArrayRef<OpFoldResult> sizes,
                                                     SmallVectorImpl<OpFoldResult> &domainOffsets,
                                                     SmallVectorImpl<OpFoldResult> &domainSizes) const {
    domainOffsets.assign(offsets.begin(), offsets.end());
    domainSizes.assign(sizes.begin(), sizes.end());
    return success();
  }
  FailureOr<TilingResult> generateResultTileValue(Operation *op, OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,
                                                  ArrayRef<OpFoldResult> sizes) const {
    return getTiledImplementation(op, b, offsets, sizes);
  }
  /// Precondition: only batch and rows are tiled.
  FailureOr<TilingResult> getTiledImplementation(Operation *op, OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) const {
    std::optional<RowWindow> window = rowWindowOf(op);
    if (!window)
      return failure();
    auto type = cast<RankedTensorType>(initOf(op).getType());
    SmallVector<TiledDim> tiled;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (isConstantIntValue(offsets[d], 0) && getConstantIntValue(sizes[d]) == type.getDimSize(d))
        continue;
      if (d != 0 && d != window->outDim)
        return failure();
      tiled.push_back({d, offsets[d], sizes[d]});
    }
    InputRows rows = inputRows(b, op->getLoc(), *window, offsets[window->outDim], sizes[window->outDim]);
    SmallVector<TiledDim> tiledInput{{0, offsets[0], sizes[0]}, {window->inDim, rows.offset, rows.size}};
    Operation *tile = Model::tile(cast<OpTy>(op), b, tiled, tiledInput, rows.pad);
    if (!tile)
      return failure();
    return TilingResult{{tile}, SmallVector<Value>(tile->getResults())};
  }
};

struct ConvTiling : TilingByRows<ConvTiling, ConvOp> {
  static Operation *tile(ConvOp conv, OpBuilder &b, ArrayRef<TiledDim> tiled, ArrayRef<TiledDim> tiledInput,
                         OpFoldResult pad) {
    Location loc = conv.getLoc();
    SmallVector<Value> epilogueInputs;
    for (auto [value, map] :
         llvm::zip_equal(conv.getEpilogueInputs(), conv.getEpilogueMaps().getAsValueRange<AffineMapAttr>())) {
      std::optional<SmallVector<TiledDim>> parts = partsOf(map, tiled);
      if (!parts)
        return nullptr;
      epilogueInputs.push_back(parts->empty() ? value : tiledSliceOf(b, loc, value, *parts));
    }
    Value input = tiledSliceOf(b, loc, conv.getInput(), tiledInput),
          init = tiledSliceOf(b, loc, conv.getInits()[0], tiled);
    Value phase = phaseOf(conv, b, tiled);
    auto tile = cast<ConvOp>(b.clone(*conv));
    tile.getInputMutable().assign(input);
    tile.getEpilogueInputsMutable().assign(epilogueInputs);
    tile.getInitsMutable().assign(init);
    tile->getResult(0).setType(init.getType());
    SmallVector<int64_t> pads(tile.getPads());
    pads[0] = getConstantIntValue(pad).value_or(0);
    tile.setPads(pads);
    if (auto value = llvm::dyn_cast_if_present<Value>(pad))
      tile.getRowPadMutable().assign(value);
    if (phase)
      tile.getRowPhaseMutable().assign(phase);
    return tile;
  }

  /// Where rows are computed together: the place of the tile's first one among them, if it is not the first.
  static Value phaseOf(ConvOp conv, OpBuilder &b, ArrayRef<TiledDim> tiled) {
    int64_t together = conv.getKernelAttr() ? conv.getKernelAttr().number("rows_together", 1) : 1;
    const auto *rows = llvm::find_if(tiled, [&](const TiledDim &part) { return part.dim == conv.firstSpatialOut(); });
    if (together == 1 || rows == tiled.end())
      return {};
    AffineExpr first = b.getAffineDimExpr(0);
    OpFoldResult phase = affine::makeComposedFoldedAffineApply(b, conv.getLoc(), first % together, {rows->offset});
    return isConstantIntValue(phase, 0) ? Value() : getValueOrCreateConstantIndexOp(b, conv.getLoc(), phase);
  }

  /// The parts of an epilogue input for a tile of the output. Precondition: a tiled dim is read by its own coordinate.
  static std::optional<SmallVector<TiledDim>> partsOf(AffineMap map, ArrayRef<TiledDim> tiled) {
    SmallVector<TiledDim> parts;
    for (const TiledDim &part : tiled)
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        if (!expr.isFunctionOfDim(part.dim))
          continue;
        if (!isa<AffineDimExpr>(expr))
          return std::nullopt;
        parts.push_back({static_cast<int64_t>(dim), part.offset, part.size});
      }
    return parts;
  }
};

struct PoolTiling : TilingByRows<PoolTiling, PoolOp> {
  static Operation *tile(PoolOp pool, OpBuilder &b, ArrayRef<TiledDim> tiled, ArrayRef<TiledDim> tiledInput,
                         OpFoldResult pad) {
    Location loc = pool.getLoc();
    Value input = tiledSliceOf(b, loc, pool.getInput(), tiledInput);
    Value rowPad = pool.getPads()[0] != 0 ? getValueOrCreateConstantIndexOp(b, loc, pad) : Value();
    Value init = tiledSliceOf(b, loc, pool.getInits()[0], tiled);
    auto tile = cast<PoolOp>(b.clone(*pool));
    tile.getInputMutable().assign(input);
    if (rowPad)
      tile.getRowPadMutable().assign(rowPad);
    tile.getInitsMutable().assign(init);
    tile->getResult(0).setType(init.getType());
    return tile;
  }
};

} // namespace

std::optional<RowWindow> rowWindowOf(Operation *op) {
  if (!isa<PoolOp, ConvOp>(op)) // others may have ten thousand operands
    return std::nullopt;
  auto isStatic = [](Value value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    return type && type.hasStaticShape();
  };
  if (!llvm::all_of(op->getOperands(),
                    [&](Value value) { return !isa<ShapedType>(value.getType()) || isStatic(value); }))
    return std::nullopt;
  if (auto pool = dyn_cast<PoolOp>(op))
    return poolWindow(pool);
  auto conv = cast<ConvOp>(op);
  if (conv.getStrides().size() < 2 || conv.getRowPad() || spreadsOf(conv) || conv.getInits().empty() ||
      conv.getEpilogue().front().getTerminator()->getNumOperands() != 1) // inits behind it are scratch
    return std::nullopt;
  RowWindow window;
  window.inDim = conv.firstSpatialIn();
  window.outDim = conv.firstSpatialOut();
  window.stride = conv.getStrides()[0];
  window.extent = (conv.taps(0) - 1) * conv.getDilations()[0] + 1;
  window.pad = conv.getPads()[0];
  window.inputRows = cast<ShapedType>(conv.getInput().getType()).getDimSize(window.inDim);
  window.outputRows = cast<ShapedType>(conv.getInits()[0].getType()).getDimSize(window.outDim);
  return window;
}

void registerTilingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, SinterDialect *) {
    ConvOp::attachInterface<ConvTiling>(*context);
    PoolOp::attachInterface<PoolTiling>(*context);
  });
}

} // namespace sinter
