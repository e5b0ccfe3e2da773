// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "winograd_candidates.h"

#include "kernels/dual/support/dual_cost.h"
#include "passes/tiling/support/map_lifetimes.h"

using namespace mlir;

namespace sinter {
namespace {

/// Bytes of the constant operands of the module's contractions.
int64_t weightBytesOf(ModuleOp module) {
  int64_t bytes = 0;
  module.walk([&](Operation *op) {
    if (auto conv = dyn_cast<ConvOp>(op))
      bytes += mapBytes(conv.getFilter());
    else if (auto matmul = dyn_cast<MatmulOp>(op))
      bytes += mapBytes(matmul.getRhs());
  });
  return bytes;
}

/// Whether the largest need of the arena stays what it is with the direct kernel.
bool leavesPeak(const DualConvolution &convolution, const Target &target, Threads threads) {
  int64_t scratch = winogradScratchOf(convolution.shape.channels);
  if (scratch <= convolution.shape.scratch)
    return true;
  ConvOp conv = convolution.conv;
  Block *block = conv->getBlock();
  if (!isa<FunctionOpInterface>(block->getParentOp()))
    return false; // in a row tile: what else lives there does not show here
  MapLifetimes lifetimes(*block, target, threads);
  int64_t position = lifetimes.positionOf(conv);
  return lifetimes.liveBytes(position, position) + scratch <= lifetimes.largestExcept({});
}

} // namespace

std::vector<WinogradChoice> chooseWinograd(ModuleOp module, ArrayRef<DualConvolution> convolutions,
                                           const Target &target, Fit fit, Threads threads) {
  SmallVector<WinogradCandidate> candidates;
  for (const DualConvolution &each : convolutions)
    candidates.push_back(
        {dualConvInstructions(each.shape), winogradInstructions(each.shape), winogradMoreWeights(each.shape)});
  return chooseWinograd(candidates, fit, weightBytesOf(module),
                        [&](size_t i) { return leavesPeak(convolutions[i], target, threads); });
}

} // namespace sinter
