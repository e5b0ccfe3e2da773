// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the operands of a matrix product on buffers lie, as far as their types tell.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"

namespace sinter {

/// Elements from one index to the next; ShapedType::kDynamic where it is not known. Of a packed right-hand side 0.
struct MatmulStrides {
  int64_t lhsColumn = 0, rhsRow = 0, rhsColumn = 0, outputColumn = 0;
};
MatmulStrides stridesOf(MatmulOp op);

/// Whether the dense rows of the right-hand side begin at so few places of a first-level cache's ways, which are pages
/// of 4 KB, that the cache does not hold as many as a sum takes.
bool rowsMeetInCache(MatmulOp op);

/// So many of a tile's `rows` may be taken. Where rows of the left-hand side begin at multiples of 4 KB of each other
/// (the pass space-rows leaves those of callers and of views), all that a tile reads together falls into one set of the
/// first-level cache: a tile's rows leave one of eight ways to the right-hand side. `together`: rows that are only
/// taken together.
int64_t rowsThatCacheHolds(MatmulOp op, int64_t rows, int64_t together = 1);

/// Whether the op's kernel takes single elements of the left-hand side, however far apart those of a row are: beside
/// rows of the right one. Beside its columns, and packed operands of other kinds, kernels go along rows.
bool takesLhsElements(MatmulOp op, const Target &target);

/// Whether contractions of this type go to the register tiles of templates/panels/tile.h, and so does the output.
bool takesTiles(MatmulOp op, llvm::StringRef &whyNot);

/// `settle` of kernels whose right-hand side has been packed for them, and which go along rows without gaps of the left
/// one and of the output.
KernelAttr asPackedForRows(MatmulOp op, llvm::StringRef name, llvm::StringRef &whyNot);

/// Whether no kernel has been chosen: the operands are as the op defines them.
template <class Contraction>
bool isPlain(Contraction op, llvm::StringRef &whyNot) {
  if (op.getKernelAttr())
    whyNot = "its constant operand is packed for another";
  return !op.getKernelAttr();
}

} // namespace sinter
