// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices inside bodies: sums and products of loop variables and sizes stay expressions, so that addresses fold;
// indices that come from data are computed with wrapping arithmetic and checked.
#include "body_printer.h"

#include "dialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {

SizeExpr BodyPrinter::index(Value value) {
  value = resolved(value);
  if (auto it = indices.find(value); it != indices.end())
    return it->second;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return indices[value] = constant.getSExtValue();
  if (!texts.count(value) && function.values().hasSize(value))
    return indices[value] = function.local(function.values().size(value));
  Identifier name = function.names.make("i");
  function.body.line("const int64_t ", name, " = ", use(value, false), ";");
  return indices[value] = name;
}

PrintedCode BodyPrinter::affineText(AffineExpr expr, ArrayRef<SizeExpr> dimValues, ArrayRef<SizeExpr> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dimValues[dim.getPosition()].print();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()].print();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return PrintedCode("int64_t(", PrintedCode::integer(constant.getValue(), 64), ")");
  auto binary = cast<AffineBinaryOpExpr>(expr);
  PrintedCode a = affineText(binary.getLHS(), dimValues, symbols), b = affineText(binary.getRHS(), dimValues, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return PrintedCode("(", a, " + ", b, ")");
  case AffineExprKind::Mul:
    return PrintedCode("(", a, ") * (", b, ")");
  case AffineExprKind::FloorDiv:
    return PrintedCode("floorDiv(int64_t(", a, "), ", b, ")");
  case AffineExprKind::CeilDiv:
    return PrintedCode("ceilDiv(int64_t(", a, "), ", b, ")");
  default:
    return PrintedCode("mod(int64_t(", a, "), ", b, ")");
  }
}

bool BodyPrinter::printIndexOp(Operation &op) {
  if (auto position = dyn_cast<linalg::IndexOp>(op)) {
    indices[position.getResult()] = loopVariables[position.getDim()];
    return true;
  }
  if (auto check = dyn_cast<CheckIndexOp>(op)) {
    function.need("runtime-lite/index.h");
    SizeExpr size = index(check.getSize());
    // No index is within an empty dim; nothing behind this line may be read.
    if (!size.constant() || *size.constant() <= 0)
      function.body.line("if (", size.print(), " <= 0) return",
                         indexCheck == IndexCheck::Error
                             ? PrintedCode(" void(", function.status(), " = kIndexOutOfRange);")
                             : PrintedCode(";"));
    PrintedCode text = use(check.getIndex(), false);
    if (!check.getIndex().getType().isInteger(64) && !check.getIndex().getType().isIndex())
      text = PrintedCode("int64_t(", text, ")");
    if (check.getAllowNegative())
      text = PrintedCode("fromEnd(", text, ", ", size.print(), ")");
    if (indexCheck == IndexCheck::Error)
      text = PrintedCode("checkIndex(", text, ", ", size.print(), ", ", function.status(), ")");
    else if (indexCheck == IndexCheck::Clamp)
      text = PrintedCode("clampIndex(", text, ", ", size.print(), ")");
    Identifier name = function.names.make("i");
    function.body.line("const int64_t ", name, " = ", text, ";");
    indices[check.getResult()] = name;
    return true;
  }
  if (op.getNumResults() != 1 || !op.getResult(0).getType().isIndex())
    return false;
  // Only known expressions: a value that came from data must not overflow.
  auto known = [&](Value value) {
    value = resolved(value);
    return isa<IndexType>(value.getType()) && (!texts.count(value) || indices.count(value));
  };
  if (!llvm::all_of(op.getOperands(), known))
    return false;
  Value result = op.getResult(0);
  auto operand = [&](unsigned i) { return index(op.getOperand(i)); };
  if (isa<arith::AddIOp>(op))
    return indices[result] = operand(0) + operand(1), true;
  if (isa<arith::SubIOp>(op))
    return indices[result] = operand(0) - operand(1), true;
  if (isa<arith::MulIOp>(op))
    return indices[result] = operand(0) * operand(1), true;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<SizeExpr> values;
    for (Value value : apply.getMapOperands())
      values.push_back(index(value));
    unsigned dimCount = apply.getAffineMap().getNumDims();
    Identifier name = function.names.make("i");
    function.body.line("const int64_t ", name, " = ",
                       affineText(apply.getAffineMap().getResult(0), ArrayRef(values).take_front(dimCount),
                                  ArrayRef(values).drop_front(dimCount)),
                       ";");
    indices[result] = name;
    return true;
  }
  return false;
}

} // namespace sinter
