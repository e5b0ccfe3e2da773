// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which 3x3 convolutions of bytes Winograd's F(2x2, 3x3) computes, templates/dual/dual_winograd.h, and which stay
// direct ones, templates/dual/dual_conv.h. Results are the same; Winograd takes fewer instructions, and for each filter
// 16 weights of 16 bits instead of 9 of 8.
#pragma once

#include "target/wishes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

/// A convolution that both kernels can compute, in numbers.
struct WinogradCandidate {
  int64_t directInstructions = 0, instructions = 0; ///< of a call, by estimate (kernels/dual/support/dual_cost.h)
  int64_t moreWeights = 0;                          ///< bytes that its packed weights are longer

  int64_t saved() const { return directInstructions - instructions; }
};

struct WinogradChoice {
  bool isTaken = false;
  std::string reason; ///< for the report
};
/// One for each candidate. Fit::Speed: wherever there are fewer instructions. Otherwise only where the arena's peak
/// stays (`leavesPeak` of the candidate of that number), and as long as the net's weights, `weightBytes`, grow by no
/// more than a half: what saves most for a byte comes first.
std::vector<WinogradChoice> chooseWinograd(llvm::ArrayRef<WinogradCandidate> candidates, Fit fit, int64_t weightBytes,
                                           llvm::function_ref<bool(size_t candidate)> leavesPeak);

} // namespace sinter
