// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and scalars at the top level. Indices made of sizes stay expressions; what comes from data is computed with
// wrapping arithmetic until sinter.bound or check_index has looked at it.
#include "run_printer.h"

#include "codegen/bodies/scalar_expr.h"
#include "codegen/report/node_names.h"
#include "codegen/text/element_text.h"
#include "dialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {

Identifier RunPrinter::define(Value value, const PrintedCode &text) {
  bool isIndex = value.getType().isIndex();
  Identifier name = names.make(isIndex ? "n" : "v");
  defined.insert(name);
  body.line("const ", valueText(value.getType()), " ", name, " = ", text, ";");
  if (isIndex)
    values.setSize(value, name);
  else
    values.setScalar(value, name);
  return name;
}

/// An index whose value is known to be a size, or arithmetic on sizes.
bool RunPrinter::isPlain(Value index) const {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return true;
  if (!values.hasSize(index))
    return false;
  return llvm::none_of(values.size(index).variables(), [&](const Identifier &name) { return unbounded.count(name); });
}

PrintedCode RunPrinter::affineText(AffineExpr expr, ArrayRef<SizeExpr> dims, ArrayRef<SizeExpr> symbols) const {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return PrintedCode("int64_t(", dims[dim.getPosition()].print(), ")");
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return PrintedCode("int64_t(", symbols[symbol.getPosition()].print(), ")");
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return PrintedCode("int64_t(", PrintedCode::integer(constant.getValue(), 64), ")");
  auto binary = cast<AffineBinaryOpExpr>(expr);
  PrintedCode a = affineText(binary.getLHS(), dims, symbols), b = affineText(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return PrintedCode("add(", a, ", ", b, ")");
  case AffineExprKind::Mul:
    return PrintedCode("mul(", a, ", ", b, ")");
  case AffineExprKind::FloorDiv:
    return PrintedCode("floorDiv(", a, ", ", b, ")");
  case AffineExprKind::CeilDiv:
    return PrintedCode("ceilDiv(", a, ", ", b, ")");
  default:
    return PrintedCode("mod(", a, ", ", b, ")");
  }
}

/// `expr` over plain operands as a polynomial, if it is one.
static std::optional<SizeExpr> polynomial(AffineExpr expr, ArrayRef<SizeExpr> dims, ArrayRef<SizeExpr> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return SizeExpr(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto a = polynomial(binary.getLHS(), dims, symbols), b = polynomial(binary.getRHS(), dims, symbols);
  if (!a || !b)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *a + *b;
  if (expr.getKind() == AffineExprKind::Mul)
    return *a * *b;
  return std::nullopt;
}

bool RunPrinter::printSize(Operation &op) {
  if (auto dim = dyn_cast<sinter::DimOp>(op)) {
    const SymbolicDim *symbol = interface.findDim(dim.getName());
    if (!symbol)
      return false;
    // One variable for all mentions of the dim: equal sizes compare equal.
    auto [it, isNew] = dimVariables.try_emplace(dim.getName());
    if (isNew) {
      it->second = names.make(symbol->member.text());
      defined.insert(it->second);
      prologue.line("const int64_t ", it->second, " = in.", symbol->member, ";");
    }
    values.setSize(dim.getResult(), it->second);
    return true;
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    APInt which;
    if (!matchPattern(dim.getIndex(), m_ConstantInt(&which)))
      return false;
    values.setSize(dim.getResult(), values.view(dim.getSource()).sizes[which.getZExtValue()]);
    return true;
  }
  if (auto bound = dyn_cast<BoundOp>(op)) {
    SizeExpr value = values.size(bound.getValue());
    Identifier name = define(bound.getResult(), value.print());
    body.line("if (", name, " < ", static_cast<int64_t>(bound.getMin()), " || ", name, " > ",
              static_cast<int64_t>(bound.getMax()), ")");
    body.line("  return kCapacityExceeded;");
    return true;
  }
  if (auto condition = dyn_cast<cf::AssertOp>(op)) {
    body.line("if (!(", text(condition.getArg()), "))");
    body.line("  return kDimOutOfBounds;");
    return true;
  }
  if (auto check = dyn_cast<CheckIndexOp>(op)) {
    kernels.runHeaders.insert("runtime-lite/index.h");
    PrintedCode index = PrintedCode("int64_t(", text(check.getIndex()), ")"),
                size = values.size(check.getSize()).print();
    if (check.getAllowNegative())
      index = PrintedCode("fromEnd(", index, ", ", size, ")");
    if (options.indexCheck == IndexCheck::Clamp)
      index = PrintedCode("clampIndex(", index, ", ", size, ")");
    Identifier name = define(check.getResult(), index);
    if (options.indexCheck == IndexCheck::Error) {
      body.line("if (", name, " < 0 || ", name, " >= ", size, ")");
      body.line("  return kIndexOutOfRange;");
    }
    return true;
  }
  if (op.getNumResults() != 1 || !op.getResult(0).getType().isIndex() ||
      !llvm::all_of(op.getOperands(), [&](Value v) { return isPlain(v); }))
    return false;
  Value result = op.getResult(0);
  auto operand = [&](unsigned i) { return values.size(op.getOperand(i)); };
  if (isa<arith::AddIOp>(op))
    return values.setSize(result, operand(0) + operand(1)), true;
  if (isa<arith::SubIOp>(op))
    return values.setSize(result, operand(0) - operand(1)), true;
  if (isa<arith::MulIOp>(op))
    return values.setSize(result, operand(0) * operand(1)), true;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<SizeExpr> operands;
    for (Value value : apply.getMapOperands())
      operands.push_back(values.size(value));
    unsigned dims = apply.getAffineMap().getNumDims();
    if (auto sum = polynomial(apply.getAffineMap().getResult(0), ArrayRef(operands).take_front(dims),
                              ArrayRef(operands).drop_front(dims)))
      return values.setSize(result, *sum), true;
  }
  return false;
}

