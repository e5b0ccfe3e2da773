// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as templates/dual/ sees them. What a shape needs, the templates' own functions say.
#pragma once

#include "ir/dialect.h"
#include "kernels/contraction_call.h"

namespace sinter {

/// Of an op on tensors or buffers whose sizes are known, but for the rows of a row tile: of the output the most of
/// them, or 0. One spatial dim: height 1.
struct DualShape {
  int64_t channels = 1, filters = 1, groups = 1, width = 1, outHeight = 1, outWidth = 1;
  int64_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1, padLeft = 0;
  bool hasPlanes = false; ///< of the input

  // DualConvSizes of templates/dual/dual_conv.h:
  bool byFours = false, isPointwise = false;
  int64_t lineChannels = 0, run = 0, pixelBytes = 0;
  int64_t scratch = 0; ///< bytes, of dual_conv.h or dual_depthwise.h
};
DualShape dualShapeOf(ConvOp op);
/// Bytes, of dual_winograd.h.
int64_t winogradScratchOf(int64_t channels);

/// What the report says behind the kernel's own words: why it was chosen.
std::string choiceOf(KernelAttr kernel);
/// Groups of filters, and how many of them are proved.
CallArgument groupsOf(mlir::Value weights);
CallArgument provedOf(KernelAttr kernel);

} // namespace sinter
