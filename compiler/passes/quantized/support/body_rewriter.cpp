// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Following the old body from its result back to its arguments, and copying what stays.
#include "body_rewriter.h"

#include <cmath>

using namespace mlir;

namespace sinter {

BodyRewriter::BodyRewriter(ArrayRef<BodyInput> inputs, Block &from, Block &to)
    : inputs(inputs), from(from), writer(inputs, to, from.getParentOp()), b(writer.b), loc(writer.loc) {
  for (auto [i, input] : llvm::enumerate(inputs))
    byArgument[input.argument] = i;
}

bool BodyRewriter::isOfOldBody(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? op->getBlock() == &from : cast<BlockArgument>(value).getOwner() == &from;
}

Value BodyRewriter::write(Value value) {
  if (!isOfOldBody(value))
    return value;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return writeArgument(argument);
  if (Value done = written.lookupOrNull(value))
    return done;
  Value result;
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(value.getDefiningOp()))
    result = writeQuantized(value);
  if (!result && value.getType().isF32())
    if (std::optional<QuantizedValue> known = valueOf(value))
      result = writer.value(*known);
  if (!result)
    result = cloned(value);
  written.map(value, result);
  return result;
}

Value BodyRewriter::writeArgument(BlockArgument argument) {
  if (Value done = written.lookupOrNull(argument))
    return done;
  const BodyInput &input = inputs[byArgument.lookup(argument)];
  Type type = argument.getType();
  Value result;
  if (input.known && input.known->size() == 1 && type.isIntOrFloat())
    result = isa<FloatType>(type) ? writer.constant(b.getFloatAttr(type, input.known->numberAt(0)))
                                  : writer.constant(b.getIntegerAttr(type, input.known->integerAt(0)));
  else
    result = writer.addInput(input.tensor, input.map, type);
  written.map(argument, result);
  return result;
}

Value BodyRewriter::cloned(Value value) {
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    if (Value done = write(operand); !written.contains(operand))
      written.map(operand, done);
  Operation *copy = b.clone(*op, written);
  return copy->getResult(cast<OpResult>(value).getResultNumber());
}

Value BodyRewriter::writeQuantized(Value value) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  std::optional<QuantizedValue> x = valueOf(value.getDefiningOp()->getOperand(0));
  if (!x || width > 16 || x->terms.size() != 1 || !x->terms[0].factor.is(1) || !x->terms[0].offset.is(0) ||
      !x->constant.isOne() || !x->low || !x->high)
    return {};
  auto rounding = roundings.find(x->terms[0].atom);
  double zero = x->constant.values[0];
  bool isUnsigned = isa<arith::FPToUIOp>(value.getDefiningOp());
  double least = isUnsigned ? 0 : -std::ldexp(1.0, width - 1),
         most = std::ldexp(1.0, isUnsigned ? width : width - 1) - 1;
  auto isWhole = [](double number) { return number == std::nearbyint(number); };
  if (rounding == roundings.end() || !isWhole(zero) || !isWhole(*x->low) || !isWhole(*x->high) || !(*x->low >= least) ||
      !(*x->high <= most) || std::fabs(zero) > most - least)
    return {};
  Requantize known = rounding->second;
  known.low = static_cast<int64_t>(*x->low - zero);
  known.high = static_cast<int64_t>(*x->high - zero);
  QuantizedValue image = atom(known.write(b, loc, b.getF32Type()), Term::Whole);
  image.constant = zero;
  images[value] = image;
  known.zero = static_cast<int64_t>(zero);
  return known.write(b, loc, value.getType());
}

} // namespace sinter
