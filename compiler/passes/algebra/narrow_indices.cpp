// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop nest compares, and converts to floats, of its indices is computed in as few bits as all of it provably
// needs by the loops' sizes (body_ranges.h), but no fewer than its elements have: as many fit a vector then as of
// these, where 64-bit indices would leave most of it empty. Addresses stay as they are; so does what data is part of.
#include "passes/passes.h"

#include "ir/body_ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {
namespace {

/// The bits of a signed integer that is all of a range.
unsigned bitsFor(Interval range) {
  for (unsigned bits : {8, 16, 32})
    if (range.low >= -(int64_t(1) << (bits - 1)) && range.high < int64_t(1) << (bits - 1))
      return bits;
  return 64;
}

/// The bits of the widest element of the nest, as it is computed with.
unsigned elementBits(linalg::GenericOp nest) {
  unsigned bits = 8;
  for (BlockArgument argument : nest.getBody()->getArguments()) {
    Type type = argument.getType();
    bool isOutput = argument.getArgNumber() >= nest.getNumDpsInputs();
    if (type.isIntOrFloat() && (isOutput || !argument.use_empty()))
      bits = std::max(bits, isa<FloatType>(type) ? std::max(32u, bitsOfNumber(type)) : bitsOfNumber(type));
  }
  return bits;
}

class Narrower {
public:
  Narrower(linalg::GenericOp nest, BodyRanges &ranges) : nest(nest), ranges(ranges), b(nest.getContext()) {}

  /// The operands in fewer bits, at least so many; false where they are not indices, or need as many.
  bool narrow(Operation *op, unsigned least) {
    unsigned bits = least;
    bool hasIndex = false;
    for (Value operand : op->getOperands())
      if (!measure(operand, bits, hasIndex))
        return false;
    if (!hasIndex || bits >= bitsOfNumber(op->getOperand(0).getType()))
      return false;
    type = b.getIntegerType(bits);
    narrowed.clear();
    for (OpOperand &operand : op->getOpOperands())
      operand.set(inFewerBits(operand.get()));
    return true;
  }

private:
  bool isInBody(Value value) { return value.getParentBlock() == nest.getBody(); }

  /// Whether it is made of indices, sizes and numbers; notes the bits of all that is met on the way.
  bool measure(Value value, unsigned &bits, bool &hasIndex) {
    bits = std::max(bits, bitsFor(ranges.ofScalar(value)));
    Operation *op = value.getDefiningOp();
    if (bits > 32 || !op)
      return false;
    if (isa<linalg::IndexOp>(op))
      return hasIndex = true;
    if (matchPattern(value, m_Constant()) || !isInBody(value))
      return true;
    return isa<arith::IndexCastOp, arith::ExtSIOp, arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return measure(operand, bits, hasIndex); });
  }

  Value inFewerBits(Value value) {
    if (Value known = narrowed.lookup(value))
      return known;
    Operation *op = value.getDefiningOp();
    APInt number;
    Value result;
    if (matchPattern(value, m_ConstantInt(&number))) {
      b.setInsertionPointToStart(nest.getBody());
      result = b.create<arith::ConstantOp>(value.getLoc(), b.getIntegerAttr(type, number.getSExtValue()));
    } else if (isInBody(value) && isa<arith::IndexCastOp, arith::ExtSIOp>(op)) {
      result = inFewerBits(op->getOperand(0));
    } else if (isInBody(value) && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
      Value operands[] = {inFewerBits(op->getOperand(0)), inFewerBits(op->getOperand(1))};
      b.setInsertionPointAfter(op);
      result = b.create(op->getLoc(), op->getName().getIdentifier(), operands, type)->getResult(0);
    } else {
      isInBody(value) ? b.setInsertionPointAfter(op) : b.setInsertionPointToStart(nest.getBody());
      result = bitsOfNumber(value.getType()) == type.getWidth() ? value
               : value.getType().isIndex() ? b.create<arith::IndexCastOp>(value.getLoc(), type, value).getResult()
                                           : b.create<arith::TruncIOp>(value.getLoc(), type, value).getResult();
    }
    return narrowed[value] = result;
  }

  linalg::GenericOp nest;
  BodyRanges &ranges;
  OpBuilder b;
  IntegerType type;
  DenseMap<Value, Value> narrowed;
};

/// Operations of the body whose results nobody uses any more.
void dropUnused(linalg::GenericOp nest) {
  SmallVector<Operation *> ops;
  for (Operation &op : nest.getBody()->without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() && isPure(op))
      op->erase();
}

} // namespace

LogicalResult narrowIndices(ModuleOp module, const Target &target) {
  const unsigned least = target.isGpu() || target.vectorRegisters == 0 ? 32 : 8;
  BodyRanges ranges;
  SmallVector<linalg::GenericOp> changed;
  module.walk([&](linalg::GenericOp nest) {
    if (!nest.hasIndexSemantics())
      return;
    Narrower narrower(nest, ranges);
    unsigned bits = std::max(least, elementBits(nest));
    bool isChanged = false;
    for (Operation &op : llvm::make_early_inc_range(nest.getBody()->without_terminator()))
      if (isa<arith::CmpIOp, arith::SIToFPOp>(op))
        isChanged |= narrower.narrow(&op, bits);
    if (isChanged)
      changed.push_back(nest);
  });
  for (linalg::GenericOp nest : changed)
    dropUnused(nest);
  return success();
}

} // namespace sinter
