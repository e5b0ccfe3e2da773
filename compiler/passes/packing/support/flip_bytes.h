// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What computes with bytes says the same of bytes that are stored as x ^ 0x80: as x + 128 where x is signed, as x - 128
// where it is not. fit_signs.cpp says where.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// A scalar byte outside of bodies, which all elements get.
void flipScalar(mlir::OpOperand &scalar);
/// What a body yields. `toUnsigned`: what it is then, where that makes a difference.
void flipResult(mlir::OpOperand &yielded, bool toUnsigned);
/// What a body reads. Conversions and terms of sums take the other kind and move its zero point, which is exact.
void flipElement(mlir::BlockArgument element);
/// Both sides of a pool.
void flipPool(PoolOp pool);
/// The first of the letters; what is then to be added to the zero point.
template <class Contraction>
int64_t flipSign(Contraction op) {
  bool wasUnsigned = op.getSigns().front() == 'u';
  op.setSigns((wasUnsigned ? "s" : "u") + op.getSigns().drop_front().str());
  return wasUnsigned ? -128 : 128;
}

} // namespace sinter
