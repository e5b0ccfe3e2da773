// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of destinations.
#include "destinations.h"

using namespace mlir;

namespace sinter {

Value originOf(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      tensor = insert.getDest();
    else if (auto insert = dyn_cast<tensor::InsertOp>(op))
      tensor = insert.getDest();
    else if (auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
      tensor = copy.getDest();
    else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
      tensor = dps.getTiedOpOperand(cast<OpResult>(tensor))->get();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      tensor = loop.getInitArgs()[cast<OpResult>(tensor).getResultNumber()];
    else
      break;
  }
  return tensor;
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
