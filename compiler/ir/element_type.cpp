// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One table of ONNX's element types; everything else is read from it.
#include "element_type.h"

#include "dialect.h"

using namespace mlir;

namespace sinter {
namespace {

enum class TypeKind { None, Float, NarrowFloat, TinyFloat, Signed, Unsigned, Bool, Complex, String };

struct Entry {
  ElementType type;
  TypeKind kind;
  unsigned bits;
  llvm::StringRef name;
};

constexpr Entry elementTypes[] = {
    {ElementType::Undefined, TypeKind::None, 0, "undefined"},
    {ElementType::Float, TypeKind::Float, 32, "float"},
    {ElementType::UInt8, TypeKind::Unsigned, 8, "uint8"},
    {ElementType::Int8, TypeKind::Signed, 8, "int8"},
    {ElementType::UInt16, TypeKind::Unsigned, 16, "uint16"},
    {ElementType::Int16, TypeKind::Signed, 16, "int16"},
    {ElementType::Int32, TypeKind::Signed, 32, "int32"},
    {ElementType::Int64, TypeKind::Signed, 64, "int64"},
    {ElementType::String, TypeKind::String, 0, "string"},
    {ElementType::Bool, TypeKind::Bool, 1, "bool"},
    {ElementType::Float16, TypeKind::NarrowFloat, 16, "float16"},
    {ElementType::Double, TypeKind::Float, 64, "double"},
    {ElementType::UInt32, TypeKind::Unsigned, 32, "uint32"},
    {ElementType::UInt64, TypeKind::Unsigned, 64, "uint64"},
    {ElementType::Complex64, TypeKind::Complex, 64, "complex64"},
    {ElementType::Complex128, TypeKind::Complex, 128, "complex128"},
    {ElementType::BFloat16, TypeKind::NarrowFloat, 16, "bfloat16"},
    {ElementType::Float8E4M3FN, TypeKind::TinyFloat, 8, "float8e4m3fn"},
    {ElementType::Float8E4M3FNUZ, TypeKind::TinyFloat, 8, "float8e4m3fnuz"},
    {ElementType::Float8E5M2, TypeKind::TinyFloat, 8, "float8e5m2"},
    {ElementType::Float8E5M2FNUZ, TypeKind::TinyFloat, 8, "float8e5m2fnuz"},
    {ElementType::UInt4, TypeKind::Unsigned, 4, "uint4"},
    {ElementType::Int4, TypeKind::Signed, 4, "int4"},
    {ElementType::Float4E2M1, TypeKind::TinyFloat, 4, "float4e2m1"},
    {ElementType::Float8E8M0, TypeKind::TinyFloat, 8, "float8e8m0"},
    {ElementType::UInt2, TypeKind::Unsigned, 2, "uint2"},
    {ElementType::Int2, TypeKind::Signed, 2, "int2"},
    {ElementType::Float6E2M3, TypeKind::TinyFloat, 6, "float6e2m3"},
    {ElementType::Float6E3M2, TypeKind::TinyFloat, 6, "float6e3m2"},
};

const Entry &entryOfType(ElementType type) { return elementTypes[static_cast<int>(type)]; }

Type floatType(ElementType type, MLIRContext *context) {
  Builder b(context);
  switch (type) {
  case ElementType::Float:
    return b.getF32Type();
  case ElementType::Double:
    return b.getF64Type();
  case ElementType::Float16:
    return b.getF16Type();
  case ElementType::BFloat16:
    return b.getBF16Type();
  case ElementType::Float8E4M3FN:
    return b.getFloat8E4M3FNType();
  case ElementType::Float8E4M3FNUZ:
    return b.getFloat8E4M3FNUZType();
  case ElementType::Float8E5M2:
    return b.getFloat8E5M2Type();
  case ElementType::Float8E5M2FNUZ:
    return b.getFloat8E5M2FNUZType();
  default:
    return nullptr;
  }
}
} // namespace

Type nodeType(ElementType type, MLIRContext *context) {
  const Entry &e = entryOfType(type);
  switch (e.kind) {
  case TypeKind::None:
    return nullptr;
  case TypeKind::Signed:
    return IntegerType::get(context, e.bits, IntegerType::Signed);
  case TypeKind::Unsigned:
    return IntegerType::get(context, e.bits, IntegerType::Unsigned);
  case TypeKind::Bool:
    return IntegerType::get(context, 1);
  case TypeKind::String:
    return StringType::get(context);
  case TypeKind::Complex:
    return ComplexType::get(e.bits == 64 ? Builder(context).getF32Type() : Builder(context).getF64Type());
  default:
    break;
  }
  if (type == ElementType::Float4E2M1)
    return Float4E2M1Type::get(context);
  if (type == ElementType::Float8E8M0)
    return Float8E8M0Type::get(context);
  if (type == ElementType::Float6E2M3)
    return Float6E2M3Type::get(context);
  if (type == ElementType::Float6E3M2)
    return Float6E3M2Type::get(context);
  return floatType(type, context);
}

ElementType elementTypeOf(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 1)
      return ElementType::Bool;
    TypeKind kind = integer.isUnsigned() ? TypeKind::Unsigned : TypeKind::Signed;
    for (const Entry &e : elementTypes)
      if (e.kind == kind && e.bits == integer.getWidth())
        return e.type;
    return ElementType::Undefined;
  }
  for (const Entry &e : elementTypes)
    if (e.kind != TypeKind::None && e.kind != TypeKind::Signed && e.kind != TypeKind::Unsigned &&
        nodeType(e.type, type.getContext()) == type)
      return e.type;
  return ElementType::Undefined;
}

Type storageType(ElementType type, MLIRContext *context) {
  const Entry &e = entryOfType(type);
  switch (e.kind) {
  case TypeKind::Signed:
  case TypeKind::Unsigned:
    return IntegerType::get(context, std::max(e.bits, 8u));
  case TypeKind::TinyFloat:
    return IntegerType::get(context, 8);
  default:
    return nodeType(type, context);
  }
}

Type computeType(ElementType type, MLIRContext *context) {
  return isNarrowFloat(type) ? Builder(context).getF32Type() : storageType(type, context);
}

bool isFloat(ElementType type) { return entryOfType(type).kind == TypeKind::Float || isNarrowFloat(type); }
bool isNarrowFloat(ElementType type) { return entryOfType(type).kind == TypeKind::NarrowFloat || isFloat8Or4(type); }
bool isFloat8Or4(ElementType type) { return entryOfType(type).kind == TypeKind::TinyFloat; }
bool isInteger(ElementType type) { return entryOfType(type).kind == TypeKind::Signed || isUnsignedInteger(type); }
bool isUnsignedInteger(ElementType type) { return entryOfType(type).kind == TypeKind::Unsigned; }
bool isComplex(ElementType type) { return entryOfType(type).kind == TypeKind::Complex; }
unsigned bitWidth(ElementType type) { return entryOfType(type).bits; }
llvm::StringRef elementTypeName(ElementType type) { return entryOfType(type).name; }

} // namespace sinter
