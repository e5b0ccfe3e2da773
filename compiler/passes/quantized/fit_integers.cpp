// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a quantized net computes in floats from one or two bytes - residuals, scales between tensors, clamps - as
//   clamp((a * m1 + offset + b * m2) >> shift)
// in 32 bits, where that is the same for every pair of inputs (integer_fit.h): microcontrollers take five instructions
// for it instead of twenty, and it runs without an FPU. A contraction's own rounding counts as one of the two, since it
// has as few values. Functions that no such numbers equal, and those of more inputs, stay as they are.
#include "passes/passes.h"

#include "passes/quantized/support/pair_function.h"

#include "ir/requantize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sinter {
namespace {

class Fitter {
public:
  explicit Fitter(const ElementBody &body) : body(body), b(body.op), loc(body.op->getLoc()) {}

  bool run() {
    for (Value result : body.block->getTerminator()->getOperands())
      pending.push_back(result);
    while (!pending.empty())
      isChanged |= rewrite(pending.pop_back_val());
    return isChanged;
  }

private:
  bool rewrite(Value value) {
    if (auto narrowed = value.getDefiningOp<arith::TruncIOp>())
      value = narrowed.getIn(); // whether as signed or not shows in the number
    for (Roundings which : {Roundings::All, Roundings::Last})
      if (std::optional<PairFunction> function = pairFunctionOf(value, body, which))
        if (std::optional<AffineShift> fit = fitOf(*function)) {
          value.replaceAllUsesWith(write(*function, *fit, value));
          return true;
        }
    return false;
  }

  std::optional<AffineShift> fitOf(PairFunction &function) {
    for (auto [source, input] : llvm::zip(function.sources, function.table.inputs))
      if (!isa<IntegerType>(source.value.getType()))
        input.low += zeroOf(source);
    return affineShiftOf(function.table);
  }

  /// What is added to a rounded float so that it is a byte with the limits of its type, at least above.
  static int64_t zeroOf(const PairSource &source) { return 127 - source.range.high(); }

  Value write(const PairFunction &function, const AffineShift &fit, Value replaced) {
    SmallVector<Value, 2> inputs;
    for (const PairSource &source : function.sources)
      inputs.push_back(integerOf(source));
    b.setInsertionPointAfterValue(replaced);
    Value sum = b.create<arith::AddIOp>(loc, product(inputs[0], fit.factors[0]), constant(fit.offset));
    if (inputs.size() > 1)
      sum = b.create<arith::AddIOp>(loc, sum, product(inputs[1], fit.factors[1]));
    Value result = limited(sum, fit, function.table);
    Type type = replaced.getType();
    return type.isInteger(32) ? result : b.create<arith::TruncIOp>(loc, type, result).getResult();
  }

  /// The sum shifted, with those limits that it reaches; a byte's are one instruction with the shift on some cores.
  Value limited(Value sum, const AffineShift &fit, const PairTable &table) {
    auto [least, most] = reachOf(fit, table);
    bool isSigned = fit.low == -128 && fit.high == 127, isUnsigned = fit.low == 0 && fit.high == 255;
    if ((least < fit.low || most > fit.high) && (isSigned || isUnsigned))
      return b.create<ApplyOp>(loc, b.getI32Type(), isSigned ? "shift_to_int8" : "shift_to_uint8",
                               ValueRange{sum, constant(fit.shift)});
    Value result = b.create<arith::ShRSIOp>(loc, sum, constant(fit.shift));
    if (least < fit.low)
      result = b.create<arith::MaxSIOp>(loc, result, constant(fit.low));
    if (most > fit.high)
      result = b.create<arith::MinSIOp>(loc, result, constant(fit.high));
    return result;
  }

  /// The element as i32. What is rounded in this body becomes an integer, which may have a better form itself.
  Value integerOf(const PairSource &source) {
    b.setInsertionPointAfterValue(source.value);
    Type i32 = b.getI32Type();
    if (isa<IntegerType>(source.value.getType()))
      return source.isUnsigned ? b.create<arith::ExtUIOp>(loc, i32, source.value).getResult()
                               : b.create<arith::ExtSIOp>(loc, i32, source.value).getResult();
    pending.push_back(wholeOf(b, loc, source.value, zeroOf(source)));
    return pending.back();
  }

  /// The least and the greatest result without limits.
  static std::pair<int64_t, int64_t> reachOf(const AffineShift &fit, const PairTable &table) {
    int64_t least = std::numeric_limits<int64_t>::max(), most = std::numeric_limits<int64_t>::min();
    for (int64_t x : {table.inputs[0].low, table.inputs[0].high()})
      for (int64_t y : {table.inputs[1].low, table.inputs[1].high()}) {
        least = std::min(least, fit.sum(x, y) >> fit.shift);
        most = std::max(most, fit.sum(x, y) >> fit.shift);
      }
    return {least, most};
  }

  Value product(Value x, int64_t factor) { return b.create<arith::MulIOp>(loc, x, constant(factor)); }
  Value constant(int64_t number) {
    return b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(static_cast<int32_t>(number)));
  }

  const ElementBody &body;
  OpBuilder b;
  Location loc;
  SmallVector<Value> pending;
  bool isChanged = false;
};

} // namespace

LogicalResult fitIntegers(ModuleOp module, const Target &target, Requant requant) {
  // For cores that multiply integers faster than floats, and where floats shall not be.
  if (!target.isMicrocontroller() && requant != Requant::Fixed)
    return success();
  module.walk([](Operation *op) {
    if (std::optional<ElementBody> body = ElementBody::of(op); body && Fitter(*body).run())
      body->dropUnused();
  });
  return success();
}

} // namespace sinter
