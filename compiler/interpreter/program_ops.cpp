// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the ops that are not in scalar_ops.def: constants, conversions, comparisons, affine maps, positions,
// reads of whole tensors.
#include "program.h"

#include "engine.h"
#include "interpreter.h"
#include "ir/dialect.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace sinter;

static ElementKind kindOfOperand(Value value) {
  return elementKind(getElementTypeOrSelf(value.getType())).value_or(ElementKind::String);
}

bool Program::addConstant(Operation *op, Attribute value) {
  Value result = op->getResult(0);
  if (isa<ShapedType>(result.getType()))
    return false;
  std::optional<HostTensor> scalar = fromAttribute(value, result.getType());
  if (!scalar || scalar->kind() == ElementKind::String)
    return false;
  char *reg = newRegister(scalar->kind());
  fill(reg, scalar->kind(), scalar->storedBytes());
  define(result, reg);
  return true;
}

bool Program::addConversion(Operation *op, bool isSigned) {
  ElementKind from = kindOfOperand(op->getOperand(0)), to = kindOfOperand(op->getResult(0));
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (from == ElementKind::String || to == ElementKind::String)
    return false;
  if (auto integer = dyn_cast<IntegerType>(type); integer && integer.getWidth() > 1 && integer.getWidth() < 8)
    return false;
  define(op->getResult(0), converted(registerOf(op->getOperand(0)), from, to, isSigned));
  return true;
}

bool Program::addExtract(Operation *op) {
  auto extract = cast<tensor::ExtractOp>(op);
  ElementKind kind = kindOfOperand(extract.getResult());
  if (kind == ElementKind::String)
    return false;
  auto state = std::make_unique<Gather>();
  for (Value index : extract.getIndices())
    state->indices.push_back(reinterpret_cast<const int64_t *>(registerOf(index)));
  state->fault = &fault;
  char *out = newRegister(kind);
  emit(gather, out, {}, 0, state.get());
  gathers.push_back({extract.getTensor(), std::move(state)});
  define(extract.getResult(), out);
  return true;
}

bool Program::addCheckIndex(Operation *op) {
  auto check = cast<CheckIndexOp>(op);
  char *index = operandIn(check.getIndex(), ElementKind::I64, true);
  char *out = newRegister(ElementKind::I64);
  emit(checkIndex, out, {index, registerOf(check.getSize())}, check.getAllowNegative(), &fault);
  define(check.getResult(), out);
  return true;
}

char *Program::emitConstantIndex(int64_t value) {
  char *reg = newRegister(ElementKind::I64);
  fill(reg, ElementKind::I64, reinterpret_cast<const char *>(&value));
  return reg;
}

char *Program::emitAffine(AffineExpr expr, ArrayRef<char *> dims, ArrayRef<char *> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return emitConstantIndex(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  const char *lhs = emitAffine(binary.getLHS(), dims, symbols);
  const char *rhs = emitAffine(binary.getRHS(), dims, symbols);
  auto apply = [&](StringRef op, const char *a, const char *b) { return emitTable(op, ElementKind::I64, {a, b}); };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return apply(arith::AddIOp::getOperationName(), lhs, rhs);
  case AffineExprKind::Mul:
    return apply(arith::MulIOp::getOperationName(), lhs, rhs);
  case AffineExprKind::FloorDiv:
    return apply(arith::FloorDivSIOp::getOperationName(), lhs, rhs);
  case AffineExprKind::CeilDiv:
    return apply(arith::CeilDivSIOp::getOperationName(), lhs, rhs);
  default: { // mod: what the floor leaves
    char *quotient = apply(arith::FloorDivSIOp::getOperationName(), lhs, rhs);
    return apply(arith::SubIOp::getOperationName(), lhs, apply(arith::MulIOp::getOperationName(), quotient, rhs));
  }
  }
}

