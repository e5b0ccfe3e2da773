// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products in halves, bytes and floats on the matrix unit: templates/cuda/tile_gemm.h. The right-hand side has k
// side by side, and its bytes are signed.
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

std::vector<TileWay> allWaysOfTileGemm(MatmulOp op, const Target &target, bool maySlice) {
  return waysOf(gpuProductOf(op),
                matrixTiles(getElementTypeOrSelf(op.getLhs().getType()), op.isLhsUnsigned(), isFast(op)), target,
                maySlice);
}
std::vector<TileWay> waysOfTileGemm(MatmulOp op, const Target &target) {
  return allWaysOfTileGemm(op, target, isSliced(op.getKernelAttr()));
}

KernelAttr settleTileGemm(MatmulOp op, const Target &target, StringRef &whyNot) {
  if (!isPlain(op, whyNot))
    return {};
  MatmulStrides strides = stridesOf(op);
  Type element = getElementTypeOrSelf(op.getLhs().getType());
  bool isBytes = element.isInteger(8);
  if (!(element.isF16() || element.isBF16() || element.isF32() || isBytes) ||
      getElementTypeOrSelf(op.getRhs().getType()) != element)
    whyNot = "operands that are neither floats, nor halves of one type, nor bytes";
  else if (isBytes && (op.getLhsZero() || op.getRhsZero() || op.isRhsUnsigned() || !op.accumulatorType().isInteger(32)))
    whyNot = "bytes with zero points, unsigned ones on the right, or sums wider than 32 bits";
  else if (!hasMatrixUnit(target, element))
    whyNot = "a GPU of the target has no matrix unit for them";
  else if (strides.lhsColumn != 1 || strides.rhsRow != 1 || strides.outputColumn != 1)
    whyNot = "rows have gaps, or the right-hand side's columns have";
  else if (!isSmall(op.getLhs()) || !isSmall(op.getRhs()) || !isSmall(op.getInits()[0]))
    whyNot = "operands of 2^31 elements and more";
  else if (!hasAlignedPairs(op.getInits()[0]))
    whyNot = "rows of the output that begin at odd places";
  else
    return withTile(KernelAttr::get(op.getContext(), "tile_gemm", DictionaryAttr::get(op.getContext())),
                    waysOfTileGemm(op, target));
  return {};
}

ContractionCall callOfTileGemm(MatmulOp op, const Target &target) {
  bool isAligned = hasAlignedRows(op.getLhs()) && hasAlignedRows(op.getRhs());
  TileWay way = wayIn(op.getKernelAttr(), waysOfTileGemm(op, target));
  ContractionCall call;
  setTile(call, *way.tile);
  call.templateArguments.push_back(named(isAligned ? "true" : "false"));
  call.kind = "matmul";
  call.why = onMatrixUnit(*way.tile, getElementTypeOrSelf(op.getLhs().getType()), isAligned, "gemm");
  call.headers = {"templates/cuda/tile_gemm.h", "templates/panels/tile.h"};
  call.function = "cuda::gemm";
  call.arguments = {Arg::Lhs,       Arg::LhsRow, Arg::Weights, Arg::RhsColumn, Arg::Output,
                    Arg::OutputRow, Arg::M,      Arg::N,       Arg::K,         Arg::Epilogue};
  call.isPacked = false;
  call.hasFixedSizes = false;
  if (way.slices > 1)
    slice(call, way.slices, "cuda::splitGemm");
  return call;
}

/// Runs of eight elements that a lane holds of a row: kHeld of templates/cuda/tile_norm_gemm.h.
int64_t heldRuns(int64_t k) { return llvm::divideCeil(k, 256); }

std::vector<TileWay> normedWaysOfTileGemm(MatmulOp op, const Target &target) {
  // Registers of a lane hold four rows at a time. Earlier GPUs have fewer, and no copies that run meanwhile.
  constexpr int64_t mostHeld = 4, firstSm = 80;
  Type element = getElementTypeOrSelf(op.getLhs().getType());
  std::optional<GpuProduct> product = gpuProductOf(op);
  if (!product || !(element.isF16() || element.isBF16()) || heldRuns(product->sizes.k) > mostHeld ||
      target.sms.front() < firstSm)
    return {};
  return normedWaysOf(*product, matrixTiles(element, false), target);
}

ContractionCall normedCallOfTileGemm(MatmulOp op, const Target &target) {
  const GpuTile &tile = *wayIn(op.getKernelAttr(), normedWaysOfTileGemm(op, target)).tile;
  int64_t k = gpuProductOf(op)->sizes.k;
  ContractionCall form = callOfTileGemm(op, target);
  setTile(form, tile);
  form.templateArguments = {named(tile.type), form.templateArguments[1], numbered(heldRuns(k))};
  form.grid->sharedBytes = normedTileBytes(tile, k);
  form.grid->sharedName = "cuda::normedTileBytes<" + tile.type + ">(" + std::to_string(k) + ")";
  form.function = "cuda::tileNormGemm";
  form.headers = {"templates/cuda/tile_norm_gemm.h", "templates/panels/tile.h"};
  form.why = "on the matrix unit, rows normalised on their way: tileNormGemm";
  llvm::erase_if(form.arguments, [](const CallArgument &each) { return each.kind == Arg::LhsRow; });
  return form;
}

std::optional<GpuWork> normedWorkOfTileGemm(MatmulOp op, const Target &target) {
  std::vector<TileWay> ways = normedWaysOfTileGemm(op, target);
  return ways.empty() ? std::nullopt : std::optional(wayIn(op.getKernelAttr(), ways).work);
}

std::optional<GpuWork> workOfTileGemm(MatmulOp op, const Target &target) {
  return gpuProductOf(op) ? std::optional(wayIn(op.getKernelAttr(), waysOfTileGemm(op, target)).work) : std::nullopt;
}

} // namespace

Kernel tile_gemm_kernel() {
  static constexpr NormedForm normed{normedWaysOfTileGemm, normedCallOfTileGemm, normedWorkOfTileGemm};
  MatmulKernel kernel{settleTileGemm, callOfTileGemm};
  kernel.normed = &normed;
  kernel.tileWays = allWaysOfTileGemm;
  return gpuKernel("tile_gemm", 4, kernel, workOfTileGemm);
}

} // namespace sinter
