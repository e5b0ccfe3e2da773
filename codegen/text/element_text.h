// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How element types read in C++: in memory (f16 is two bytes of its own type, i1 a byte), as values (f16 computes as
// float, i1 is bool).
#pragma once

#include "code.h"
#include "ir/element_type.h"
#include "mlir/IR/Types.h"

namespace sinter {

/// `float`, `int8_t`, `f16`, `uint8_t` for i1.
PrintedCode memoryText(mlir::Type type);
/// `uint8_t` for i8: what a kernel reads that extends integers without a sign.
PrintedCode unsignedText(mlir::Type type);
/// `float` for f16 and for f32, `bool` for i1, `int64_t` for index.
PrintedCode valueText(mlir::Type type);
/// `f32`, `i8`, `string`: as reports have it.
std::string reportText(mlir::Type type);
/// Bytes of one element in memory.
int64_t memoryBytes(mlir::Type type);
/// Bytes of the widest lane that the value needs while it is computed with.
int64_t valueBytes(mlir::Type type);
/// f16 and bf16: held as float, rounded where they are made.
bool isHeldAsFloat(mlir::Type type);

/// The C type of the ABI: `uint16_t` for f16, `sinter_string`.
PrintedCode abiText(ElementType type);
int64_t abiBytes(ElementType type);
/// How many of abiText's objects hold `elements`: packed types share bytes, complex ones are pairs.
int64_t abiObjects(ElementType type, int64_t elements);

} // namespace sinter
