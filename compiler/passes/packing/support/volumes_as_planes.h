// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of volumes of bytes as those of their planes.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// Where a convolution of one volume of bytes is of one group, and on channels-last maps of known sizes: one of as many
/// planes as it makes, whose channels are those of all planes that a window has, side by side; it takes its place. Else
/// the convolution itself.
ConvOp volumeAsPlanes(ConvOp conv);

} // namespace sinter
