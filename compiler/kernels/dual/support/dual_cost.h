// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of templates/dual/ cost: instructions of a call on a Cortex-M4, by what their loops take.
// test/templates/dual_cases.h, run on an emulated one, is within a tenth of it.
#pragma once

#include "dual_shape.h"

namespace sinter {

/// Of dual_conv.h, whose tiles are two outputs by four filters.
int64_t dualConvInstructions(const DualShape &s);
/// Whether dual_winograd.h computes it too.
bool isForWinograd(const DualShape &s);
/// Of dual_winograd.h, which makes two tiles of 2 x 2 outputs at a time.
int64_t winogradInstructions(const DualShape &s);
/// Bytes that weights packed for dual_winograd.h are longer than those for dual_conv.h: of each filter 16 numbers of 16
/// bits for a channel in place of 9 in pairs.
int64_t winogradMoreWeights(const DualShape &s);

/// The shape, if it is known, of an op whose weights are packed for one of these kernels; for the records.
std::optional<DualShape> packedDualShapeOf(ConvOp op);

} // namespace sinter
