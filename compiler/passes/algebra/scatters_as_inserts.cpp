// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scatter to places that are known and lie as a grid is an insertion: exporters spell x[:, :, 2:4] = y as ScatterND
// with an index for every element. What is inserted is copied by rows, or made in its place, and no index is read.
//
// Preconditions: nothing is reduced, sizes of the dims that indices name are known, and the places, in their order, are
//   offset[d] + i[d] * stride[d], 0 <= i[d] < size[d], stride[d] > 0, each dim at its own digit of the update's number.
// Then each place is written once. Next: place-inserts, place-destinations.
#include "passes/passes.h"

#include "builders/sizes.h"
#include "interpreter/interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <numeric>

using namespace mlir;

namespace sinter {
namespace {

/// Places of a grid, per dim, and the dims by how fast they change from update to update: the slowest first.
struct Grid {
  SmallVector<int64_t> offsets, sizes, strides, order;
};

/// Index `dim` of update `i`, counted from the front.
using PlaceFn = llvm::function_ref<int64_t(int64_t i, int64_t dim)>;

/// How many updates it takes until index `dim` is another; 0 if it always is the same.
int64_t periodOf(int64_t dim, int64_t updates, PlaceFn place) {
  for (int64_t i = 1; i < updates; ++i)
    if (place(i, dim) != place(0, dim))
      return i;
  return 0;
}

std::optional<Grid> gridOf(int64_t updates, int64_t dims, PlaceFn place) {
  Grid grid;
  SmallVector<int64_t> periods;
  for (int64_t d = 0; d < dims; ++d) {
    periods.push_back(periodOf(d, updates, place));
    grid.offsets.push_back(place(0, d));
    grid.strides.push_back(periods[d] ? place(periods[d], d) - place(0, d) : 1);
    grid.order.push_back(d);
  }
  auto lasts = [&](int64_t d) { return periods[d] ? periods[d] : updates; };
  llvm::stable_sort(grid.order, [&](int64_t a, int64_t b) { return lasts(a) > lasts(b); });
  grid.sizes.assign(dims, 1);
  int64_t outer = updates;
  for (int64_t d : grid.order)
    if (periods[d]) {
      if (grid.strides[d] <= 0 || outer % periods[d])
        return std::nullopt;
      grid.sizes[d] = outer / periods[d];
      outer = periods[d];
    }
  if (outer != 1)
    return std::nullopt;
  for (int64_t i = 0; i < updates; ++i)
    for (int64_t d = 0; d < dims; ++d) {
      int64_t digit = periods[d] ? i / periods[d] % grid.sizes[d] : 0;
      if (place(i, d) != grid.offsets[d] + digit * grid.strides[d])
        return std::nullopt;
    }
  return grid;
}

/// Indices as they count from the front; nothing where they are not known, or not all inside of data.
std::optional<SmallVector<int64_t>> placesFromFront(Value indices, ArrayRef<int64_t> dims, EvaluationCache &cache) {
  if (llvm::any_of(dims, ShapedType::isDynamic) || !isConstant(indices, cache))
    return std::nullopt;
  std::optional<HostTensor> host = evaluate(indices, cache);
  if (!host || host->size() == 0)
    return std::nullopt;
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < host->size(); ++i) {
    int64_t size = dims[i % dims.size()], place = host->integerAt(i);
    place += place < 0 ? size : 0;
    if (place < 0 || place >= size)
      return std::nullopt;
    places.push_back(place);
  }
  return places;
}

/// scatter_nd of data [d0 ... dk, slice], indices [updates, k + 1], updates [updates, slice].
Value insertSlices(KernelOp scatter, EvaluationCache &cache) {
  Value data = scatter.getInputs()[0], indices = scatter.getInputs()[1];
  int64_t dims = cast<RankedTensorType>(data.getType()).getRank() - 1;
  ArrayRef<int64_t> named = cast<RankedTensorType>(data.getType()).getShape().drop_back();
  std::optional<SmallVector<int64_t>> places =
      dims ? placesFromFront(indices, named, cache) : std::optional<SmallVector<int64_t>>();
  if (!places || cast<RankedTensorType>(scatter.getInputs()[2].getType()).isDynamicDim(0))
    return {};
  int64_t updates = static_cast<int64_t>(places->size()) / dims;
  std::optional<Grid> grid = gridOf(updates, dims, [&](int64_t i, int64_t d) { return (*places)[i * dims + d]; });
  if (!grid)
    return {};
  OpBuilder b(scatter);
  Location loc = scatter.getLoc();
  Value rows = scatter.getInputs()[2];
  Sizes given, offsets = sizesOf(b, grid->offsets), sizes = sizesOf(b, grid->sizes),
               strides = sizesOf(b, grid->strides);
  offsets.push_back(sizeOf(b, 0));
  sizes.push_back(tensor::getMixedSize(b, loc, rows, 1));
  strides.push_back(sizeOf(b, 1));
  SmallVector<int64_t> toData(dims + 1, dims); // data's dims among those of the updates
  for (auto [from, to] : llvm::enumerate(grid->order)) {
    given.push_back(sizes[to]);
    toData[to] = static_cast<int64_t>(from);
  }
  given.push_back(sizes.back());
  Type element = getElementTypeOrSelf(rows);
  ReassociationIndices digits(toData.size() - 1);
  std::iota(digits.begin(), digits.end(), 0);
  rows = b.create<tensor::ExpandShapeOp>(loc, RankedTensorType::get(staticShape(given), element), rows,
                                         ArrayRef<ReassociationIndices>{digits, {dims}}, given);
  if (!llvm::is_sorted(toData)) {
    Value empty = b.create<tensor::EmptyOp>(loc, sizes, element);
    rows = b.create<linalg::TransposeOp>(loc, rows, empty, toData)->getResult(0);
  }
  return b.create<tensor::InsertSliceOp>(loc, rows, data, offsets, sizes, strides);
}

/// scatter_elements along `axis`: the same places for all that the updates hold, from the front of all other dims.
Value insertElements(KernelOp scatter, EvaluationCache &cache) {
  Value data = scatter.getInputs()[0], indices = scatter.getInputs()[1], updates = scatter.getInputs()[2];
  int64_t axis = cast<IntegerAttr>(scatter.getParams().get("axis")).getInt();
  auto type = cast<RankedTensorType>(indices.getType());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(data.getType()).getShape();
  if (!type.hasStaticShape())
    return {};
  std::optional<SmallVector<int64_t>> places = placesFromFront(indices, shape[axis], cache);
  if (!places)
    return {};
  int64_t many = type.getDimSize(axis), inner = 1;
  for (int64_t size : type.getShape().drop_front(axis + 1))
    inner *= size;
  for (int64_t i = 0; i < static_cast<int64_t>(places->size()); ++i)
    if ((*places)[i] != (*places)[i / inner % many * inner])
      return {};
  std::optional<Grid> grid = gridOf(many, 1, [&](int64_t i, int64_t) { return (*places)[i * inner]; });
  if (!grid)
    return {};
  OpBuilder b(scatter);
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  offsets[axis] = grid->offsets[0];
  strides[axis] = grid->strides[0];
  return b.create<tensor::InsertSliceOp>(scatter.getLoc(), updates, data, sizesOf(b, offsets),
                                         tensor::getMixedSizes(b, scatter.getLoc(), updates), sizesOf(b, strides));
}

} // namespace

LogicalResult scattersAsInserts(ModuleOp module) {
  EvaluationCache cache;
  SmallVector<KernelOp> scatters;
  module.walk([&](KernelOp kernel) {
    if (kernel.isScatter() && cast<IntegerAttr>(kernel.getParams().get("reduction")).getInt() == 0)
      scatters.push_back(kernel);
  });
  for (KernelOp scatter : scatters) {
    Value y = scatter.getKernel() == "scatter_nd" ? insertSlices(scatter, cache) : insertElements(scatter, cache);
    if (!y)
      continue;
    scatter->getResult(0).replaceAllUsesWith(y);
    cache.forget(scatter);
    scatter.erase();
  }
  return success();
}

} // namespace sinter
