// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes by bytes that are made at run time, packed in scratch: templates/dot4/int_gemm_made.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/dot4/support/tile_cost.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/tile.h"
#include "templates/dot4/made_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

bool isByte(Value x) { return getElementTypeOrSelf(x.getType()).isInteger(8); }

/// Columns of a packed panel, which are those of packed weights: two tiles of registers, or the vectors of a tile.
int64_t columnsOfPanel(MatmulOp op, const Target &target) {
  return target.tileRegisters ? 2 * kTileColumns : tileFor(target, op.accumulatorType()).columns;
}

int64_t bytesOfScratch(MatmulOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  return sizes ? madeScratchBytes(sizes->m, sizes->n, sizes->k, columnsOfPanel(op, target)) : 0;
}

TileProduct asProduct(const ProductSizes &sizes) { return {sizes.batch, 1, sizes.m, sizes.n, 1, sizes.k}; }

/// Whether columns that lie beside each other are whole fours.
bool hasWholeFours(MatmulOp op) {
  ArrayRef<int64_t> shape = cast<ShapedType>(op.getRhs().getType()).getShape();
  int64_t k = shape[shape.size() - (op.getTransposeRhs() ? 1 : 2)];
  return !ShapedType::isDynamic(k) && k % 4 == 0;
}

/// Of fewer rows, packing takes as long as it saves.
constexpr int64_t kLeastRows = 4;

KernelAttr asMade(MatmulOp op, bool isTurned) {
  Builder b(op.getContext());
  SmallVector<NamedAttribute> params;
  if (isTurned)
    params.push_back(b.getNamedAttr("turned", b.getUnitAttr()));
  return KernelAttr::get(op.getContext(), "int_gemm_made", b.getDictionaryAttr(params));
}

KernelAttr settleMade(MatmulOp op, const Target &target, StringRef &whyNot) {
  if (!isPlain(op, whyNot) || !takesTiles(op, whyNot))
    return {};
  std::optional<ProductSizes> sizes = productSizesOf(op);
  MatmulStrides strides = stridesOf(op);
  bool isTurned = strides.rhsColumn != 1; // its columns are dense
  if (!isByte(op.getLhs()) || !isByte(op.getRhs()))
    whyNot = "not bytes by bytes";
  else if (target.byteKernels != ByteKernels::Dot4 || target.dotProduct == DotProduct::Plain || target.isGpu())
    whyNot = "no products of four bytes";
  else if (!sizes || sizes->m < kLeastRows)
    whyNot = "too few rows for packing to pay, or sizes without bound";
  else if (strides.lhsColumn != 1 || (isTurned && strides.rhsRow != 1))
    whyNot = "rows have gaps";
  else if (isTurned && !hasWholeFours(op))
    whyNot = "columns of the right-hand side are no whole fours";
  else
    return asMade(op, isTurned);
  return {};
}

// Four products in words of 16 bits take twice the instructions of pairs of bytes; and what a vector of bytes takes
// until it is packed, loaded, woven and stored.
constexpr double kOfWords = 1.4, kPerPackedVector = 4;

/// The product by tiles or by dot products, whichever is less, and packing: each vector of bytes is loaded, woven and
/// stored.
std::optional<double> cyclesOfMade(MatmulOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  if (!sizes || !isByte(op.getLhs()) || !isByte(op.getRhs()))
    return std::nullopt;
  double product = byteCycles(target, *sizes);
  if (target.dotProduct == DotProduct::Pairs)
    product *= kOfWords;
  if (std::optional<double> inTiles = cyclesInTiles(target, asProduct(*sizes)))
    product = std::min(product, *inTiles);
  double bytes = double(sizes->batch) * double(sizes->k) * double(sizes->n);
  return product + bytes * kPerPackedVector / double(target.lanes() * 4);
}

ContractionCall callOfMade(MatmulOp op, const Target &target) {
  ContractionCall call;
  bool isTurned = op.getKernelAttr().has("turned");
  call.columns = columnsOfPanel(op, target);
  call.rows = rowsThatCacheHolds(op, rowsOfTile(target, call.columns));
  call.kind = "matmul";
  call.why = "bytes, right-hand side made at run time: packed, then four products to a lane";
  call.headers = {"templates/dot4/int_gemm_made.h"};
  call.function = "intGemmMade";
  std::optional<ProductSizes> sizes = productSizesOf(op);
  bool inTiles = sizes && isForTiles(target, asProduct(*sizes));
  if (inTiles)
    call.why = "bytes, right-hand side made at run time: packed, then products in tile registers";
  call.templateArguments = {numbered(call.rows), numbered(call.columns), named(isTurned ? "true" : "false"),
                            named(inTiles ? "true" : "false")};
  call.arguments = {Arg::Lhs,    Arg::LhsRow,    Arg::Weights, isTurned ? Arg::RhsColumn : Arg::RhsRow,
                    Arg::Output, Arg::OutputRow, Arg::M,       Arg::N,
                    Arg::K,      Arg::Scratch,   Arg::Epilogue};
  call.isPacked = false;
  call.scratchOfShare = bytesOfScratch(op, target);
  if (inTiles)
    call.rows = kTileRows;
  return call;
}

KernelScratch scratchOfMade(MatmulOp op, const Target &target) { return {bytesOfScratch(op, target), 8}; }

} // namespace

Kernel int_gemm_made_kernel() {
  return {"int_gemm_made", 2, MatmulKernel{settleMade, callOfMade, scratchOfMade, nullptr, cyclesOfMade}};
}

} // namespace sinter
