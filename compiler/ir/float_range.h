// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a float inside of a body: quantized arithmetic needs no care for NaN, nor for what no integer holds.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace sinter {

/// The largest magnitude among the elements that an argument of a body stands for; nothing where it is not known, or
/// some are no numbers.
using LargestFn = llvm::function_ref<std::optional<double>(mlir::BlockArgument)>;
/// Of elements of planned constants, as memory/write_weights.cpp has noted it.
std::optional<double> largestOfConstant(mlir::BlockArgument argument);
inline constexpr llvm::StringLiteral largestAttribute = "sinter.largest";

/// Made of integers and of known numbers, so that no step gives infinity or NaN.
bool isNeverNan(mlir::Value value, LargestFn largestOf = largestOfConstant);
/// Such a value between two constants that fit an int32.
bool isBounded(mlir::Value value, LargestFn largestOf = largestOfConstant);

} // namespace sinter
