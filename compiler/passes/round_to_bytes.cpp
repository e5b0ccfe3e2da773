// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What quantizes a float to a byte - round, limit, convert, add the zero point - as one call of
// runtime-lite/round_to_byte.h, on cores whose FPU rounds as it converts and whose integers saturate: an input of
// floats takes 10 instructions an element there instead of 45.
//
// Precondition: the limits are those of the byte less its zero point, so that limiting after the sum is the same.
#include "passes.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {
namespace {

/// The operand of a max or min that is no constant, whose constant goes to `bound`.
template <class Op>
Value limitedBy(Value value, double &bound) {
  auto op = value.getDefiningOp<Op>();
  APFloat number(0.0f);
  if (!op || !matchPattern(op.getRhs(), m_ConstantFloat(&number)))
    return {};
  bound = number.convertToDouble();
  return op.getLhs();
}

void rewrite(arith::TruncIOp trunc) {
  Value whole = trunc.getIn();
  APInt zero(32, 0);
  if (auto sum = whole.getDefiningOp<arith::AddIOp>(); sum && matchPattern(sum.getRhs(), m_ConstantInt(&zero)))
    whole = sum.getLhs();
  auto convert = whole.getDefiningOp<arith::FPToSIOp>();
  if (!convert || !trunc.getType().isInteger(8) || !whole.getType().isInteger(32) || !convert.getIn().getType().isF32())
    return;
  double low = 0, high = 0;
  Value inner = limitedBy<arith::MinimumFOp>(convert.getIn(), high);
  auto round = inner ? limitedBy<arith::MaximumFOp>(inner, low).getDefiningOp<math::RoundEvenOp>() : nullptr;
  if (!round)
    return;
  auto offset = static_cast<double>(zero.getSExtValue());
  bool isSigned = low + offset == -128 && high + offset == 127, isUnsigned = low + offset == 0 && high + offset == 255;
  if ((!isSigned && !isUnsigned) || low > 0 || high < 0)
    return;
  OpBuilder b(trunc);
  Value point = b.create<arith::ConstantOp>(trunc.getLoc(), b.getI32IntegerAttr(static_cast<int32_t>(offset)));
  trunc.setOperand(b.create<ApplyOp>(trunc.getLoc(), b.getI32Type(), isSigned ? "round_to_int8" : "round_to_uint8",
                                     ValueRange{round.getOperand(), point}));
}

} // namespace

LogicalResult roundToBytes(ModuleOp module) {
  auto kernels = module->getAttrOfType<StringAttr>("sinter.int_kernels");
  auto requant = module->getAttrOfType<StringAttr>("sinter.requant"); // "fixed": there is no FPU
  if (kernels && kernels.getValue() == "dsp" && !(requant && requant.getValue() == "fixed"))
    module.walk(rewrite);
  return success();
}

} // namespace sinter
