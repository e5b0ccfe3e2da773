// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass check-strides: on every compile, an independent look at where products lie. Convolutions and matrix products
// write their innermost dim by vectors or blocks, whatever its stride: a destination with gaps there is one that some
// pass gave them without asking. Loop nests have strides in every dim, and kernels of templates get them in their
// views.
#include "ir/dialect.h"
#include "passes/passes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace sinter;

namespace {

bool hasGaps(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getRank() == 0 || type.getShape().back() == 1)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  return failed(getStridesAndOffset(type, strides, offset)) || strides.back() != 1;
}

} // namespace

LogicalResult sinter::checkStrides(ModuleOp module) {
  bool valid = true;
  module.walk([&](DestinationStyleOpInterface op) {
    if (!isa<ConvOp, MatmulOp>(op.getOperation()) || !llvm::any_of(op.getDpsInits(), hasGaps))
      return;
    op.emitError("internal error: a product is to write with gaps");
    valid = false;
  });
  return success(valid);
}
