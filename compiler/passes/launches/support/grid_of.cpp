// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_of.h"

#include "ir/host_ops.h"
#include "kernels/cuda/support/gpu_tile.h"
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {
namespace {

std::optional<GridOf> gridOfTiles(const ContractionCall &call, StringRef kernel, std::optional<int64_t> rows,
                                  std::optional<int64_t> columns) {
  if (!call.grid || call.grid->isByElements || call.grid->slices > 1 || !rows || !columns)
    return std::nullopt;
  GridOf grid;
  grid.x = llvm::divideCeil(*rows, call.rows);
  grid.y = llvm::divideCeil(*columns, call.columns);
  grid.threads = call.grid->threads;
  grid.tile = (kernel + " " + call.templateArguments.front().text).str();
  return grid;
}

/// Whether all batches are rows of one product.
bool isOneProduct(MatmulOp op) {
  for (Value operand : {Value(op.getLhs()), Value(op.getRhs()), Value(op.getInits()[0])}) {
    auto type = cast<MemRefType>(operand.getType());
    if (!type.hasStaticShape() || llvm::any_of(type.getShape().drop_back(2), [](int64_t size) { return size != 1; }))
      return false;
  }
  return true;
}

} // namespace

std::optional<GridOf> gridOf(Operation *op, const Target &target) {
  if (!reasonForHost(op).empty())
    return std::nullopt;
  if (auto conv = dyn_cast<ConvOp>(op)) {
    const ConvKernel *kernel = kernelOf(conv);
    return kernel ? gridOfTiles(kernel->call(conv, target), conv.getKernelAttr().getName(), pixelsOf(conv),
                                filtersOf(conv))
                  : std::nullopt;
  }
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    const MatmulKernel *kernel = kernelOf(matmul);
    if (!kernel || !isOneProduct(matmul))
      return std::nullopt;
    auto [rows, columns] = outputSizesOf(matmul);
    return gridOfTiles(kernel->call(matmul, target), matmul.getKernelAttr().getName(), rows, columns);
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    auto type = cast<MemRefType>(fill.getOutputs()[0].getType());
    GridOf grid;
    if (!type.hasStaticShape() || type.getNumElements() < 2)
      return std::nullopt;
    grid.x = llvm::divideCeil(type.getNumElements(), grid.threads);
    return grid;
  }
  auto nest = dyn_cast<linalg::GenericOp>(op);
  // The report has each copy by itself.
  bool isCopy = nest && nest.getNumDpsInputs() == 1 && llvm::hasSingleElement(nest.getRegion().front()) &&
                nest.getRegion().front().getTerminator()->getOperand(0) == nest.getRegion().front().getArgument(0);
  if (!nest || isCopy || nest.getNumLoops() == 0 || nest.getNumParallelLoops() != nest.getNumLoops())
    return std::nullopt;
  int64_t iterations = 1;
  for (int64_t range : nest.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return std::nullopt;
    iterations *= range;
  }
  GridOf grid;
  grid.x = llvm::divideCeil(iterations, grid.threads);
  return iterations < 2 ? std::nullopt : std::optional(grid);
}

} // namespace sinter
