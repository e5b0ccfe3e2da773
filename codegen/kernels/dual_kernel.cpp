// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dual_kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sinter {

/// The groups of filters, and how many of them are proved.
static Code groupsOf(Operation *op, Value weights) {
  return Code(cast<ShapedType>(weights.getType()).getDimSize(0), ", ",
              op->getAttrOfType<IntegerAttr>("proved").getInt());
}

FailureOr<Code> printDualEpilogue(Operation *product, KernelFunction &function,
                                  function_ref<FailureOr<Code>()> printRegion) {
  auto rescale = product->getAttrOfType<DenseI64ArrayAttr>("rescale");
  if (!rescale)
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
  Identifier scratch = function.pointer(function.values().view(op.getInits()[1]), "scratch", true);
  auto most = op->getAttrOfType<IntegerAttr>("most_rows");
  Code sizes = most ? Code("atMost<", most.getInt(), ">(", shape, ")") : shape;
  Code operands(sizes, ", ", in, ", ", static_cast<int64_t>(op.getInputZero()), ", ", weights, ", ", out, ", ",
                scratch);
  if (op.getPacked() == "dual_planes") {
    function.need("templates/dual/dual_depthwise.h");
    function.body.line("dualDepthwise(", operands, ", ", rows, ", ", epilogue, ");");
    return {"depthwise", "bytes: planes of 16 bits, two products at a time"};
  }
  auto choice = op->getAttrOfType<StringAttr>("choice");
  std::string why = choice ? "; " + choice.str() : "";
  if (op.getPacked() == "dual_winograd") {
    function.need("templates/dual/dual_winograd.h");
    function.body.line("dualWinograd(", operands, ", ", cast<ShapedType>(op.getFilter().getType()).getDimSize(0), ", ",
                       rows, ", ", epilogue, ");");
    return {"conv", "bytes: 16 products for four outputs" + why};
  }
  function.need("templates/dual/dual_conv.h");
  function.body.line(op.inputLayout() == "nchw" ? Code("dualConv<Channels::First>(") : Code("dualConv("), operands,
                     ", ", groupsOf(op, op.getFilter()), ", ", rows, ", ", epilogue, ");");
  return {"conv", "bytes: filters in pairs, two products at a time" + why};
}

Printed printDualMatmul(MatmulOp op, KernelFunction &function, const Code &a, const Code &lda, const Code &weights,
                        const Code &c, const Code &ldc, const Code &m, const Code &k, const Code &epilogue) {
  function.need("templates/dual/dual_matmul.h");
  function.body.line("dualMatmul(", a, ", ", lda, ", ", weights, ", ", c, ", ", ldc, ", ", m, ", ", k, ", ",
                     groupsOf(op, op.getRhs()), ", ", epilogue, ");");
  return {"matmul", "bytes: filters in pairs, two products at a time"};
}

} // namespace sinter
