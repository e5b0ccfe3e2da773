// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a float inside of a body: quantized arithmetic needs no care for NaN, nor for what no integer holds.
#pragma once

#include "mlir/IR/Value.h"

namespace sinter {

/// Made of integers and of numbers that are multiplied with these: a scale, which is taken to be one.
bool isNeverNan(mlir::Value value);
/// Such a value between two constants that fit an int32.
bool isBounded(mlir::Value value);

} // namespace sinter
