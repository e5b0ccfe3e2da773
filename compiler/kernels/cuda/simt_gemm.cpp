// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products in float on a GPU, without the matrix unit: templates/cuda/simt_gemm.h.
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

std::vector<TileWay> waysOfSimtGemm(MatmulOp op, const Target &target) {
  return waysOf(gpuProductOf(op), simtTiles(), target);
}

KernelAttr settleSimtGemm(MatmulOp op, const Target &target, StringRef &whyNot) {
  if (!isPlain(op, whyNot))
    return {};
  MatmulStrides strides = stridesOf(op);
  auto isFloat = [](Value value) { return getElementTypeOrSelf(value.getType()).isF32(); };
  if (!isFloat(op.getLhs()) || !isFloat(op.getRhs()) || !op.accumulatorType().isF32())
    whyNot = "operands that are not float";
  else if (strides.lhsColumn != 1 || strides.outputColumn != 1 || (strides.rhsRow != 1 && strides.rhsColumn != 1))
    whyNot = "rows have gaps";
  else if (!isSmall(op.getLhs()) || !isSmall(op.getRhs()) || !isSmall(op.getInits()[0]))
    whyNot = "operands of 2^31 elements and more";
  if (!whyNot.empty())
    return {};
  KernelAttr kernel = withTile(KernelAttr::get(op.getContext(), "simt_gemm", DictionaryAttr::get(op.getContext())),
                               waysOfSimtGemm(op, target));
  return strides.rhsRow == 1 ? kernel.with("by_columns", UnitAttr::get(op.getContext())) : kernel;
}

ContractionCall callOfSimtGemm(MatmulOp op, const Target &target) {
  bool byColumns = op.getKernelAttr().has("by_columns");
  ContractionCall call;
  setTile(call, *wayIn(op.getKernelAttr(), waysOfSimtGemm(op, target)).tile);
  call.templateArguments.push_back(named(byColumns ? "true" : "false"));
  call.kind = "matmul";
  call.why = "float, to the bit of fused multiply-adds: simtGemm";
  call.headers = {"templates/cuda/simt_gemm.h", "templates/panels/tile.h"};
  call.function = "cuda::simtGemm";
  call.arguments = {Arg::Lhs,    Arg::LhsRow,    Arg::Weights, byColumns ? Arg::RhsColumn : Arg::RhsRow,
                    Arg::Output, Arg::OutputRow, Arg::M,       Arg::N,
                    Arg::K,      Arg::Epilogue};
  call.isPacked = false;
  call.hasFixedSizes = false;
  return call;
}

/// Beside the tile's steps in shared memory: a mean and a scale of each row.
int64_t momentBytes(int64_t rows) { return 2 * rows * 4; }

ContractionCall normedCallOfSimtGemm(MatmulOp op, const Target &target) {
  ContractionCall form = callOfSimtGemm(op, target);
  form.grid->sharedBytes += momentBytes(form.rows);
  form.grid->sharedName = ("cuda::normedSharedBytes<" + form.templateArguments.front().text + ">()").str();
  form.function = "cuda::simtNormGemm";
  form.headers.push_back("templates/cuda/simt_norm_gemm.h");
  form.why = "rows normalised on their way: simtNormGemm";
  llvm::erase_if(form.arguments, [](const CallArgument &each) { return each.kind == Arg::LhsRow; });
  return form;
}

std::optional<GpuWork> workOfSimtGemm(MatmulOp op, const Target &target) {
  return gpuProductOf(op) ? std::optional(wayIn(op.getKernelAttr(), waysOfSimtGemm(op, target)).work) : std::nullopt;
}

std::vector<TileWay> normedWaysOfSimtGemm(MatmulOp op, const Target &target) {
  std::optional<GpuProduct> product = gpuProductOf(op);
  std::vector<TileWay> all = waysOfSimtGemm(op, target);
  llvm::erase_if(all, [&](const TileWay &way) {
    return !product || way.tile->sharedBytes + momentBytes(way.tile->rows) > target.gpu.sharedPerBlock;
  });
  for (TileWay &way : all) {
    way.work = simtNormedWork(*product, *way.tile);
    way.microseconds = timeInSequence(target.gpu, way.work).microseconds;
  }
  llvm::stable_sort(all, [](const TileWay &a, const TileWay &b) { return a.microseconds < b.microseconds; });
  return all;
}

std::optional<GpuWork> normedWorkOfSimtGemm(MatmulOp op, const Target &target) {
  std::vector<TileWay> ways = normedWaysOfSimtGemm(op, target);
  return ways.empty() ? std::nullopt : std::optional(wayIn(op.getKernelAttr(), ways).work);
}

} // namespace

Kernel simt_gemm_kernel() {
  static constexpr NormedForm normed{normedWaysOfSimtGemm, normedCallOfSimtGemm, normedWorkOfSimtGemm};
  MatmulKernel kernel{settleSimtGemm, callOfSimtGemm};
  kernel.normed = &normed;
  kernel.tileWays = [](MatmulOp op, const Target &target, bool) { return waysOfSimtGemm(op, target); };
  return gpuKernel("simt_gemm", 5, kernel, workOfSimtGemm);
}

} // namespace sinter
