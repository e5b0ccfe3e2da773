// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decoders whose first and later calls are two branches of an If, as exporters merge them, choose between caches:
//   %all:2 = scf.if %c {                                %then = scf.if %c {
//     %x = concat %part, %new                             %x = concat %part, %new
//     yield (insert_slice %x into %empty[0]), rows        yield insert_slice %x into %buffer[0]
//   } else { ... }                               ->     } else { ... }
//   %rows = extract_slice %all#0[0][all#1]
//   %then = insert_slice %rows into %buffer[0]
// Each branch is then as a model without a choice, and append_states.cpp finds in it which rows are there already.
// Preconditions: nobody else takes what the choice gives but the rows in use; the buffer is made in front of the
// choice.
#include "growing_states.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace sinter;

namespace {

bool startsAtZero(OffsetSizeAndStrideOpInterface slice) {
  return slice.hasUnitStride() &&
         llvm::all_of(slice.getMixedOffsets(), [](Size offset) { return constantOf(offset) == 0; });
}

/// The value is there in front of the op, in its block or in one around.
bool standsBefore(Value value, Operation *op) {
  Operation *maker = value.getDefiningOp();
  Operation *around = maker ? maker->getBlock()->findAncestorOpInBlock(*op) : nullptr;
  return around && maker->isBeforeInBlock(around);
}

/// A size as it is in a branch: what the branch gives for it, or what stands in front of the choice.
class BranchSizes {
public:
  BranchSizes(scf::IfOp choice, ArrayRef<Size> sizes) : choice(choice), sizes(sizes) {}

  /// Each is known in each branch.
  bool areKnown() const {
    return llvm::all_of(sizes, [&](Size size) {
      auto value = dyn_cast<Value>(size);
      return !value || resultOf(value) || standsBefore(value, choice);
    });
  }

  Sizes in(scf::YieldOp yield) const {
    return llvm::map_to_vector(sizes, [&](Size size) {
      auto value = dyn_cast<Value>(size);
      std::optional<unsigned> number = value ? resultOf(value) : std::nullopt;
      return number ? Size(yield.getOperand(*number)) : size;
    });
  }

private:
  /// Which result of the choice a size is.
  std::optional<unsigned> resultOf(Value size) const {
    if (auto bound = size.getDefiningOp<BoundOp>())
      size = bound.getOperand();
    auto result = dyn_cast<OpResult>(size);
    return result && result.getOwner() == choice ? std::optional(result.getResultNumber()) : std::nullopt;
  }

  scf::IfOp choice;
  ArrayRef<Size> sizes;
};

} // namespace

SmallVector<tensor::InsertSliceOp> sinter::putInBranches(tensor::InsertSliceOp put) {
  tensor::ExtractSliceOp part;
  for (auto slice = put.getSource().getDefiningOp<tensor::ExtractSliceOp>();
       slice && startsAtZero(slice) && (!part || llvm::equal(part.getMixedSizes(), slice.getMixedSizes()));
       slice = slice.getSource().getDefiningOp<tensor::ExtractSliceOp>())
    part = slice;
  auto given = dyn_cast<OpResult>(part ? part.getSource() : put.getSource());
  auto choice = given ? dyn_cast<scf::IfOp>(given.getOwner()) : nullptr;
  Value buffer = put.getDest();
  if (!choice || !given.hasOneUse() || !startsAtZero(put) || choice->getBlock() != put->getBlock() ||
      !standsBefore(buffer, choice))
    return {};
  Sizes sizes = put.getMixedSizes();
  BranchSizes branchSizes(choice, sizes);
  if (put.getSourceType().getRank() != put.getDestType().getRank() || !branchSizes.areKnown())
    return {};

  SmallVector<tensor::InsertSliceOp> puts;
  unsigned number = given.getResultNumber();
  for (Block *branch : {choice.thenBlock(), choice.elseBlock()}) {
    auto yield = cast<scf::YieldOp>(branch->getTerminator());
    OpBuilder b(yield);
    Location loc = put.getLoc();
    Sizes here = branchSizes.in(yield);
    Sizes zeros(here.size(), sizeOf(b, 0)), ones(here.size(), sizeOf(b, 1));
    Value rows = yield.getOperand(number);
    auto whole = rows.getDefiningOp<tensor::InsertSliceOp>();
    if (whole && startsAtZero(whole) && whole.getSourceType().getRank() == put.getDestType().getRank() &&
        llvm::equal(whole.getMixedSizes(), here))
      rows = whole.getSource();
    else if (part)
      rows = b.create<tensor::ExtractSliceOp>(loc, rows, zeros, here, ones);
    for (auto [size, most] : llvm::zip(here, put.getDestType().getShape()))
      if (!ShapedType::isDynamic(most) && !constantOf(size))
        requireRowsToFit({b, loc}, size, most);
    puts.push_back(b.create<tensor::InsertSliceOp>(loc, rows, buffer, zeros, here, ones));
    yield.setOperand(number, puts.back());
  }
  put.getResult().replaceAllUsesWith(given);
  given.setType(buffer.getType());
  put.erase();
  return puts;
}
