// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which 3x3 convolutions of bytes Winograd's F(2x2, 3x3) computes, templates/dual/dual_winograd.h, and which stay
// direct ones, templates/dual/dual_conv.h: what the program says of them goes into numbers, and winograd_choice.h
// decides.
#pragma once

#include "kernels/dual/support/dual_shape.h"
#include "target/target.h"
#include "winograd_choice.h"

namespace sinter {

struct DualConvolution {
  ConvOp conv;
  DualShape shape;
};

/// One choice for each; both kernels can compute it (isForWinograd).
std::vector<WinogradChoice> chooseWinograd(mlir::ModuleOp module, llvm::ArrayRef<DualConvolution> convolutions,
                                           const Target &target, Fit fit, Threads threads);

} // namespace sinter
