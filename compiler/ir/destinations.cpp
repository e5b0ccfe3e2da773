// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of destinations.
#include "destinations.h"

#include "dialect.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sinter {

OpOperand *updatedOperand(Value tensor) {
  auto result = dyn_cast<OpResult>(tensor);
  if (!result)
    return nullptr;
  Operation *op = result.getOwner();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return &insert.getDestMutable();
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return &insert.getDestMutable();
  if (auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return &copy.getDestMutable();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return dps.getTiedOpOperand(result);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return &loop.getInitArgsMutable()[result.getResultNumber()];
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    if (auto argument = dyn_cast<BlockArgument>(loop.getConditionOp().getArgs()[result.getResultNumber()]);
        argument && argument.getOwner() == loop.getBeforeBody())
      return &loop.getInitsMutable()[argument.getArgNumber()];
  return nullptr;
}

Value viewSource(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  bool isView = isa_and_nonnull<tensor::ExtractSliceOp, tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                                tensor::ReshapeOp, PermuteOp>(op);
  return isView ? op->getOperand(0) : Value();
}

Value originOf(Value tensor) {
  while (OpOperand *updated = updatedOperand(tensor))
    tensor = updated->get();
  return tensor;
}

SmallVector<Value> memoryOf(Value tensor) {
  llvm::SetVector<Value> seen;
  seen.insert(tensor);
  for (size_t i = 0; i < seen.size(); ++i) {
    Value value = seen[i];
    if (Value source = viewSource(value))
      seen.insert(source);
    else if (OpOperand *updated = updatedOperand(value))
      seen.insert(updated->get());
    else if (auto choice = value.getDefiningOp<scf::IfOp>())
      for (scf::YieldOp yield : {choice.thenYield(), choice.elseYield()})
        seen.insert(yield.getOperand(cast<OpResult>(value).getResultNumber()));
  }
  return seen.takeVector();
}

static Value emptyLike(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(builder.create<tensor::DimOp>(loc, tensor, dim));
  return builder.create<tensor::EmptyOp>(loc, type, sizes);
}

Value copyOf(OpBuilder &builder, Location loc, Value tensor) {
  // The source of a copy is as good as the copy.
  auto copy = tensor.getDefiningOp<bufferization::MaterializeInDestinationOp>();
  Value source = copy && copy.getSource().getType() == tensor.getType() ? copy.getSource() : tensor;
  Value place = emptyLike(builder, loc, tensor);
  return builder.create<bufferization::MaterializeInDestinationOp>(loc, tensor.getType(), source, place).getResult();
}

OpFoldResult sizeAtOrigin(OpBuilder &builder, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  if (auto empty = originOf(tensor).getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes()[dim];
  return {};
}

} // namespace sinter
