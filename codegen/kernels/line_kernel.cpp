// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_kernel.h"

#include "kernels/lines/line_core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// The buffer that place-scratch has added, as `type *`.
Code scratchOf(Value scratch, const Code &type, KernelFunction &function) {
  if (!scratch)
    return "nullptr";
  Identifier bytes = function.pointer(function.values().view(scratch), "scratch", true);
  return Code("reinterpret_cast<", type, " *>(", bytes, ")");
}

/// What an epilogue does to its accumulator, step by step, as templates/quantized/requantize.h has it.
class RequantizeMatch {
public:
  RequantizeMatch(Block &block, ValueRange inputs, ArrayAttr maps) : block(block), inputs(inputs), maps(maps) {}

  Value bias, factor;              ///< per channel
  std::optional<double> oneFactor; ///< or the same for all
  double low = -0x1p23, high = 0x1p23, zero = 0;

  bool matches(int64_t channels) {
    Value x = block.getArgument(0);
    Operation *op = next(x);
    if (!op || !isa<arith::AddIOp>(op) || !(bias = operand(op, x, channels)))
      return false;
    x = op->getResult(0);
    if (!(op = next(x)) || !isa<arith::SIToFPOp>(op) || !op->getResult(0).getType().isF32())
      return false;
    x = op->getResult(0);
    if (!(op = next(x)) || !isa<arith::MulFOp>(op))
      return false;
    if (Attribute constant; matchPattern(op->getOperand(op->getOperand(0) == x ? 1 : 0), m_Constant(&constant)))
      oneFactor = cast<FloatAttr>(constant).getValueAsDouble();
    else if (!(factor = operand(op, x, channels)))
      return false;
    x = op->getResult(0);
    if (!(op = next(x)) || !isa<math::RoundEvenOp>(op))
      return false;
    for (x = op->getResult(0); (op = next(x)) && !isa<YieldOp>(op); x = op->getResult(0))
      if (!step(op))
        return false;
    return op && x.getType().isInteger(8) && low <= high && std::abs(zero) < 0x1p20;
  }

private:
  /// The only reader of x.
  static Operation *next(Value x) { return x.hasOneUse() ? *x.user_begin() : nullptr; }

  /// The epilogue input that `op` takes beside x, if it has one element per channel, in order.
  Value operand(Operation *op, Value x, int64_t channels) const {
    auto argument = dyn_cast<BlockArgument>(op->getOperand(op->getOperand(0) == x ? 1 : 0));
    if (!argument || argument.getOwner() != &block || argument.getArgNumber() == 0)
      return {};
    unsigned number = argument.getArgNumber() - 1;
    auto type = dyn_cast<MemRefType>(inputs[number].getType());
    AffineMap map = cast<AffineMapAttr>(maps[number]).getValue();
    if (!type || !type.hasStaticShape() || type.getNumElements() != channels || !type.getLayout().isIdentity())
      return {};
    for (auto [size, result] : llvm::zip(type.getShape(), map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result); size != 1 && (!dim || dim.getPosition() + 1 != map.getNumDims()))
        return {};
    return inputs[number];
  }

  bool step(Operation *op) {
    if (isa<arith::FPToSIOp, arith::TruncIOp>(op))
      return op->getResult(0).getType().isInteger(32) || op->getResult(0).getType().isInteger(8);
    Attribute constant;
    if (op->getNumOperands() != 2 || !matchPattern(op->getOperand(1), m_Constant(&constant)))
      return false;
    auto number = dyn_cast<FloatAttr>(constant);
    double c =
        number ? number.getValueAsDouble() : static_cast<double>(cast<IntegerAttr>(constant).getValue().getSExtValue());
    if (c != std::floor(c))
      return false;
    if (isa<arith::AddFOp, arith::AddIOp>(op))
      zero += c;
    else if (isa<arith::MaximumFOp, arith::MaxSIOp>(op))
      low = std::max(low, c - zero);
    else if (isa<arith::MinimumFOp, arith::MinSIOp>(op))
      high = std::min(high, c - zero);
    else
      return false;
    return true;
  }

  Block &block;
  ValueRange inputs;
  ArrayAttr maps;
};

