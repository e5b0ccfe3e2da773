// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "element_text.h"

#include "dialect.h"

using namespace mlir;

namespace sinter {

bool isHeldAsFloat(Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32; }

int64_t memoryBytes(Type type) {
  if (isa<StringType>(type))
    return 16;
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * memoryBytes(complex.getElementType());
  if (type.isIndex())
    return 8;
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

int64_t valueBytes(Type type) { return isHeldAsFloat(type) ? 4 : memoryBytes(type); }

static PrintedCode integerText(unsigned bits) {
  if (bits <= 8)
    return "int8_t";
  return bits <= 16 ? PrintedCode("int16_t") : bits <= 32 ? PrintedCode("int32_t") : PrintedCode("int64_t");
}

PrintedCode memoryText(Type type) {
  if (isa<StringType>(type))
    return "sinter_string";
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() ? PrintedCode("Complex<float>") : PrintedCode("Complex<double>");
  if (type.isIndex())
    return "int64_t";
  if (type.isInteger(1))
    return "uint8_t";
  if (type.isInteger())
    return integerText(type.getIntOrFloatBitWidth());
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  llvm_unreachable("element types of planned IR are those of storageType()");
}

PrintedCode unsignedText(Type type) { return type.isInteger() ? PrintedCode("u", memoryText(type)) : memoryText(type); }

PrintedCode valueText(Type type) {
  if (type.isInteger(1))
    return "bool";
  return isHeldAsFloat(type) ? PrintedCode("float") : memoryText(type);
}

std::string reportText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  llvm::StringRef word = text;
  word.consume_front("!sinter."); // types of the compiler's own
  return word.str();
}

PrintedCode abiText(ElementType type) {
  switch (type) {
  case ElementType::Float:
  case ElementType::Complex64:
    return "float";
  case ElementType::Double:
  case ElementType::Complex128:
    return "double";
  case ElementType::String:
    return "sinter_string";
  case ElementType::Int8:
    return "int8_t";
  case ElementType::Int16:
    return "int16_t";
  case ElementType::Int32:
    return "int32_t";
  case ElementType::Int64:
    return "int64_t";
  case ElementType::UInt16:
  case ElementType::Float16:
  case ElementType::BFloat16:
    return "uint16_t";
  case ElementType::UInt32:
    return "uint32_t";
  case ElementType::UInt64:
    return "uint64_t";
  default:
    return "uint8_t"; // bool, uint8, float8, packed 4- and 2-bit types
  }
}

int64_t abiBytes(ElementType type) {
  if (type == ElementType::String)
    return 16;
  unsigned bits = bitWidth(type);
  if (isComplex(type))
    bits /= 2;
  return bits < 8 ? 1 : bits / 8;
}

int64_t abiObjects(ElementType type, int64_t elements) {
  if (isComplex(type))
    return 2 * elements;
  if (unsigned bits = bitWidth(type); type != ElementType::Bool && bits > 0 && bits < 8)
    return (elements * bits + 7) / 8;
  return elements;
}

} // namespace sinter
