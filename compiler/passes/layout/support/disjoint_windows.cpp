// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of output o, the tap t reads place o - pad + t of the spread map, which holds element q of the map at q * spread. So
// element q times tap t goes to q * spread + pad - t: the places of a window, backwards. With at most as many taps as
// the spread no two elements meet.
#include "disjoint_windows.h"

#include "blocked_layout.h"

#include "builders/sizes.h"
#include "interpreter/interpreter.h"
#include "ir/spreads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace sinter {
namespace {

/// One spatial dim: elements, what lies between the begins of their windows, taps, and which of the places of all
/// windows are wanted.
struct DisjointAxis {
  int64_t elements, spread, taps, first, wanted;
};

std::optional<SmallVector<DisjointAxis>> disjointAxes(ConvOp conv, tensor::InsertSliceOp insert) {
  RankedTensorType source = insert.getSourceType(), spreadOut = insert.getDestType();
  auto filter = cast<RankedTensorType>(conv.getFilter().getType()),
       output = cast<RankedTensorType>(conv.getInits()[0].getType());
  SmallVector<DisjointAxis> axes;
  for (auto [dim, offset, step] : llvm::enumerate(insert.getMixedOffsets(), insert.getMixedStrides())) {
    auto d = static_cast<int64_t>(dim);
    std::optional<int64_t> low = getConstantIntValue(offset), spread = getConstantIntValue(step);
    if (!low || !spread)
      return std::nullopt;
    if (d < 2) {
      if (*low != 0 || *spread != 1 || source.getDimSize(d) != spreadOut.getDimSize(d))
        return std::nullopt;
      continue;
    }
    int64_t taps = filter.getDimSize(d), elements = source.getDimSize(d), wanted = output.getDimSize(d);
    if (ShapedType::isDynamic(taps) || ShapedType::isDynamic(elements) || ShapedType::isDynamic(wanted) ||
        taps > *spread || conv.getStrides()[d - 2] != 1 || (taps > 1 && conv.getDilations()[d - 2] != 1))
      return std::nullopt;
    int64_t first = taps - 1 - (conv.getPads()[d - 2] + *low);
    if (first < 0 || first + wanted > elements * *spread) // zeros beyond all windows
      return std::nullopt;
    axes.push_back({elements, *spread, taps, first, wanted});
  }
  return axes;
}

/// [m, c, taps...] to [m * taps, c, 1...], the taps of each dim backwards.
Value filterPerTap(OpBuilder &b, Location loc, Value filter, ArrayRef<DisjointAxis> axes) {
  auto type = cast<RankedTensorType>(filter.getType());
  int64_t rank = type.getRank();
  MLIRContext *context = b.getContext();
  SmallVector<int64_t> shape{type.getDimSize(0)};
  SmallVector<AffineExpr> from{b.getAffineDimExpr(0), b.getAffineDimExpr(static_cast<unsigned>(rank - 1))};
  ReassociationIndices filters{0}, channels{rank - 1};
  int64_t taps = 1;
  for (auto [d, axis] : llvm::enumerate(axes)) {
    shape.push_back(axis.taps);
    taps *= axis.taps;
    filters.push_back(static_cast<int64_t>(d) + 1);
    channels.push_back(rank + static_cast<int64_t>(d));
    from.push_back(axis.taps - 1 - b.getAffineDimExpr(static_cast<unsigned>(d) + 1));
  }
  shape.push_back(type.getDimSize(1));
  Type element = type.getElementType();
  Value init = b.create<tensor::EmptyOp>(loc, shape, element);
  AffineMap maps[] = {AffineMap::get(static_cast<unsigned>(rank), 0, from, context),
                      AffineMap::getMultiDimIdentityMap(static_cast<unsigned>(rank), context)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value turned =
      b.create<linalg::GenericOp>(loc, init.getType(), filter, init, maps, loops,
                                  [](OpBuilder &nb, Location l, ValueRange v) { nb.create<linalg::YieldOp>(l, v[0]); })
          .getResult(0);
  ReassociationIndices last{rank - 1};
  Value flat = b.create<tensor::CollapseShapeOp>(loc, turned, ArrayRef<ReassociationIndices>{filters, last});
  SmallVector<int64_t> single{type.getDimSize(0) * taps, type.getDimSize(1)};
  single.append(axes.size(), 1);
  ReassociationIndices ones{1};
  for (int64_t d = 2; d < rank; ++d)
    ones.push_back(d);
  return b.create<tensor::ExpandShapeOp>(loc, RankedTensorType::get(single, element), flat,
                                         ArrayRef<ReassociationIndices>{{0}, ones});
}

/// [n, m * taps, elements...] to [n, m, places...], of which the wanted ones are left.
Value shuffled(OpBuilder &b, Location loc, Value sums, int64_t filters, ArrayRef<DisjointAxis> axes, Value init) {
  auto type = cast<RankedTensorType>(sums.getType());
  auto spatial = static_cast<int64_t>(axes.size());
  Type element = type.getElementType();
  Sizes expanded{dimOf(b, loc, sums, 0), sizeOf(b, filters)}, turned(expanded), spread(expanded), ends(expanded);
  SmallVector<int64_t> order{0, 1};
  SmallVector<ReassociationIndices> apart{{0}, {1}}, together{{0}, {1}};
  bool hasGaps = false, isCut = false;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    auto d = static_cast<int64_t>(i);
    expanded.push_back(sizeOf(b, axis.taps));
    apart[1].push_back(2 + d);
    together.push_back({2 + 2 * d, 3 + 2 * d});
    order.append({2 + spatial + d, 2 + d});
    turned.append({sizeOf(b, axis.elements), sizeOf(b, axis.taps)});
    spread.append({sizeOf(b, axis.elements), sizeOf(b, axis.spread)});
    hasGaps |= axis.taps < axis.spread;
    isCut |= axis.first != 0 || axis.wanted != axis.elements * axis.spread;
  }
  for (auto [d, axis] : llvm::enumerate(axes)) {
    expanded.push_back(sizeOf(b, axis.elements));
    apart.push_back({2 + spatial + static_cast<int64_t>(d)});
  }
  Value parts = b.create<tensor::ExpandShapeOp>(loc, RankedTensorType::get(staticShape(expanded), element), sums, apart,
                                                expanded);
  Value places =
      b.create<linalg::TransposeOp>(loc, parts, b.create<tensor::EmptyOp>(loc, turned, element), order).getResult()[0];
  if (hasGaps) {
    Value zero = b.create<arith::ConstantOp>(loc, b.getZeroAttr(element));
    Value zeros =
        b.create<linalg::FillOp>(loc, zero, Value(b.create<tensor::EmptyOp>(loc, spread, element))).getResult(0);
    Sizes offsets(turned.size(), sizeOf(b, 0)), steps(turned.size(), sizeOf(b, 1));
    places = b.create<tensor::InsertSliceOp>(loc, places, zeros, offsets, turned, steps);
  }
  Value joined = b.create<tensor::CollapseShapeOp>(loc, places, together);
  if (!isCut)
    return joined;
  Sizes offsets(2, sizeOf(b, 0)), steps(2 + spatial, sizeOf(b, 1));
  for (const DisjointAxis &axis : axes)
    offsets.push_back(sizeOf(b, axis.first));
  return b.create<tensor::ExtractSliceOp>(loc, cast<RankedTensorType>(init.getType()), joined, offsets,
                                          dimsOf(b, loc, init), steps);
}

bool fillsVectors(ConvOp conv, const Target &target) {
  auto type = cast<RankedTensorType>(conv.getInits()[0].getType());
  return isa<Float32Type, Float16Type>(type.getElementType()) && conv.getGroup() == 1 &&
         type.getDimSize(1) % target.lanes() == 0;
}

} // namespace

