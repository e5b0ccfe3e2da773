// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse_reads.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {

bool isElementRead(Operation *reader) {
  auto extract = dyn_cast<tensor::ExtractOp>(reader);
  auto nest = reader->getParentOfType<linalg::GenericOp>();
  if (!extract || !nest)
    return false;
  int64_t reads = 1;
  for (int64_t trips : nest.getStaticLoopRanges())
    reads *= ShapedType::isDynamic(trips) ? 1 : trips;
  return reads <= cast<RankedTensorType>(extract.getTensor().getType()).getNumElements();
}

bool isReadSparsely(Value tensor) { return llvm::all_of(tensor.getUsers(), isElementRead); }

} // namespace sinter
