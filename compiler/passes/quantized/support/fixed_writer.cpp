// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixed_writer.h"

#include "fixed_form.h"
#include "settle_addend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {
namespace {

class FixedWriter {
public:
  FixedWriter(const ElementBody &body, RescaleBy how, RequantizeOp at, EvaluationCache &cache)
      : body(body), how(how), b(at), loc(at.getLoc()), cache(cache) {}

  bool canWrite(const FixedForm &form) const {
    if (how == RescaleBy::Float && form.rescale)
      return !form.sum;
    return !form.sum || llvm::all_of(form.sum->terms, [&](const FixedTerm &term) {
      return !term.quantized || canWrite(*term.quantized);
    });
  }

  /// An i32 between the form's limits.
  Value write(const FixedForm &form) {
    if (how == RescaleBy::Float && form.rescale)
      return writeFloat(form.source);
    SmallVector<Value> wide, narrow;
    if (form.rescale)
      wide.push_back(quantized(form.rescale->term));
    if (form.sum)
      for (const FixedTerm &term : form.sum->terms)
        narrow.push_back(quantized(term));
    Value result;
    if (form.rescale)
      result = rescale(*form.rescale, wide[0]);
    if (form.sum) {
      Value summed = sum(*form.sum, narrow);
      if (result) { // both have more bits
        result = add(add(result, summed), constant(1 << (FixedForm::bitsOfParts - 1)));
        result = b.create<arith::ShRSIOp>(loc, result, constant(FixedForm::bitsOfParts));
      } else {
        result = summed;
      }
    }
    return limited(result, form.source.low, form.source.high);
  }

private:
  Value writeFloat(Requantize source) {
    source.zero = 0; // the reader's, as in integers
    settleAddend(source, body, b, loc, cache);
    Value whole = b.create<math::RoundEvenOp>(loc, source.writeSum(b, loc));
    whole = limited(b.create<arith::FPToSIOp>(loc, b.getI32Type(), whole), source.low, source.high);
    return source.writeWithZero(b, loc, whole, b.getI32Type());
  }

  /// What a term's x is, not extended yet.
  Value quantized(const FixedTerm &term) { return term.quantized ? write(*term.quantized) : term.x; }

  Value rescale(const FixedRescale &r, Value x) {
    Value multipliers = numbers(r.multipliers);
    x = extended(r.term.bias ? add(x, r.term.bias) : x, false);
    if (!isZero(r.steps))
      x = add(x, numbers(r.steps));
    if (r.lift > 0) {
      int64_t limit = int64_t(1) << (30 - r.lift);
      x = b.create<arith::ShLIOp>(loc, limited(x, -limit, limit), constant(r.lift));
    }
    x = b.create<ApplyOp>(loc, b.getI32Type(), "rescale", ValueRange{x, multipliers, constant(r.shift)});
    return isZero(r.after) ? x : add(x, numbers(r.after));
  }

  Value sum(const FixedSum &s, ArrayRef<Value> values) {
    Value total = numbers(s.start);
    for (auto [term, value] : llvm::zip(s.terms, values)) {
      Value factor = numbers(term.factor);
      total = add(b.create<arith::MulIOp>(loc, extended(value, term.isUnsigned), factor), total);
    }
    return b.create<arith::ShRSIOp>(loc, total, constant(s.shift));
  }

  static bool isZero(const KnownFactor &known) {
    return known.all([](double v) { return v == 0; });
  }
  Value add(Value x, Value y) { return b.create<arith::AddIOp>(loc, x, y); }
  Value limited(Value x, int64_t low, int64_t high) {
    x = b.create<arith::MaxSIOp>(loc, x, constant(low));
    return b.create<arith::MinSIOp>(loc, x, constant(high));
  }
  Value constant(int64_t value) {
    return b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value extended(Value x, bool isUnsigned) {
    if (x.getType().isInteger(32))
      return x;
    return isUnsigned ? b.create<arith::ExtUIOp>(loc, b.getI32Type(), x).getResult()
                      : b.create<arith::ExtSIOp>(loc, b.getI32Type(), x).getResult();
  }
  /// Whole numbers as i32: a constant, or one more operand of the op.
  Value numbers(const KnownFactor &known) {
    if (known.all([&](double v) { return v == known.values[0]; }))
      return constant(static_cast<int64_t>(known.values[0]));
    return known.appendTo(body, b.getI32Type());
  }

  const ElementBody &body;
  RescaleBy how;
  OpBuilder b;
  Location loc;
  EvaluationCache &cache;
};

} // namespace

void writeFixed(const ElementBody &body, RescaleBy how, EvaluationCache &cache) {
  SmallVector<RequantizeOp> ops;
  for (RequantizeOp op : body.block->getOps<RequantizeOp>())
    if (isa<IntegerType>(op.getType()))
      ops.push_back(op);
  for (RequantizeOp op : ops) {
    Requantize known = *Requantize::of(op);
    std::optional<FixedForm> form = FixedForm::of(known, body, cache);
    FixedWriter writer(body, how, op, cache);
    if (!form || !writer.canWrite(*form))
      continue;
    OpBuilder b(op);
    Location loc = op.getLoc();
    if (how == RescaleBy::Fixed || form->sum || op.getType().isInteger(32))
      op.replaceAllUsesWith(known.writeWithZero(b, loc, writer.write(*form), op.getType()));
    else if (settleAddend(known, body, b, loc, cache))
      op.replaceAllUsesWith(known.write(b, loc, op.getType()));
  }
  if (!ops.empty())
    body.dropUnused();
}

} // namespace sinter
