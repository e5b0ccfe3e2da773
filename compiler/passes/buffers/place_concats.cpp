// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tensor.concat becomes inserts into one empty tensor, each right behind the op that makes the part, so that
// bufferization lets that op write into its place. A part that has other readers is inserted last: read after a later
// insert it would cost a copy of the whole; drop_copies.cpp looks after it once buffers exist.
#include "passes/passes.h"

#include "builders/sizes.h"
#include "ir/destinations.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace sinter;

namespace {

void placeConcat(tensor::ConcatOp concat) {
  OpBuilder builder(concat);
  auto type = concat.getResultType();
  int64_t axis = concat.getDim();
  Block *block = concat->getBlock();

  // Sizes, where they are known without the parts.
  bool sizesKnownEarly = true;
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (Value input : concat.getInputs()) {
    auto &inputSizes = sizes.emplace_back();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      OpFoldResult size = sizeAtOrigin(builder, input, dim);
      sizesKnownEarly &= !size.isNull();
      // A number, where the type says none yet, stands as a value.
      inputSizes.push_back(
          size ? size : OpFoldResult(toValue(builder, concat.getLoc(), dimOf(builder, concat.getLoc(), input, dim))));
    }
  }

  // Early parts: made in this block, for the concatenation only.
  SmallVector<size_t> early, late;
  for (auto [i, input] : llvm::enumerate(concat.getInputs())) {
    Operation *producer = input.getDefiningOp();
    bool isEarly = sizesKnownEarly && producer && producer->getBlock() == block && input.hasOneUse() &&
                   originOf(input).getDefiningOp<tensor::EmptyOp>();
    (isEarly ? early : late).push_back(i);
  }
  auto producerOf = [&](size_t i) { return concat.getInputs()[i].getDefiningOp(); };
  llvm::sort(early, [&](size_t a, size_t b) { return producerOf(a)->isBeforeInBlock(producerOf(b)); });

  if (!early.empty()) {
    // The destination must stand before the first producer and behind all sizes.
    Operation *point = producerOf(early.front());
    auto standsBefore = [&](OpFoldResult size) {
      Operation *op = size.dyn_cast<Value>() ? cast<Value>(size).getDefiningOp() : nullptr;
      return !op || op->getBlock() != block || op->isBeforeInBlock(point);
    };
    if (llvm::all_of(sizes, [&](auto &all) { return llvm::all_of(all, standsBefore); })) {
      builder.setInsertionPoint(point);
    } else {
      late = llvm::to_vector(llvm::seq<size_t>(0, concat.getInputs().size()));
      early.clear();
    }
  }

  Location loc = concat.getLoc();
  SmallVector<OpFoldResult> whole = sizes.front(), starts;
  OpFoldResult end = builder.getIndexAttr(0);
  for (auto &inputSizes : sizes) {
    starts.push_back(end);
    AffineExpr d0, d1;
    bindDims(builder.getContext(), d0, d1);
    end = affine::makeComposedFoldedAffineApply(builder, loc, d0 + d1, {end, inputSizes[axis]});
  }
  whole[axis] = end;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!type.isDynamicDim(dim))
      whole[dim] = builder.getIndexAttr(type.getDimSize(dim));
  SmallVector<Value> dynamicSizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(getValueOrCreateConstantIndexOp(builder, loc, whole[dim]));
  Value result = builder.create<tensor::EmptyOp>(loc, type, dynamicSizes);

  auto insert = [&](size_t i) {
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        strides(type.getRank(), builder.getIndexAttr(1));
    offsets[axis] = starts[i];
    result = builder.create<tensor::InsertSliceOp>(loc, concat.getInputs()[i], result, offsets, sizes[i], strides);
  };
  for (size_t i : early) {
    builder.setInsertionPointAfter(producerOf(i));
    insert(i);
  }
  builder.setInsertionPoint(concat);
  for (size_t i : late)
    insert(i);
  concat.replaceAllUsesWith(result);
  concat.erase();
}

} // namespace

LogicalResult sinter::placeConcats(ModuleOp module) {
  SmallVector<tensor::ConcatOp> concats;
  module.walk([&](tensor::ConcatOp concat) { concats.push_back(concat); });
  for (tensor::ConcatOp concat : concats)
    placeConcat(concat);
  return success();
}
