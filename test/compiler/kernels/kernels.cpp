// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of kernels, and what records take from their templates.
#include "kernels/kernel.h"
#include "templates/dual/dual_conv.h"
#include "templates/dual/dual_depthwise.h"
#include "templates/dual/dual_winograd.h"

#include "llvm/ADT/StringSet.h"
#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// 3x3 on a map of 7 x 9 pixels of 6 channels, as generated code has it.
struct Known {
  static constexpr int64_t channels = 6, width = 9, outHeight = 7, outWidth = 9;
  static constexpr int64_t kernelH = 3, kernelW = 3, strideH = 1, strideW = 1, padLeft = 1;
};
ConvShape sameAtRunTime() {
  ConvShape s;
  s.channels = s.filters = 6;
  s.height = s.outHeight = 7;
  s.width = s.outWidth = 9;
  s.kernelH = s.kernelW = 3;
  s.padTop = s.padLeft = 1;
  return s;
}

} // namespace

TEST_CASE("each kernel has a name of its own, and those that packing names come first") {
  llvm::StringSet<> names;
  int rank = 0;
  for (const Kernel &kernel : kernels()) {
    CHECK(names.insert(kernel.name).second);
    CHECK(kernel.conv.has_value() + kernel.matmul.has_value() + kernel.ofTemplate.has_value() == 1);
    CHECK(kernel.rank >= rank);
    CHECK(kernelNamed(kernel.name) == &kernel);
    rank = kernel.rank;
  }
  CHECK(names.contains("dual_conv"));
  CHECK(kernelNamed("conv_direct")->rank > kernelNamed("conv_rows")->rank);
  CHECK(kernelNamed("none of them") == nullptr);
}

TEST_CASE("sizes that the compiler reserves are those that a kernel works with") {
  ConvShape s = sameAtRunTime();
  CHECK(dualConvSizes(s, s.outHeight, Channels::Last).scratch == DualConvPlan<Known>::scratch);
  CHECK(dualConvSizes(s, s.outHeight, Channels::First).scratch == DualConvPlan<Known, Channels::First>::scratch);
  CHECK(dualDepthwiseSizes(s, s.outHeight).scratch == DualDepthwisePlan<Known>::scratch);
  CHECK(winogradScratch(s.channels) == WinogradPlan<Known>::scratch);
  // Odd rows of nine pixels: pairs lie below each other, in four lines of 11 pixels and one element more, in fours.
  CHECK(dualConvSizes(s, s.outHeight, Channels::Last).scratch == 4 * 68);
  // A 1x1 contraction widens two pixels.
  s.kernelH = s.kernelW = 1;
  CHECK(dualConvSizes(s, s.outHeight, Channels::Last).scratch == 12);
}

TEST_CASE("orders that the memory plan counts on") {
  mlir::MLIRContext context;
  context.loadDialect<SinterDialect>();
  auto attribute = [&](llvm::StringRef name, bool copies) {
    mlir::Builder b(&context);
    auto params =
        copies ? b.getDictionaryAttr(b.getNamedAttr("copies_rows", b.getUnitAttr())) : b.getDictionaryAttr({});
    return KernelAttr::get(&context, name, params);
  };
  CHECK(orderOf(attribute("dual_conv", false))->order == Order::Held);
  CHECK(orderOf(attribute("dual_winograd", false))->rows == 2);
  CHECK(orderOf(attribute("conv_im2col", false))->pixels == 8);
  CHECK_FALSE(orderOf(attribute("conv_im2col", false))->holdsPixels);
  CHECK(orderOf(attribute("conv_im2col", true))->holdsPixels);
  CHECK_FALSE(orderOf(attribute("conv", false)).has_value());
  CHECK_FALSE(orderOf(KernelAttr()).has_value());
}
