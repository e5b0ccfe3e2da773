// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dual_kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sinter {

/// The groups of filters, and how many of them are proved.
static Code groupsOf(KernelAttr kernel, Value weights) {
  return Code(cast<ShapedType>(weights.getType()).getDimSize(0), ", ", kernel.number("proved"));
}

FailureOr<Code> printDualEpilogue(Operation *product, KernelFunction &function,
                                  function_ref<FailureOr<Code>()> printRegion) {
  auto kernel = product->getAttrOfType<KernelAttr>("kernel");
  ArrayRef<int64_t> rescale = kernel ? kernel.numbers("rescale") : ArrayRef<int64_t>();
  if (rescale.empty())
    return printRegion();
  function.need("templates/quantized/rescale.h");
  Code object("Rescale<", rescale[1], ", ", rescale[2], ">{", rescale[0], "}");
  Block &region = product->getRegion(0).front();
  if (auto narrowed = region.getTerminator()->getOperand(0).getDefiningOp<arith::TruncIOp>();
      narrowed && narrowed.getIn() == region.getArgument(0))
    return object;
  FailureOr<Code> then = printRegion();
  if (failed(then))
    return failure();
  return Code("rescaledThen(", object, ", ", *then, ")");
}

Printed printDualConv(ConvOp op, KernelFunction &function, const Code &shape, const Code &in, const Code &weights,
                      const Code &out, const Code &rows, const Code &epilogue) {
  Identifier scratch = function.pointer(function.values().view(op.getScratch()), "scratch", true);
  std::optional<uint64_t> most = op.getMostRows();
  Code sizes = most ? Code("atMost<", static_cast<int64_t>(*most), ">(", shape, ")") : shape;
  Code operands(sizes, ", ", in, ", ", static_cast<int64_t>(op.getInputZero()), ", ", weights, ", ", out, ", ",
                scratch);
  KernelAttr kernel = op.getKernelAttr();
  if (kernel.getName() == "dual_depthwise") {
    function.need("templates/dual/dual_depthwise.h");
    function.body.line("dualDepthwise(", operands, ", ", rows, ", ", epilogue, ");");
    return {"depthwise", "bytes: planes of 16 bits, two products at a time"};
  }
  std::string why = kernel.has("choice") ? "; " + kernel.text("choice").str() : "";
  if (kernel.getName() == "dual_winograd") {
    function.need("templates/dual/dual_winograd.h");
    function.body.line("dualWinograd(", operands, ", ", cast<ShapedType>(op.getFilter().getType()).getDimSize(0), ", ",
                       rows, ", ", epilogue, ");");
    return {"conv", "bytes: 16 products for four outputs" + why};
  }
  function.need("templates/dual/dual_conv.h");
  function.body.line(op.inputLayout() == "nchw" ? Code("dualConv<Channels::First>(") : Code("dualConv("), operands,
                     ", ", groupsOf(kernel, op.getFilter()), ", ", rows, ", ", epilogue, ");");
  return {"conv", "bytes: filters in pairs, two products at a time" + why};
}

Printed printDualMatmul(MatmulOp op, KernelFunction &function, const Code &a, const Code &lda, const Code &weights,
                        const Code &c, const Code &ldc, const Code &m, const Code &k, const Code &epilogue) {
  function.need("templates/dual/dual_matmul.h");
  function.body.line("dualMatmul(", a, ", ", lda, ", ", weights, ", ", c, ", ", ldc, ", ", m, ", ", k, ", ",
                     groupsOf(op.getKernelAttr(), op.getRhs()), ", ", epilogue, ");");
  return {"matmul", "bytes: filters in pairs, two products at a time"};
}

} // namespace sinter