bool shuffleDisjointWindows(ConvOp conv, tensor::InsertSliceOp insert, const Target &target) {
  auto filter = cast<RankedTensorType>(conv.getFilter().getType());
  EvaluationCache cache;
  if (target.isGpu() || target.vectorRegisters == 0 || !isa<FloatType>(filter.getElementType()) ||
      filter.isDynamicDim(0) || filter.isDynamicDim(1) || conv.getLayout() != "nchw" || spreadsOf(conv) ||
      !conv.getEpilogueInputs().empty() || hasFilterPerChannel(conv) || !isConstant(conv.getFilter(), cache) ||
      fillsVectors(conv, target))
    return false;
  std::optional<SmallVector<DisjointAxis>> axes = disjointAxes(conv, insert);
  if (!axes)
    return false;
  OpBuilder b(conv);
  Location loc = conv.getLoc();
  Value init = conv.getInits()[0], source = insert.getSource();
  int64_t filters = filter.getDimSize(0), taps = 1;
  Sizes sizes{dimOf(b, loc, source, 0)};
  for (const DisjointAxis &axis : *axes)
    taps *= axis.taps;
  sizes.push_back(sizeOf(b, filters * taps));
  for (const DisjointAxis &axis : *axes)
    sizes.push_back(sizeOf(b, axis.elements));
  Value sums = b.create<tensor::EmptyOp>(loc, sizes, cast<RankedTensorType>(init.getType()).getElementType());
  Value perTap = filterPerTap(b, loc, conv.getFilter(), *axes);
  SmallVector<int64_t> zeros(axes->size(), 0), ones(axes->size(), 1);
  auto single = cast<ConvOp>(b.clone(*conv));
  single.getInputMutable().assign(source);
  single.getFilterMutable().assign(perTap);
  single.getInitsMutable().assign(sums);
  single->getResult(0).setType(sums.getType());
  single.setPads(zeros);
  single.setDilations(ones);
  conv->getResult(0).replaceAllUsesWith(shuffled(b, loc, single->getResult(0), filters, *axes, init));
  conv.erase();
  return true;
}

} // namespace sinter
