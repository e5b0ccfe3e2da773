// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests that pool_sums.cpp makes, whole or in a row tile. Preconditions: channels in one block, bytes to sums of 32
// bits.
#include "pack_sums.h"

#include "ir/dialect.h"

using namespace mlir;

namespace sinter {
namespace {

struct ByteSum {
  bool isUnsigned = false;
  int64_t zero = 0;
};

/// acc + (extended x - zero), or without the zero.
std::optional<ByteSum> byteSumOf(Block &body) {
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  if (!add || body.getNumArguments() != 2)
    return std::nullopt;
  Value acc = body.getArgument(1);
  Value term = add.getLhs() == acc ? add.getRhs() : add.getRhs() == acc ? add.getLhs() : Value();
  ByteSum sum;
  Operation *op = term ? term.getDefiningOp() : nullptr;
  APInt zero;
  if (op && isa<arith::SubIOp, arith::AddIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&zero))) {
    sum.zero = isa<arith::SubIOp>(op) ? zero.getSExtValue() : -zero.getSExtValue();
    op = op->getOperand(0).getDefiningOp();
  }
  sum.isUnsigned = isa_and_nonnull<arith::ExtUIOp>(op);
  return isa_and_nonnull<arith::ExtUIOp, arith::ExtSIOp>(op) && op->getOperand(0) == body.getArgument(0)
             ? std::optional(sum)
             : std::nullopt;
}

} // namespace

void packSums(linalg::GenericOp nest) {
  using utils::IteratorType;
  if (nest.getNumDpsInputs() != 1 || nest.getNumDpsInits() != 1 || nest->getNumResults() != 1 ||
      nest.getIteratorTypesArray() != SmallVector<IteratorType>{IteratorType::parallel, IteratorType::parallel,
                                                                IteratorType::reduction, IteratorType::reduction,
                                                                IteratorType::parallel})
    return;
  Value x = nest.getDpsInputs()[0], sums = nest.getDpsInits()[0];
  AffineMap to = nest.getMatchingIndexingMap(nest.getDpsInitOperand(0));
  OpBuilder b(nest);
  if (!nest.getMatchingIndexingMap(nest.getDpsInputOperand(0)).isIdentity() ||
      to !=
          AffineMap::get(5, 0, {b.getAffineDimExpr(0), b.getAffineDimExpr(1), b.getAffineDimExpr(4)}, b.getContext()) ||
      !getElementTypeOrSelf(x.getType()).isInteger(8) || !getElementTypeOrSelf(sums.getType()).isInteger(32))
    return;
  std::optional<ByteSum> sum = byteSumOf(*nest.getBody());
  if (!sum)
    return;
  NamedAttribute zero = b.getNamedAttr("zero", b.getI64IntegerAttr(sum->zero));
  auto kernel = b.create<KernelOp>(nest.getLoc(), sums.getType(), "channel_sums", x, sums, b.getDictionaryAttr(zero),
                                   sum->isUnsigned ? "us" : "ss");
  kernel->setAttr("updates", b.getUnitAttr());
  nest.getResult(0).replaceAllUsesWith(kernel->getResult(0));
  nest.erase();
}

} // namespace sinter
