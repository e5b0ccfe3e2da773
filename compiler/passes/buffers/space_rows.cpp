// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product goes along many rows of its left-hand side at once. Where rows begin at multiples of 4 KB of each other,
// the lines that it reads together all fall into one set of the first-level cache, which has room for eight or so: each
// is read from the second level again and again, which costs a sixth of the time. Such a buffer gets a line more per
// row. Works on buffer IR, where it is known who reads and writes a buffer.
//
// Precondition: all of these take rows with gaps (ir/dense_dims.h).
#include "passes/passes.h"

#include "ir/dense_dims.h"
#include "ir/dialect.h"
#include "memory/aliases.h"
#include "passes/buffers/support/retype_uses.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace sinter;

namespace {

constexpr int64_t lineBytes = 64;
constexpr int64_t fewRows = 8; ///< have room side by side in one set

/// Whether this product has the buffer's rows as those of its left-hand side, and many of them.
bool readsRowsTogether(OpOperand &use, int64_t row) {
  auto matmul = dyn_cast<MatmulOp>(use.getOwner());
  if (!matmul || use.get() != matmul.getLhs() || matmul.getTransposeLhs())
    return false;
  ArrayRef<int64_t> shape = cast<MemRefType>(use.get().getType()).getShape();
  int64_t rows = shape.rbegin()[1];
  return shape.back() == row && (ShapedType::isDynamic(rows) || rows > fewRows);
}

void spaceRows(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (type.getRank() < 2 || !type.getLayout().isIdentity() || !isa<FloatType>(type.getElementType()) ||
      type.isDynamicDim(type.getRank() - 1))
    return;
  const int64_t bytes = type.getElementTypeBitWidth() / 8, row = type.getShape().back();
  bool isWanted = false;
  bool mayBe = row > 0 && row * bytes % cacheWayBytes == 0 && allTouches(alloc, [&](OpOperand &use) {
                 isWanted |= readsRowsTogether(use, row);
                 return denseDims(use) <= 1;
               });
  if (!mayBe || !isWanted)
    return;
  OpBuilder b(alloc);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() += lineBytes / bytes;
  auto spaced = MemRefType::get(shape, type.getElementType(), type.getLayout(), type.getMemorySpace());
  SmallVector<OpFoldResult> sizes = getMixedValues(type.getShape(), alloc.getDynamicSizes(), b),
                            zeros(shape.size(), b.getIndexAttr(0)), ones(shape.size(), b.getIndexAttr(1));
  auto rows = cast<MemRefType>(memref::SubViewOp::inferResultType(spaced, zeros, sizes, ones));
  if (!retypeUses(alloc, rows, /*apply=*/false))
    return;
  retypeUses(alloc, rows, /*apply=*/true);
  auto memory = b.create<memref::AllocOp>(alloc.getLoc(), spaced, alloc.getDynamicSizes(), alloc.getAlignmentAttr());
  alloc.replaceAllUsesWith(b.create<memref::SubViewOp>(alloc.getLoc(), rows, memory, zeros, sizes, ones).getResult());
  alloc.erase();
}

} // namespace

LogicalResult sinter::spaceRows(ModuleOp module, const Target &target, Fit fit) {
  if (target.kind != TargetKind::Cpu || target.vectorRegisters == 0 || fit == Fit::Ram)
    return success();
  SmallVector<memref::AllocOp> allocs;
  module.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  llvm::for_each(allocs, [](memref::AllocOp alloc) { ::spaceRows(alloc); });
  return success();
}