PrintedCode RunPrinter::elementAddress(Value buffer, ValueRange indices) const {
  View view = values.view(buffer);
  for (auto [index, stride] : llvm::zip(indices, view.strides))
    view.offset = view.offset + values.size(index) * stride;
  return view.address();
}

/// A scalar's text in expressions: integers keep their type.
PrintedCode RunPrinter::text(Value value) const {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constantText(constant, value.getType());
  if (value.getType().isIndex())
    return PrintedCode("int64_t(", values.size(value).print(), ")");
  return values.scalar(value);
}

/// What the host needs a value for, for people.
static std::string useOf(Value value) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i)
    for (Operation *user : reached[i].getUsers()) {
      if (isa<BoundOp>(user))
        return "a size";
      if (isa<CheckIndexOp>(user))
        return "an index";
      if (isa<scf::IfOp>(user))
        return "which branch is taken";
      if (isa<scf::ForOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp>(user))
        return "how often a loop runs";
      if (isa<cf::AssertOp>(user))
        return "a check";
      if (KernelList::isPayload(user))
        return "a kernel's parameter";
      reached.insert(user->result_begin(), user->result_end());
    }
  return "a scalar";
}

LogicalResult RunPrinter::printScalar(Operation &op) {
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Type type = store.getMemRefType().getElementType();
    PrintedCode address = elementAddress(store.getMemRef(), store.getIndices()), value = text(store.getValue());
    if (isOnDevice()) {
      body.line(kernels.addStore(type), "(call, ", address, ", ", value, ");");
      return success();
    }
    if (type.isInteger(1))
      body.line("storeMask(", address, ", ", value, ");");
    else if (isHeldAsFloat(type))
      body.line("store(", address, ", ", value, ");");
    else
      body.line("*(", address, ") = ", value, ";");
    return success();
  }
  if (op.getNumResults() != 1)
    return op.emitOpError("has no form in generated code");
  Value result = op.getResult(0);
  Type type = result.getType();
  std::optional<PrintedCode> expression;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    PrintedCode address = elementAddress(load.getMemRef(), load.getIndices());
    if (isOnDevice() && !isa<StringType>(type)) { // strings are the host's, as what makes them
      reads.push_back({kernels.calls.size(), nodeNames(op.getLoc()), useOf(result)});
      if (spaceOf(load.getMemRefType()).getKind() == MemoryKind::Shared) {
        printWait();
      } else {
        Identifier read = names.make("read");
        body.line("const auto ", read, " = call.read(", address, ");");
        body.line("if (call.status())");
        body.line("  return call.status();");
        address = PrintedCode("&", read);
      }
    }
    expression = type.isInteger(1)     ? PrintedCode("*(", address, ") != 0")
                 : isHeldAsFloat(type) ? PrintedCode("load<float>(", address, ")")
                                       : PrintedCode("*(", address, ")");
  } else if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    AffineMap map = cast<AffineMapAttr>(op.getAttr("map")).getValue();
    SmallVector<SizeExpr> operands;
    for (Value value : op.getOperands())
      operands.push_back(values.size(value));
    for (AffineExpr part : map.getResults()) {
      PrintedCode value = affineText(part, ArrayRef(operands).take_front(map.getNumDims()),
                                     ArrayRef(operands).drop_front(map.getNumDims()));
      if (!expression)
        expression = value;
      else
        expression = PrintedCode(isa<affine::AffineMinOp>(op) ? PrintedCode("min(") : PrintedCode("max("), *expression,
                                 ", ", value, ")");
    }
  } else {
    SmallVector<PrintedCode> operands;
    for (Value operand : op.getOperands())
      operands.push_back(text(operand));
    std::optional<ScalarText> scalar = scalarText(&op, operands, valueText(type));
    if (!scalar)
      return op.emitOpError("has no form in generated code");
    kernels.runHeaders.insert(scalar->headers.begin(), scalar->headers.end());
    expression = scalar->text;
  }
  kernels.runHeaders.insert("runtime-lite/scalar.h");
  Identifier name = define(result, *expression);
  bool isBounded = isa<arith::RemSIOp, arith::RemUIOp>(op) ||
                   (!isa<memref::LoadOp, arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
                    llvm::all_of(op.getOperands(), [&](Value v) { return v.getType().isInteger(1) || isPlain(v); }));
  if (type.isIndex() && !isBounded)
    unbounded.insert(name);
  return success();
}

} // namespace sinter
