// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How two values of a reduction become one, and what each begins with.
#include "nest_printer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sinter {

Merge mergeOf(Operation *op) {
  Type type = op->getResult(0).getType();
  PrintedCode typeName = valueText(type);
  int64_t least = type.isIntOrIndex()
                      ? APInt::getSignedMinValue(type.isIndex() ? 64 : type.getIntOrFloatBitWidth()).getSExtValue()
                      : 0;
  auto integer = [&](int64_t value) {
    return PrintedCode(typeName, "(", PrintedCode::integer(value, valueBytes(type) * 8), ")");
  };
  auto number = [&](double value) { return PrintedCode::number(value, !type.isF64()); };
  double infinity = std::numeric_limits<double>::infinity();
  if (isa<arith::AddFOp>(op))
    return {number(0), "Sum{}"};
  if (isa<arith::MulFOp>(op))
    return {number(1), "Product{}"};
  if (isa<arith::MaximumFOp>(op))
    return {number(-infinity), "Largest{}"};
  if (isa<arith::MinimumFOp>(op))
    return {number(infinity), "Smallest{}"};
  if (isa<arith::AddIOp>(op))
    return {integer(0), "Sum{}"};
  if (isa<arith::MulIOp>(op))
    return {integer(1), "Product{}"};
  if (isa<arith::MaxSIOp>(op))
    return {integer(least), "Largest{}"};
  if (isa<arith::MinSIOp>(op))
    return {integer(-(least + 1)), "Smallest{}"};
  if (isa<arith::MaxUIOp>(op))
    return {integer(0), "LargestUnsigned{}"};
  if (isa<arith::MinUIOp>(op))
    return {integer(-1), "SmallestUnsigned{}"};
  if (isa<arith::AndIOp>(op))
    return {integer(-1), "AllBits{}"};
  return {integer(0), "AnyBits{}"};
}

} // namespace sinter
