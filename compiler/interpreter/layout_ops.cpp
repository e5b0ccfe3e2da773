// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tensor.pack and unpack: blocks of dims become dims of their own at the end, as one strided copy.
#include "engine.h"

#include "ir/dialect.h"

using namespace mlir;
using namespace sinter;

namespace {

/// How the packed form lies in an unpacked tensor of `full` sizes (multiples of the tiles): the extents of the packed
/// dims and the strides that they have in the unpacked one.
struct PackedView {
  SmallVector<int64_t> extents, strides;

  PackedView(ArrayRef<int64_t> full, ArrayRef<int64_t> innerDims, ArrayRef<int64_t> tiles,
             ArrayRef<int64_t> outerPermutation) {
    SmallVector<int64_t, 6> fullStrides = rowMajorStrides(full);
    SmallVector<int64_t> tileOf(full.size(), 1);
    for (auto [dim, tile] : llvm::zip_equal(innerDims, tiles))
      tileOf[dim] = tile;
    for (size_t i = 0; i < full.size(); ++i) {
      auto dim = static_cast<size_t>(outerPermutation.empty() ? static_cast<int64_t>(i) : outerPermutation[i]);
      extents.push_back(full[dim] / tileOf[dim]);
      strides.push_back(fullStrides[dim] * tileOf[dim]);
    }
    for (auto [dim, tile] : llvm::zip_equal(innerDims, tiles)) {
      extents.push_back(tile);
      strides.push_back(fullStrides[dim]);
    }
  }
};

/// Sizes rounded up to whole tiles.
SmallVector<int64_t> wholeTiles(ArrayRef<int64_t> shape, ArrayRef<int64_t> innerDims, ArrayRef<int64_t> tiles) {
  SmallVector<int64_t> full(shape);
  for (auto [dim, tile] : llvm::zip_equal(innerDims, tiles))
    full[dim] = llvm::divideCeilSigned(full[dim], tile) * tile;
  return full;
}

bool allPositive(ArrayRef<int64_t> tiles) {
  return llvm::all_of(tiles, [](int64_t tile) { return tile > 0; });
}

bool runPack(Engine &engine, tensor::PackOp op) {
  std::optional<HostTensor> source = engine.get(op.getSource());
  auto tiles = engine.indices(op.getMixedTiles());
  if (!source || !tiles || !allPositive(*tiles))
    return false;
  SmallVector<int64_t> full = wholeTiles(source->shape(), op.getInnerDimsPos(), *tiles);
  if (ArrayRef<int64_t>(full) != source->shape()) {
    std::optional<HostTensor> padded = engine.allocate(source->getElementType(), full);
    if (!padded || !op.getPaddingValue())
      return false;
    std::optional<HostTensor> element = engine.get(op.getPaddingValue());
    if (!element)
      return false;
    fillElements(padded->kind(), padded->mutableBytes(), padded->size(), element->storedBytes());
    SmallVector<int64_t> zeros(full.size(), 0), ones(full.size(), 1);
    insertBox(*padded, *source, zeros, ones);
    source = std::move(padded);
  }
  PackedView view(full, op.getInnerDimsPos(), *tiles, op.getOuterDimsPerm());
  std::optional<HostTensor> result = engine.allocate(source->getElementType(), view.extents);
  if (!result || !engine.spend(result->size()))
    return false;
  copyStrided(source->kind(), view.extents, result->mutableBytes(), rowMajorStrides(view.extents), source->bytes(),
              view.strides);
  engine.set(op.getResult(), std::move(*result));
  return true;
}

bool runUnPack(Engine &engine, tensor::UnPackOp op) {
  std::optional<HostTensor> source = engine.get(op.getSource()), dest = engine.get(op.getDest());
  auto tiles = engine.indices(op.getMixedTiles());
  if (!source || !dest || !tiles || !allPositive(*tiles))
    return false;
  SmallVector<int64_t> full = wholeTiles(dest->shape(), op.getInnerDimsPos(), *tiles);
  PackedView view(full, op.getInnerDimsPos(), *tiles, op.getOuterDimsPerm());
  std::optional<HostTensor> whole = engine.allocate(source->getElementType(), full);
  if (!whole || !engine.spend(whole->size()) || ArrayRef<int64_t>(view.extents) != source->shape())
    return false;
  copyStrided(source->kind(), view.extents, whole->mutableBytes(), view.strides, source->bytes(),
              rowMajorStrides(view.extents));
  if (ArrayRef<int64_t>(full) != dest->shape()) {
    std::optional<HostTensor> cut = engine.allocate(source->getElementType(), dest->shape());
    if (!cut)
      return false;
    copyStrided(source->kind(), dest->shape(), cut->mutableBytes(), rowMajorStrides(dest->shape()), whole->bytes(),
                rowMajorStrides(full));
    whole = std::move(cut);
  }
  engine.set(op.getResult(), std::move(*whole));
  return true;
}

} // namespace

void sinter::addLayoutHandlers(HandlerTable &table) {
  addHandler<tensor::PackOp, runPack>(table);
  addHandler<tensor::UnPackOp, runUnPack>(table);
}
