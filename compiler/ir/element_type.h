// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX's element types (TensorProto.DataType) and how each is held in the IR: node IR keeps signedness (ui8), tensor IR
// is signless (i8).
#pragma once

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"

namespace sinter {

/// TensorProto.DataType's numbers.
enum class ElementType : int {
  Undefined = 0,
  Float = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Double = 11,
  UInt32 = 12,
  UInt64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  UInt4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  UInt2 = 25,
  Int2 = 26,
  Float6E2M3 = 27,
  Float6E3M2 = 28,
};
constexpr ElementType lastElementType = ElementType::Float6E3M2;

/// The element type of node IR (si8, ui8, f32, !sinter.string, ...) that stands for `type`.
mlir::Type nodeType(ElementType type, mlir::MLIRContext *context);
/// The reverse of nodeType; Undefined for a type that is no ONNX element type. A signless iN (i1 apart) reads as
/// signed.
ElementType elementTypeOf(mlir::Type nodeElementType);
/// How tensor IR holds elements: signless integers, types below 8 bits and float8e8m0 as i8, float8 as MLIR's, bool as
/// i1.
mlir::Type storageType(ElementType type, mlir::MLIRContext *context);
/// The type that arithmetic is done in: f32 for the half and 8-bit floats, storage otherwise.
mlir::Type computeType(ElementType type, mlir::MLIRContext *context);

bool isFloat(ElementType type);           ///< all floating-point types, narrow ones included
bool isNarrowFloat(ElementType type);     ///< 16 bits and below: computed in f32
bool isFloat8Or4(ElementType type);       ///< 8 bits and below
bool isInteger(ElementType type);         ///< signed and unsigned, bool not
bool isUnsignedInteger(ElementType type); ///< uint2 ... uint64
bool isComplex(ElementType type);
unsigned bitWidth(ElementType type); ///< 0 for strings
/// "float16", as ONNX's type strings have it: tensor(float16).
llvm::StringRef elementTypeName(ElementType type);

} // namespace sinter
