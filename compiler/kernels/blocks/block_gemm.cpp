// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant right-hand side of small numbers that share scales in blocks, packed: templates/blocks/block_gemm.h. Its
// parameters say what a block is; `lhs_bytes`, that rows of the left-hand side become bytes. Many of those are
// multiplied in tile registers, where there are any: templates/blocks/block_tiles.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/tile.h"
#include "templates/blocks/block_tiles.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleBlockGemm(MatmulOp op, const Target &, StringRef &whyNot) {
  return asPackedForRows(op, "block_gemm", whyNot);
}

ArrayRef<int64_t> packedShape(MatmulOp op) { return cast<ShapedType>(op.getRhs().getType()).getShape(); }

/// Bytes of what a block of a row of the left-hand side is taken as.
int64_t blockBytes(KernelAttr kernel) {
  int64_t block = kernel.number("block");
  return kernel.has("lhs_bytes") ? block + int64_t(sizeof(ByteBlock<4>)) - 4 : block * int64_t(sizeof(float));
}

/// Whether tile registers multiply, of a number of rows that is known or may be any, those that fill tiles.
bool areBlocksForTiles(MatmulOp op, const Target &target) {
  KernelAttr kernel = op.getKernelAttr();
  std::optional<ProductSizes> sizes = productSizesOf(op);
  return target.tileRegisters && kernel.has("lhs_bytes") && kernel.number("columns") % kTileColumns == 0 &&
         (!sizes || sizes->batch * sizes->m >= kTileRows);
}

int64_t blockScratchOf(MatmulOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  bool inTiles = areBlocksForTiles(op, target);
  int64_t most = inTiles ? kTiledBlockRows : kBlockRows;
  int64_t rows = sizes ? std::min(sizes->batch * sizes->m, most) : most;
  int64_t bytes = rows * packedShape(op)[1] * blockBytes(op.getKernelAttr());
  return inTiles ? bytes + kTiledAlignment : bytes;
}

KernelScratch scratchOfBlockGemm(MatmulOp op, const Target &target) { return {blockScratchOf(op, target), 8}; }

/// Products, and what unpacking costs beside them: a step for each vector of numbers and tile of rows.
std::optional<double> estimateBlockGemm(MatmulOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  KernelAttr kernel = op.getKernelAttr();
  if (!sizes || !kernel || kernel.getName() != "block_gemm") // packed for another one, or not at all
    return std::nullopt;
  double products = kernel.has("lhs_bytes") ? byteCycles(target, *sizes) : tileCycles(target, *sizes);
  ProductSizes row = *sizes;
  row.batch = 1;
  row.m = llvm::divideCeil(sizes->batch * sizes->m, 4);
  return products + 2 * macCycles(target, row);
}

ContractionCall callOfBlockGemm(MatmulOp op, const Target &target) {
  KernelAttr kernel = op.getKernelAttr();
  int64_t bits = kernel.number("bits"), block = kernel.number("block");
  ContractionCall call;
  call.columns = kernel.number("columns");
  call.rows = rowsOfTile(target, call.columns);
  if (kernel.has("lhs_bytes")) // sums of bytes, and of floats
    call.rows = std::max<int64_t>(call.rows / 2, 1);
  call.depth = packedShape(op)[1] * packedShape(op)[2] / call.columns;
  call.kind = "matmul";
  call.why = kernel.has("lhs_bytes") ? "constant right-hand side stays packed, rows of the left-hand side as bytes"
                                     : "constant right-hand side stays packed";
  bool inTiles = areBlocksForTiles(op, target);
  call.headers = {inTiles ? "templates/blocks/block_tiles.h" : "templates/blocks/block_gemm.h"};
  call.function = inTiles ? "tiledBlockGemm" : "blockGemm";
  call.templateArguments = {
      numbered(call.rows), numbered(call.columns),      numbered(bits),
      numbered(block),     named(kernel.text("scale")), named(kernel.has("zeros") ? "true" : "false")};
  if (!inTiles)
    call.templateArguments.push_back(named(kernel.has("lhs_bytes") ? "ByteBlock" : "FloatBlock"));
  call.arguments = {Arg::Lhs, Arg::LhsRow, Arg::Weights, Arg::Output,          Arg::OutputRow,
                    Arg::M,   Arg::N,      Arg::K,       scratchAs("uint8_t"), Arg::Epilogue};
  call.scratchOfShare = blockScratchOf(op, target);
  call.leastSharedRows = INT64_MAX;
  return call;
}

} // namespace

Kernel block_gemm_kernel() {
  return {"block_gemm", 0,
          MatmulKernel{settleBlockGemm, callOfBlockGemm, scratchOfBlockGemm, nullptr, estimateBlockGemm}};
}

} // namespace sinter
