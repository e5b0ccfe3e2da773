// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.requantize as instructions, by its definition in ops.td.
#include "program.h"

#include "ir/requantize.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace sinter;

bool Program::addRequantize(Operation *op) {
  std::optional<Requantize> known = Requantize::of(op->getResult(0));
  std::optional<ElementKind> to = elementKind(op->getResult(0).getType());
  if (!to)
    return false;
  auto real = [&](StringRef name, const char *x, const char *y) { return emitTable(name, ElementKind::F32, {x, y}); };
  auto number = [&](int64_t value) {
    auto exact = static_cast<float>(value);
    char *constant = newRegister(ElementKind::F32);
    fill(constant, ElementKind::F32, reinterpret_cast<const char *>(&exact));
    return constant;
  };
  const StringRef addF = arith::AddFOp::getOperationName(), mulF = arith::MulFOp::getOperationName(),
                  addI = arith::AddIOp::getOperationName();
  char *sum = nullptr;
  for (const RequantizeTerm &term : known->terms) {
    std::optional<ElementKind> kind = elementKind(term.value.getType());
    if (!kind)
      return false;
    char *x = registerOf(term.value);
    bool isWhole = term.bias && isa<IntegerType>(term.bias.getType());
    if (isWhole)
      x = emitTable(addI, *kind, {x, registerOf(term.bias)});
    x = converted(x, *kind, ElementKind::F32, !term.isUnsigned);
    if (term.bias && !isWhole)
      x = real(addF, x, registerOf(term.bias));
    if (term.factor)
      x = real(mulF, x, registerOf(term.factor));
    sum = sum ? real(addF, sum, x) : x;
  }
  if (known->addend)
    sum = real(addF, sum, registerOf(known->addend));
  char *whole = emitTable(math::RoundEvenOp::getOperationName(), ElementKind::F32, {sum});
  whole = real(arith::MaximumFOp::getOperationName(), whole, number(known->low));
  whole = real(arith::MinimumFOp::getOperationName(), whole, number(known->high));
  whole = real(addF, whole, number(known->zero));
  char *integer = converted(whole, ElementKind::F32, ElementKind::I32, true);
  define(op->getResult(0), *to == ElementKind::F32 ? whole : converted(integer, ElementKind::I32, *to, true));
  return !unsupported;
}
