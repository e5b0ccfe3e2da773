// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of volumes of bytes as those of their planes.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// Where a convolution of one volume of bytes is on channels-last maps of known sizes: one of as many planes as it
/// makes; it takes its place. Its channels are those of all planes that a window has, side by side; in several groups
/// its rows are theirs by turns, if a window's rows are adjacent. Else the convolution itself.
ConvOp volumeAsPlanes(ConvOp conv);

} // namespace sinter
