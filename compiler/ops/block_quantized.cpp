// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_quantized.h"

#include "interpreter/interpreter.h"

using namespace mlir;

namespace sinter {

Value quotient(OpBuilder &b, Location loc, Value index, int64_t by) {
  return b.create<arith::DivUIOp>(loc, index, b.create<arith::ConstantIndexOp>(loc, by));
}

Value rest(OpBuilder &b, Location loc, Value index, int64_t by) {
  return b.create<arith::RemUIOp>(loc, index, b.create<arith::ConstantIndexOp>(loc, by));
}

/// Element `column` of row `row`.
static Value readBlocked(OpBuilder &b, Location loc, Tensor x, ValueRange row, Value column) {
  SmallVector<Value> place(row);
  place.push_back(column);
  return b.create<tensor::ExtractOp>(loc, x.value, place);
}

Value unpackedBits(OpBuilder &b, Location loc, Tensor packed, ValueRange row, Value place, int64_t bits) {
  int64_t perByte = 8 / bits;
  Value stored = readBlocked(b, loc, packed, row, quotient(b, loc, place, perByte));
  if (perByte == 1)
    return stored;
  Value by = b.create<arith::MulIOp>(loc, rest(b, loc, place, perByte), b.create<arith::ConstantIndexOp>(loc, bits));
  Value moved = b.create<arith::ShRUIOp>(loc, stored, b.create<arith::IndexCastOp>(loc, b.getI8Type(), by));
  return b.create<arith::AndIOp>(loc, moved, Scalars{b, loc, ElementType::UInt8}.integer((1 << bits) - 1));
}

Value BlockQuantized::element(OpBuilder &b, Location loc, ValueRange row, Value column) const {
  Scalars byte{b, loc, ElementType::UInt8}, f{b, loc, ElementType::Float};
  Value which = groups ? readBlocked(b, loc, groups, {}, column) : quotient(b, loc, column, block);
  if (groups)
    which =
        b.create<CheckIndexOp>(loc, b.getIndexType(), which,
                               toValue(b, loc, dimOf(b, loc, scales.value, scales.rank() - 1)), b.getBoolAttr(false));
  auto real = [&](Tensor x) { return widen(b, loc, x.element, readBlocked(b, loc, x, row, which)); };
  Value number = byte.castTo(ElementType::Float, unpackedBits(b, loc, packed, row, column, bits));
  Value zero = f.constant(static_cast<double>(1 << (bits - 1)));
  if (zeros && zeros.element == ElementType::UInt8)
    zero = byte.castTo(ElementType::Float, unpackedBits(b, loc, zeros, row, which, bits));
  else if (zeros)
    zero = real(zeros);
  return f.mul(f.sub(number, zero), real(scales));
}

bool BlockQuantized::isConstant() const {
  EvaluationCache cache;
  return llvm::all_of(ArrayRef{packed, scales, zeros, groups},
                      [&](const Tensor &x) { return !x || sinter::isConstant(x.value, cache); });
}

Tensor constantBlocks(const Op &op, const BlockQuantized &weights, int64_t rows, int64_t columns, ElementType to,
                      bool lhsBytes, bool isPacked, Tensor order) {
  SmallVector<Tensor> operands{weights.packed, weights.scales};
  if (weights.zeros)
    operands.push_back(weights.zeros);
  if (order)
    operands.push_back(order);
  bool countsFromZero = isPacked || isUnsignedInteger(weights.packed.element);
  return op.kernel("dequantize_blocks", operands, {{sizesOf(op.b, {rows, columns}), to}},
                   {op.param("bits", weights.bits), op.param("block", weights.block), op.param("lhs_bytes", lhsBytes),
                    op.param("low", countsFromZero ? int64_t(0) : -(int64_t(1) << (weights.bits - 1))),
                    op.param("packed", isPacked), op.param("zeros", static_cast<bool>(weights.zeros)),
                    op.param("ordered", static_cast<bool>(order))})[0];
}

Tensor dequantized(const Op &op, const BlockQuantized &weights, Size columns, ElementType to) {
  Sizes sizes = op.sizes(weights.packed);
  sizes.back() = columns;
  return op.generate(sizes, to, [&](OpBuilder &b, ValueRange at) {
    return narrow(b, op.loc, to, weights.element(b, op.loc, at.drop_back(), at.back()));
  });
}

} // namespace sinter
