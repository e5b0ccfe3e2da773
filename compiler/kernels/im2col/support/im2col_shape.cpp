// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "im2col_shape.h"

using namespace mlir;

namespace sinter {

Im2colShape im2colShapeOf(ConvOp op) {
  auto known = [](int64_t size) { return ShapedType::isDynamic(size) ? int64_t(1) << 30 : size; };
  ArrayRef<int64_t> in = cast<MemRefType>(op.getInput().getType()).getShape(),
                    out = cast<MemRefType>(op.getInits()[0].getType()).getShape();
  auto spatial = static_cast<int64_t>(op.getStrides().size());
  Im2colShape s{};
  s.channels = in.back();
  s.kernelH = spatial == 2 ? op.taps(0) : 1;
  s.kernelW = op.taps(spatial - 1);
  s.taps = s.kernelH * s.kernelW;
  s.runs = op.getKernelAttr().number("runs", 1);
  s.width = known(out[1 + spatial]);
  s.height = spatial == 2 ? known(out[2]) : 1;
  return s;
}

bool readsRowsInPlace(ConvOp op, const Im2colCore &core) {
  auto in = cast<MemRefType>(op.getInput().getType());
  auto [strides, offset] = getStridesAndOffset(in);
  (void)offset;
  Im2colShape s = im2colShapeOf(op);
  return core.readsInPlace && !op.isInputUnsigned() && s.runs == s.kernelH &&
         (s.kernelW == 1 || (op.getDilations().back() == 1 && strides[1 + op.getStrides().size()] == s.channels));
}

} // namespace sinter
