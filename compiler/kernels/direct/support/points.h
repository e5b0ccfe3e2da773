// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of single taps over plain channels, whose planes are rows: convPoints of templates/direct/conv_rows.h.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// Single taps at each element of planes.
bool isOfPoints(ConvOp op);
/// Whether the epilogue may take a plane for one row: what it reads beside sums is a number for each plane, or an
/// element for each of theirs in the same order.
bool hasEpilogueOfPlanes(ConvOp op);
/// Whether all planes that a convolution on buffers reads and writes, its epilogue's among them, have no gaps.
bool hasDensePlanes(ConvOp op);

} // namespace sinter
