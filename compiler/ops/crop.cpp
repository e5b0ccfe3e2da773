// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "crop.h"

using namespace mlir;

namespace sinter {

Crop cropOf(const Tensors &t, Size own, Size low, Size high) {
  OpBuilder &b = t.b;
  Size zero = sizeOf(b, 0);
  if (certainlyNonNegative(low) && certainlyNonNegative(high))
    return {zero, own, low, high};
  auto less = [&](Size x, Size y) { return sub(b, t.loc, x, y); };
  auto atMost = [&](Size x, Size y) { return certainlyAtMost(t, x, y) ? x : minimum(b, t.loc, x, y); };
  auto above0 = [&](Size x) { return certainlyNonNegative(x) ? x : maximum(b, t.loc, x, zero); };
  Size lowCrop = above0(less(zero, low)), highCrop = above0(less(zero, high));
  Size first = atMost(lowCrop, own), rest = within(t, less(own, first), own);
  Size last = atMost(highCrop, rest), kept = within(t, less(rest, last), own);
  auto left = [&](Size pad, Size beyond) {
    Size rest = less(above0(pad), beyond);
    return rangeOf(pad) ? within(t, rest, above0(pad)) : rest;
  };
  return {first, kept, left(low, less(highCrop, last)), left(high, less(lowCrop, first))};
}

Tensor padCropped(const Tensors &t, Tensor x, ArrayRef<Crop> crops, Value value) {
  Sizes own = t.sizes(x), first, kept, low, high, ones(x.rank(), sizeOf(t.b, 1));
  bool isCropped = false;
  for (auto [size, crop] : llvm::zip_equal(own, crops)) {
    first.push_back(crop.first);
    kept.push_back(crop.kept);
    low.push_back(crop.low);
    high.push_back(crop.high);
    isCropped |= !sameSize(crop.kept, size);
  }
  return t.pad(isCropped ? t.slice(x, first, kept, ones) : x, low, high, value);
}

} // namespace sinter
