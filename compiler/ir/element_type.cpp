// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One table of ONNX's element types; everything else is read from it.
#include "element_type.h"

#include "dialect.h"

using namespace mlir;

namespace sinter {
namespace {

enum class Kind { None, Float, NarrowFloat, TinyFloat, Signed, Unsigned, Bool, Complex, String };

struct Entry {
  ElementType type;
  Kind kind;
  unsigned bits;
  llvm::StringRef name;
};

constexpr Entry table[] = {
    {ElementType::Undefined, Kind::None, 0, "undefined"},
    {ElementType::Float, Kind::Float, 32, "float"},
    {ElementType::UInt8, Kind::Unsigned, 8, "uint8"},
    {ElementType::Int8, Kind::Signed, 8, "int8"},
    {ElementType::UInt16, Kind::Unsigned, 16, "uint16"},
    {ElementType::Int16, Kind::Signed, 16, "int16"},
    {ElementType::Int32, Kind::Signed, 32, "int32"},
    {ElementType::Int64, Kind::Signed, 64, "int64"},
    {ElementType::String, Kind::String, 0, "string"},
    {ElementType::Bool, Kind::Bool, 1, "bool"},
    {ElementType::Float16, Kind::NarrowFloat, 16, "float16"},
    {ElementType::Double, Kind::Float, 64, "double"},
    {ElementType::UInt32, Kind::Unsigned, 32, "uint32"},
    {ElementType::UInt64, Kind::Unsigned, 64, "uint64"},
    {ElementType::Complex64, Kind::Complex, 64, "complex64"},
    {ElementType::Complex128, Kind::Complex, 128, "complex128"},
    {ElementType::BFloat16, Kind::NarrowFloat, 16, "bfloat16"},
    {ElementType::Float8E4M3FN, Kind::TinyFloat, 8, "float8e4m3fn"},
    {ElementType::Float8E4M3FNUZ, Kind::TinyFloat, 8, "float8e4m3fnuz"},
    {ElementType::Float8E5M2, Kind::TinyFloat, 8, "float8e5m2"},
    {ElementType::Float8E5M2FNUZ, Kind::TinyFloat, 8, "float8e5m2fnuz"},
    {ElementType::UInt4, Kind::Unsigned, 4, "uint4"},
    {ElementType::Int4, Kind::Signed, 4, "int4"},
    {ElementType::Float4E2M1, Kind::TinyFloat, 4, "float4e2m1"},
    {ElementType::Float8E8M0, Kind::TinyFloat, 8, "float8e8m0"},
    {ElementType::UInt2, Kind::Unsigned, 2, "uint2"},
    {ElementType::Int2, Kind::Signed, 2, "int2"},
    {ElementType::Float6E2M3, Kind::TinyFloat, 6, "float6e2m3"},
    {ElementType::Float6E3M2, Kind::TinyFloat, 6, "float6e3m2"},
};

const Entry &entry(ElementType type) { return table[static_cast<int>(type)]; }

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
  const Entry &e = entry(type);
  switch (e.kind) {
  case Kind::None:
    return nullptr;
  case Kind::Signed:
    return IntegerType::get(context, e.bits, IntegerType::Signed);
  case Kind::Unsigned:
    return IntegerType::get(context, e.bits, IntegerType::Unsigned);
  case Kind::Bool:
    return IntegerType::get(context, 1);
  case Kind::String:
    return StringType::get(context);
  case Kind::Complex:
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
    Kind kind = integer.isUnsigned() ? Kind::Unsigned : Kind::Signed;
    for (const Entry &e : table)
      if (e.kind == kind && e.bits == integer.getWidth())
        return e.type;
    return ElementType::Undefined;
  }
  for (const Entry &e : table)
    if (e.kind != Kind::None && e.kind != Kind::Signed && e.kind != Kind::Unsigned &&
        nodeType(e.type, type.getContext()) == type)
      return e.type;
  return ElementType::Undefined;
}

Type storageType(ElementType type, MLIRContext *context) {
  const Entry &e = entry(type);
  switch (e.kind) {
  case Kind::Signed:
  case Kind::Unsigned:
    return IntegerType::get(context, std::max(e.bits, 8u));
  case Kind::TinyFloat:
    return IntegerType::get(context, 8);
  default:
    return nodeType(type, context);
  }
}

Type computeType(ElementType type, MLIRContext *context) {
  return isNarrowFloat(type) ? Builder(context).getF32Type() : storageType(type, context);
}

bool isFloat(ElementType type) { return entry(type).kind == Kind::Float || isNarrowFloat(type); }
bool isNarrowFloat(ElementType type) { return entry(type).kind == Kind::NarrowFloat || isFloat8Or4(type); }
bool isFloat8Or4(ElementType type) { return entry(type).kind == Kind::TinyFloat; }
bool isInteger(ElementType type) { return entry(type).kind == Kind::Signed || isUnsignedInteger(type); }
bool isUnsignedInteger(ElementType type) { return entry(type).kind == Kind::Unsigned; }
bool isComplex(ElementType type) { return entry(type).kind == Kind::Complex; }
unsigned bitWidth(ElementType type) { return entry(type).bits; }
llvm::StringRef elementTypeName(ElementType type) { return entry(type).name; }

} // namespace sinter
