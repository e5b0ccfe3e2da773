// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.ConvTransposeWithDynamicPads: ONNX's ConvTranspose, whose pads are an operand.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerContribConvTranspose(Op &op) {
  SmallVector<NamedAttribute> attributes(op.node.getAttrs().begin(), op.node.getAttrs().end());
  if (op.has(2)) {
    std::optional<SmallVector<int64_t>> pads = op.constantIntegers(2);
    if (!pads)
      return op.fail(Code::ShapeNotConstant, "'Pads' is not known at compile time",
                     "the sizes that it is computed from: --dim NAME=N");
    attributes.push_back(op.param("pads", *pads));
  }
  SmallVector<Tensor> operands{op.input(0), op.input(1)};
  if (op.has(3))
    operands.push_back(op.input(3));
  auto y = op.call("ConvTranspose", 11, operands, attributes);
  return failed(y) ? failure() : op.result((*y)[0]);
}
} // namespace

void register_contrib_conv_transpose(Registry &registry) {
  registry.onOp("ConvTransposeWithDynamicPads", {1},
                "X[N,C,D+] W[C,M,K+] B[M*group] Pads[2*#D] #K=#D K>=1 group>=1 C%group=0 kernel_shape[#D] "
                "kernel_shape=K strides[#D] strides>=1 dilations[#D] dilations>=1 output_padding[#D] "
                "auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID",
                lowerContribConvTranspose, "com.microsoft");
}

} // namespace sinter
