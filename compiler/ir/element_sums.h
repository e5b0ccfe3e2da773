// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels make of whole numbers: counts that are scattered and their running sums, by which a model finds where
// each of several parts of its rows lies (experts, segments). Floats count as long as they hold each whole number.
#pragma once

#include "interval.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace sinter {

class DimBounds;

/// Of all elements of a kernel's result; all numbers where nothing is known. `bounds` look at contents.
Interval elementsOfKernel(mlir::OpResult tensor, DimBounds &bounds);
/// Of a nest that sums up along some loops, likewise.
Interval elementsOfSums(mlir::OpResult tensor, DimBounds &bounds);
/// Of a float in a nest's body that is a whole number, or of constants.
Interval wholeFloat(mlir::Value floating, DimBounds &bounds);
Interval wholeFloats(mlir::DenseFPElementsAttr numbers);

} // namespace sinter
