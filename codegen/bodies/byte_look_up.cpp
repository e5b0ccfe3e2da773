// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "byte_look_up.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace sinter {

Value lookedUpByte(memref::LoadOp load) {
  MemRefType table = load.getMemRefType();
  if (table.getShape() != ArrayRef<int64_t>{256} || !table.getElementType().isInteger(8) ||
      !table.getLayout().isIdentity())
    return {};
  auto place = load.getIndices()[0].getDefiningOp<arith::IndexCastUIOp>();
  if (!place)
    return {};
  Value bits = place.getIn();
  if (auto wide = bits.getDefiningOp<arith::ExtUIOp>())
    bits = wide.getIn();
  return bits.getType().isInteger(8) ? bits : Value();
}

bool isPlaceOfByte(Operation &op) {
  if (!isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) || op.use_empty())
    return false;
  return llvm::all_of(op.getUsers(), [](Operation *user) {
    auto load = dyn_cast<memref::LoadOp>(user);
    return load ? bool(lookedUpByte(load)) : isa<arith::IndexCastUIOp>(user) && isPlaceOfByte(*user);
  });
}

} // namespace sinter
