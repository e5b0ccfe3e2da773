// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dual_cost.h"

namespace sinter {
namespace {

int64_t groupsOfFour(const DualShape &s) { return (s.filters + 3) / 4; }
/// Pairs of channels of an output.
int64_t directSteps(const DualShape &s) { return s.kernelH * s.run; }

} // namespace

int64_t dualConvInstructions(const DualShape &s) {
  constexpr int64_t step = 14, results = 100;
  int64_t tiles = llvm::divideCeil(s.outHeight * s.outWidth, 2) * groupsOfFour(s);
  return tiles * (step * directSteps(s) + results) + 2 * s.outHeight * s.outWidth * s.channels;
}

bool isForWinograd(const DualShape &s) {
  return s.kernelH == 3 && s.kernelW == 3 && s.strideH == 1 && s.strideW == 1 && s.groups == 1 && s.byFours &&
         s.outHeight > 0;
}

int64_t winogradInstructions(const DualShape &s) {
  constexpr int64_t channel = 72, product = 7, position = 8, results = 600, pair = 100;
  int64_t pairs = llvm::divideCeil(s.outHeight, 2) * llvm::divideCeil(s.outWidth, 4);
  return pairs * (pair + channel * s.channels + groupsOfFour(s) * (16 * (product * s.channels + position) + results));
}

int64_t winogradMoreWeights(const DualShape &s) { return groupsOfFour(s) * 4 * (32 * s.channels - 2 * directSteps(s)); }

std::optional<DualShape> packedDualShapeOf(ConvOp op) {
  KernelAttr kernel = op.getKernelAttr();
  if (!kernel || (kernel.getName() != "dual_conv" && kernel.getName() != "dual_winograd"))
    return std::nullopt;
  DualShape shape = dualShapeOf(op);
  return shape.outHeight > 0 ? std::optional(shape) : std::nullopt;
}

} // namespace sinter