template <class Product>
std::optional<Code> requantizeOf(Product op, KernelFunction &function) {
  RequantizeMatch match(op.getEpilogue().front(), op.getEpilogueInputs(), op.getEpilogueMaps());
  if (!match.matches(cast<MemRefType>(op.getInits()[0].getType()).getShape().back()))
    return std::nullopt;
  function.need("templates/quantized/requantize.h");
  auto pointer = [&](Value value) { return function.pointer(function.values().view(value), "e", false); };
  Code bias(pointer(match.bias)), factor, step;
  if (match.oneFactor) {
    Identifier factors = function.names.make("factors");
    Code each = Code::number(*match.oneFactor, true);
    function.body.line("static constexpr float ", factors, "[4] = {", each, ", ", each, ", ", each, ", ", each, "};");
    factor = Code(factors);
    step = ", 0";
  } else {
    factor = Code(pointer(match.factor));
  }
  return Code("Requantize{", bias, ", ", factor, ", ", static_cast<int64_t>(match.low), ", ",
              static_cast<int64_t>(match.high), ", ", static_cast<int64_t>(match.zero), step, "}");
}

} // namespace

static StringRef nameOf(KernelAttr kernel) { return kernel ? kernel.getName() : StringRef(); }
bool isOfLines(ConvOp op) {
  return llvm::is_contained({"conv_lines", "depthwise_lines", "depthwise_columns"}, nameOf(op.getKernelAttr()));
}
bool isOfLines(MatmulOp op) { return nameOf(op.getKernelAttr()) == "gemm_lines"; }

std::optional<Code> printRequantize(Operation *op, const Target &target, KernelFunction &function) {
  if (!lineCore(target)->isVector)
    return std::nullopt;
  if (auto conv = dyn_cast<ConvOp>(op))
    return requantizeOf(conv, function);
  return requantizeOf(cast<MatmulOp>(op), function);
}

Printed printLineConv(ConvOp op, const Target &target, KernelFunction &function, const IntConvCall &call) {
  const LineCore &core = *lineCore(target);
  KernelAttr kernel = op.getKernelAttr();
  int64_t zero = kernel.number("zero");
  Code operands(call.shape, ", ", call.input, ", ", zero, ", ", call.weights, ", ", call.output, ", ");
  if (kernel.getName() == "depthwise_columns") {
    int64_t rows = cast<MemRefType>(op.getFilter().getType()).getDimSize(1);
    function.need("templates/lines/depthwise_columns.h");
    function.body.line("depthwiseColumns<", rows, ">(", operands, scratchOf(op.getScratch(), "int8_t", function),
                       call.rest);
    return {"depthwise", "bytes: windows as columns of four rows, a vector each"};
  }
  if (kernel.getName() == "depthwise_lines") {
    function.need("templates/lines/depthwise_lines.h");
    function.body.line("depthwiseLines(", operands,
                       scratchOf(op.getScratch(), op.isInputUnsigned() ? Code("uint8_t") : Code("int8_t"), function),
                       call.rest);
    return {"depthwise", "bytes: a window of all channels at a time"};
  }
  function.need(core.header);
  int64_t runs = kernel.number("runs");
  function.body.line("convLines<", Code::trusted(core.type), ", ", runs, ">(", operands,
                     scratchOf(op.getScratch(), "uint8_t", function), call.rest);
  return {"conv", runs > 1 ? "bytes: rows of each window where they lie, four filters at a time"
                           : "bytes: inputs of each output as a line, four filters at a time"};
}

Printed printLineMatmul(MatmulOp op, const Target &target, KernelFunction &function, const Code &a, const Code &lda,
                        const Code &b, const Code &c, const Code &ldc, const Code &sizes, const Code &epilogue) {
  const LineCore &core = *lineCore(target);
  function.need(core.header);
  function.body.line("gemmLines<", Code::trusted(core.type), ">(", a, ", ", lda, ", ", b, ", ", c, ", ", ldc, ", ",
                     sizes, ", ", scratchOf(op.getScratch(), "uint8_t", function), ", ", epilogue, ");");
  return {"matmul", "bytes, constant right-hand side: rows as lines, four columns at a time"};
}

} // namespace sinter
