// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dual_shape.h"

#include "templates/dual/dual_conv.h"
#include "templates/dual/dual_depthwise.h"
#include "templates/dual/dual_winograd.h"

using namespace mlir;

namespace sinter {
namespace {

/// Of int16 elements, whole words.
int64_t halfwordBytesOf(int64_t elements) { return static_cast<int64_t>(llvm::alignTo(2 * elements, 4)); }

void takeSizes(DualShape &s) {
  ConvShape shape;
  shape.channels = s.channels;
  shape.width = s.width;
  shape.outHeight = s.outHeight;
  shape.outWidth = s.outWidth;
  shape.kernelH = s.kernelH;
  shape.kernelW = s.kernelW;
  shape.strideH = s.strideH;
  shape.strideW = s.strideW;
  shape.padLeft = s.padLeft;
  DualConvSizes sizes = dualConvSizes(shape, s.outHeight, s.hasPlanes ? Channels::First : Channels::Last);
  s.byFours = sizes.byFours;
  s.isPointwise = sizes.isPointwise;
  s.lineChannels = sizes.channels;
  s.run = sizes.run;
  s.pixelBytes = sizes.pixel;
  s.scratch = halfwordBytesOf(s.groups > 1 ? dualDepthwiseSizes(shape, s.outHeight).scratch : sizes.scratch);
}

} // namespace

DualShape dualShapeOf(ConvOp op) {
  ArrayRef<int64_t> in = cast<ShapedType>(op.getInput().getType()).getShape(),
                    out = cast<ShapedType>(op.getInits()[0].getType()).getShape();
  size_t spatial = op.getStrides().size();
  DualShape s;
  s.hasPlanes = op.inputLayout() == "nchw";
  s.channels = s.hasPlanes ? in[1] : in.back();
  s.filters = out.back();
  s.groups = static_cast<int64_t>(op.getGroup());
  s.width = in[1 + spatial];
  s.outWidth = out[1 + spatial];
  s.kernelW = op.taps(static_cast<int64_t>(spatial) - 1);
  s.strideW = op.getStrides().back();
  s.padLeft = op.getPads().empty() ? 0 : op.getPads().back();
  if (spatial == 2) {
    s.outHeight = ShapedType::isDynamic(out[2]) ? static_cast<int64_t>(op.getMostRows().value_or(0)) : out[2];
    s.kernelH = op.taps(0);
    s.strideH = op.getStrides()[0];
  }
  takeSizes(s);
  return s;
}

int64_t winogradScratchOf(int64_t channels) { return 4 * winogradScratch(channels); }

std::string choiceOf(KernelAttr kernel) { return kernel.has("choice") ? "; " + kernel.text("choice").str() : ""; }
CallArgument groupsOf(Value weights) { return numbered(cast<ShapedType>(weights.getType()).getDimSize(0)); }
CallArgument provedOf(KernelAttr kernel) { return numbered(kernel.number("proved")); }

} // namespace sinter
