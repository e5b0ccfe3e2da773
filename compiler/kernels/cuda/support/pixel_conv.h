// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of convolutions over pixels and channels (NHWC), or from planes to them, share:
// templates/cuda/conv_shape.h.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// The op's kernel by that name, if the filter was packed as it wants, and both maps are pixels as they lie, the input
/// else planes.
KernelAttr asPixelConv(ConvOp op, llvm::StringRef kernel, llvm::StringRef &whyNot);
/// Whether the input has its channels as planes, not side by side: a net's picture.
bool hasPlanes(ConvOp op);
/// Known numbers of output pixels, all images together, and of a group's filters.
std::optional<int64_t> pixelsOf(ConvOp op);
std::optional<int64_t> filtersOf(ConvOp op);

} // namespace sinter
