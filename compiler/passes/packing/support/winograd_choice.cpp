// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The estimate counts what the kernels' loops take on a Cortex-M4; test/templates/dual_cases.h on an emulated one is
// within a tenth of it.
#include "winograd_choice.h"

#include "kernels/dual/support/dual_shape.h"
#include "passes/tiling/support/map_lifetimes.h"

#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;

namespace sinter {
namespace {

/// Bytes of the constant operands of the module's contractions.
int64_t weightBytes(ModuleOp module) {
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
bool leavesPeak(const WinogradCandidate &candidate, const Target &target, Threads threads) {
  int64_t scratch = winogradScratchOf(candidate.channels);
  if (scratch <= candidate.directScratch)
    return true;
  Block *block = candidate.conv->getBlock();
  if (!isa<FunctionOpInterface>(block->getParentOp()))
    return false; // in a row tile: what else lives there does not show here
  MapLifetimes lifetimes(*block, target, threads);
  int64_t position = lifetimes.positionOf(candidate.conv);
  return lifetimes.liveBytes(position, position) + scratch <= lifetimes.largestExcept({});
}

std::string thousands(int64_t number) { return llvm::formatv("{0:F1} k", static_cast<double>(number) / 1000); }

} // namespace

int64_t WinogradCandidate::directInstructions() const {
  constexpr int64_t step = 14, results = 100;
  int64_t tiles = llvm::divideCeil(outHeight * outWidth, 2) * groups();
  return tiles * (step * directSteps + results) + 2 * outHeight * outWidth * channels;
}

int64_t WinogradCandidate::instructions() const {
  constexpr int64_t channel = 72, product = 7, position = 8, results = 600, pair = 100;
  int64_t pairs = llvm::divideCeil(outHeight, 2) * llvm::divideCeil(outWidth, 4);
  return pairs * (pair + channel * channels + groups() * (16 * (product * channels + position) + results));
}

std::vector<WinogradChoice> chooseWinograd(ModuleOp module, ArrayRef<WinogradCandidate> candidates,
                                           const Target &target, Fit fit, Threads threads) {
  bool isForSpeed = fit == Fit::Speed;
  int64_t left = isForSpeed ? std::numeric_limits<int64_t>::max() : weightBytes(module) / 2;
  auto saved = [](const WinogradCandidate &c) { return c.directInstructions() - c.instructions(); };
  auto perByte = [&](const WinogradCandidate &c) {
    return static_cast<double>(saved(c)) / static_cast<double>(std::max<int64_t>(1, c.moreWeights()));
  };
  SmallVector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::stable_sort(order, [&](size_t a, size_t b) { return perByte(candidates[a]) > perByte(candidates[b]); });
  std::vector<WinogradChoice> choices(candidates.size());
  for (size_t i : order) {
    const WinogradCandidate &candidate = candidates[i];
    std::string gain =
        thousands(saved(candidate)) + " instructions less for " + thousands(candidate.moreWeights()) + "B of weights";
    WinogradChoice &choice = choices[i];
    if (saved(candidate) <= 0) {
      choice.reason = "no Winograd: it would take no fewer instructions";
    } else if (!isForSpeed && !leavesPeak(candidate, target, threads)) {
      choice.reason = "no Winograd, which --fit speed takes: its scratch would raise the arena's peak (" + gain + ")";
    } else if (candidate.moreWeights() > left) {
      choice.reason =
          "no Winograd, which --fit speed takes: the net's weights would grow by more than half (" + gain + ")";
    } else {
      choice = {true, "Winograd: about " + gain};
      left -= candidate.moreWeights();
    }
  }
  return choices;
}

} // namespace sinter
