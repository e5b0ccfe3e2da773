// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "int_conv_kernel.h"

#include "kernels/panels/tile.h"

using namespace mlir;

namespace sinter {

Code byteKind(Operation *product, bool isUnsigned) {
  if (product->getAttrOfType<KernelAttr>("kernel").has("flipped"))
    return isUnsigned ? Code("FlippedToSigned") : Code("FlippedToUnsigned");
  return isUnsigned ? Code("UnsignedBytes") : Code("SignedBytes");
}

Printed printIntConv(ConvOp op, const Target &target, KernelFunction &function, const IntConvCall &call) {
  Code bytes = byteKind(op, op.isInputUnsigned());
  Code operands(call.shape, ", ", call.input, ", ", call.weights, ", ", call.output, call.rest);
  if (op.getKernelAttr().getName() == "int_depthwise") {
    int64_t stride = op.getStrides().back();
    bool isUsual = op.getStrides().size() == 2 && op.taps(0) == 3 && op.taps(1) == 3 && stride <= 2 &&
                   llvm::all_of(op.getDilations(), [](int64_t dilation) { return dilation == 1; });
    function.need("templates/quads/int_depthwise.h");
    function.body.line("intDepthwise<", isUsual ? 3 : 0, ", ", isUsual ? stride : 0, ", ", bytes, ">(", operands);
    return {"depthwise", "bytes: one filter per channel, four taps to a lane"};
  }
  function.need("templates/quads/int_conv.h");
  bool isMerged = op.getKernelAttr().has("merged") && call.isDense;
  function.body.line("intConv<", tileRows(target, call.columns), ", ", call.columns, ", ",
                     isMerged ? Code("true") : Code("false"), ", ", bytes, ">(", operands);
  return {"conv", "bytes: implicit gemm, four products to a lane"};
}

} // namespace sinter
