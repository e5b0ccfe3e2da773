// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass check-strides: on every compile, an independent look at how the maps of convolutions lie. Rows, columns and
// planes may have any stride; channels, where they are innermost, are read and written by vectors and lie side by side.
// (Matrix products have strides everywhere, kernels of templates get them in their views, loop nests too.)
#include "ir/dialect.h"
#include "passes/passes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace sinter;

namespace {

bool lieApart(Value map, StringRef layout) {
  auto type = dyn_cast<MemRefType>(map.getType());
  if (!type || layout == "nchw" || type.getShape().back() == 1)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  return failed(getStridesAndOffset(type, strides, offset)) || strides.back() != 1;
}

} // namespace

LogicalResult sinter::checkStrides(ModuleOp module) {
  bool valid = true;
  module.walk([&](ConvOp conv) {
    if (!lieApart(conv.getInput(), conv.inputLayout()) && !lieApart(conv.getInits()[0], conv.outputLayout()))
      return;
    conv.emitError("internal error: channels that lie apart");
    valid = false;
  });
  return success(valid);
}
