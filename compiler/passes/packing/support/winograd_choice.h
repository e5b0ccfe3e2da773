// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which 3x3 convolutions of bytes Winograd's F(2x2, 3x3) computes, templates/dual/dual_winograd.h, and which stay
// direct ones, templates/dual/dual_conv.h. Results are the same; Winograd takes fewer instructions, and for each filter
// 16 weights of 16 bits instead of 9 of 8.
#pragma once

#include "ir/dialect.h"
#include "target/target.h"
#include "target/wishes.h"

namespace sinter {

/// A convolution that both kernels can compute.
struct WinogradCandidate {
  ConvOp conv;
  int64_t channels, filters, outHeight, outWidth;
  int64_t directSteps;   ///< of dual_conv.h for an output: pairs of channels
  int64_t directScratch; ///< bytes

  int64_t groups() const { return (filters + 3) / 4; }
  /// Bytes that the packed weights are longer.
  int64_t moreWeights() const { return groups() * 4 * (32 * channels - 2 * directSteps); }
  /// By estimate.
  int64_t directInstructions() const;
  int64_t instructions() const;
};

struct WinogradChoice {
  bool isTaken = false;
  std::string reason; ///< for the report
};
/// One for each candidate. Fit::Speed: wherever there are fewer instructions. Otherwise only where the arena's peak
/// stays, and as long as the net's weights grow by no more than a half: what saves most for a byte comes first.
std::vector<WinogradChoice> chooseWinograd(mlir::ModuleOp module, llvm::ArrayRef<WinogradCandidate> candidates,
                                           const Target &target, Fit fit, Threads threads);

} // namespace sinter