bool Program::addSpecial(Operation *op) {
  using Result = bool;
  auto affine = [&](AffineMap map, StringRef combine) {
    SmallVector<char *> operands;
    for (Value operand : op->getOperands())
      operands.push_back(registerOf(operand));
    ArrayRef<char *> all(operands);
    char *result = nullptr;
    for (AffineExpr expr : map.getResults()) {
      char *value = emitAffine(expr, all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
      result = result ? emitTable(combine, ElementKind::I64, {result, value}) : value;
    }
    define(op->getResult(0), result);
    return true;
  };
  auto compare = [&](int64_t predicate, bool isSigned) {
    ElementKind kind = computeKind(kindOfOperand(op->getOperand(0)));
    char *out = newRegister(ElementKind::I1);
    char *lhs = operandIn(op->getOperand(0), kind, isSigned);
    emit(findComparison(kind, predicate), out, {lhs, operandIn(op->getOperand(1), kind, isSigned)});
    define(op->getResult(0), out);
    return true;
  };
  auto complexPart = [&](ComplexPart part, Value complex) {
    char *out = newRegister(kindOfOperand(op->getResult(0)));
    SmallVector<const char *, 2> in;
    for (Value operand : op->getOperands())
      in.push_back(registerOf(operand));
    if (in.size() == 1)
      in.push_back(in[0]);
    emit(findComplexPart(kindOfOperand(complex), part), out, in);
    define(op->getResult(0), out);
    return true;
  };
  auto widening = [&](Instruction::Run high, ElementKind highKind, StringRef low) {
    ElementKind kind = kindOfOperand(op->getOperand(0));
    const char *in[] = {registerOf(op->getOperand(0)), registerOf(op->getOperand(1))};
    define(op->getResult(0), emitTable(low, kind, in));
    char *out = newRegister(highKind);
    emit(high, out, in);
    define(op->getResult(1), out);
    return true;
  };
  auto retype = [&] {
    if (elementBytes(kindOfOperand(op->getOperand(0))) != elementBytes(kindOfOperand(op->getResult(0))))
      return false;
    define(op->getResult(0), registerOf(op->getOperand(0)));
    return true;
  };
  return TypeSwitch<Operation *, Result>(op)
      .Case<arith::ConstantOp, complex::ConstantOp>([&](auto constant) { return addConstant(op, constant.getValue()); })
      .Case<arith::ExtSIOp, arith::SIToFPOp, arith::FPToSIOp, arith::IndexCastOp, arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return addConversion(op, true); })
      .Case<arith::ExtUIOp, arith::UIToFPOp, arith::FPToUIOp, arith::IndexCastUIOp, arith::TruncIOp>(
          [&](auto) { return addConversion(op, false); })
      .Case<arith::BitcastOp, complex::BitcastOp>([&](auto) { return retype(); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp cmp) {
        bool isSigned =
            cmp.getPredicate() >= arith::CmpIPredicate::slt && cmp.getPredicate() <= arith::CmpIPredicate::sge;
        return compare(static_cast<int64_t>(cmp.getPredicate()), isSigned);
      })
      .Case<arith::CmpFOp>([&](arith::CmpFOp cmp) { return compare(static_cast<int64_t>(cmp.getPredicate()), true); })
      .Case<complex::EqualOp>([&](auto) { return compare(0, true); })
      .Case<complex::NotEqualOp>([&](auto) { return compare(1, true); })
      .Case<arith::SelectOp>([&](arith::SelectOp select) {
        ElementKind kind = kindOfOperand(select.getResult());
        char *out = newRegister(kind);
        emit(
            findSelect(elementBytes(kind)), out,
            {registerOf(select.getCondition()), registerOf(select.getTrueValue()), registerOf(select.getFalseValue())});
        define(select.getResult(), out);
        return true;
      })
      .Case<arith::MulSIExtendedOp, arith::MulUIExtendedOp>([&](auto) {
        ElementKind kind = kindOfOperand(op->getOperand(0));
        return widening(findHighProduct(kind, isa<arith::MulSIExtendedOp>(op)), kind,
                        arith::MulIOp::getOperationName());
      })
      .Case<arith::AddUIExtendedOp>([&](auto) {
        return widening(findCarry(kindOfOperand(op->getOperand(0))), ElementKind::I1,
                        arith::AddIOp::getOperationName());
      })
      .Case<math::FPowIOp>([&](math::FPowIOp power) {
        ElementKind kind = computeKind(kindOfOperand(power.getResult()));
        char *base = operandIn(power.getLhs(), kind, true);
        char *result = emitTable(math::PowFOp::getOperationName(), kind, {base, operandIn(power.getRhs(), kind, true)});
        define(power.getResult(), converted(result, kind, kindOfOperand(power.getResult()), true));
        return true;
      })
      .Case<complex::CreateOp>([&](auto create) { return complexPart(ComplexPart::Create, create.getResult()); })
      .Case<complex::ReOp>([&](auto) { return complexPart(ComplexPart::Re, op->getOperand(0)); })
      .Case<complex::ImOp>([&](auto) { return complexPart(ComplexPart::Im, op->getOperand(0)); })
      .Case<complex::AbsOp>([&](auto) { return complexPart(ComplexPart::Abs, op->getOperand(0)); })
      .Case<complex::AngleOp>([&](auto) { return complexPart(ComplexPart::Angle, op->getOperand(0)); })
      .Case<linalg::IndexOp>([&](linalg::IndexOp index) {
        char *reg = newRegister(ElementKind::I64);
        positionRegisters.push_back({static_cast<unsigned>(index.getDim()), reg});
        define(index.getResult(), reg);
        return true;
      })
      .Case<tensor::ExtractOp>([&](auto) { return addExtract(op); })
      .Case<RequantizeOp>([&](auto) { return addRequantize(op); })
      .Case<CheckIndexOp>([&](auto) { return addCheckIndex(op); })
      .Case<BoundOp>([&](BoundOp bound) {
        define(bound.getResult(), registerOf(bound.getValue()));
        return true;
      })
      .Case<affine::AffineApplyOp>([&](auto apply) { return affine(apply.getAffineMap(), StringRef()); })
      .Case<affine::AffineMinOp>(
          [&](auto min) { return affine(min.getAffineMap(), arith::MinSIOp::getOperationName()); })
      .Case<affine::AffineMaxOp>(
          [&](auto max) { return affine(max.getAffineMap(), arith::MaxSIOp::getOperationName()); })
      .Default([](auto) { return false; });
}
