// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pads that may be negative, which take elements away.
#pragma once

#include "runtime_sizes.h"

namespace sinter {

/// One dim without what negative pads take from it: `kept` elements from `first` on, and pads of 0 and more. What a
/// negative pad would take beyond the dim's elements it takes from the padding of the other side.
struct Crop {
  Size first, kept, low, high;
};
Crop cropOf(const Tensors &t, Size own, Size low, Size high);
/// x cropped, then padded with `value` (storage form); one entry of `crops` per dim.
Tensor padCropped(const Tensors &t, Tensor x, llvm::ArrayRef<Crop> crops, mlir::Value value);

} // namespace sinter
