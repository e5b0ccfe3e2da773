// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cast, CastLike (between numeric types: scalar_casts.cpp) and BitCast. Of text the standard says little: floats are
// printed and numbers read as onnxruntime does (templates/text/number_text.h), whole numbers of a bool as 0 and 1; what
// is no number, where onnxruntime fails, is status 8.
#include "builders/small_floats.h"
#include "ops/text.h"

using namespace mlir;

namespace sinter {

namespace {
LogicalResult castToString(Op &op, Tensor x) {
  if (isComplex(x.element))
    return op.unsupported("a cast of complex numbers to text");
  return op.result(textOfNumbers(op, x));
}

LogicalResult castFromString(Op &op, Tensor x, ElementType to) {
  if (isComplex(to))
    return op.unsupported("a cast of text to complex numbers");
  Sizes sizes = op.sizes(x);
  Size all = product(op.b, op.loc, sizes);
  Tensor line = op.reshape(x, {all});
  Tensor wide = op.kernel("read_numbers", {line}, {{{all}, widestNumber(to)}})[0];
  return op.result(op.cast(op.reshape(wide, sizes), to, op.integer("saturate", 1) != 0));
}

LogicalResult lowerCastTo(Op &op, ElementType to) {
  Tensor x = op.input(0);
  if (x.element == ElementType::String && to != ElementType::String)
    return castFromString(op, x, to);
  if (x.element != ElementType::String && to == ElementType::String)
    return castToString(op, x);
  StringRef mode = op.string("round_mode", "up");
  bool saturate = op.integer("saturate", 1);
  if (to != ElementType::Float8E8M0 || x.element == to || (mode == "up" && saturate))
    return op.result(op.cast(x, to, saturate));
  // Scales have no sign and no mantissa: how to round to a power of two is a choice of the node.
  return op.result(op.elementwiseRaw({x}, to, [&](const Scalars &s, ValueRange v) -> Value {
    Value wide = Scalars{s.b, s.loc, x.element}.castTo(ElementType::Float, widen(s.b, s.loc, x.element, v[0]));
    ScaleRounding rounding = mode == "down"      ? ScaleRounding::Down
                             : mode == "nearest" ? ScaleRounding::Nearest
                                                 : ScaleRounding::Up;
    return narrowScale(s.b, s.loc, wide, rounding, saturate);
  }));
}

/// TensorProto's number of a type's name in upper case ("FLOAT16"), as version 1 had it.
ElementType typeNamed(StringRef name) {
  for (int i = 1; i <= static_cast<int>(ElementType::Int2); ++i)
    if (name.equals_insensitive(elementTypeName(static_cast<ElementType>(i))))
      return static_cast<ElementType>(i);
  return ElementType::Undefined;
}

LogicalResult lowerCast(Op &op) {
  ElementType to = op.since == 1 ? typeNamed(op.string("to")) : static_cast<ElementType>(op.integer("to"));
  if (to <= ElementType::Undefined || to > ElementType::Int2)
    return op.unsupported("a cast to an unknown element type");
  return lowerCastTo(op, to);
}

/// Types of less than 8 bits, and bool, fill a byte with their value extended: as integers they say how.
ElementType heldAs(ElementType type) { return type == ElementType::Float4E2M1 ? ElementType::UInt4 : type; }

LogicalResult lowerBitCast(Op &op) {
  Tensor x = op.input(0);
  ElementType from = heldAs(x.element), target = static_cast<ElementType>(op.integer("to")), to = heldAs(target);
  auto width = [](ElementType type) { return type == ElementType::Bool ? 8 : bitWidth(type); };
  if (to <= ElementType::Undefined || to > ElementType::Int2 || isComplex(to) != isComplex(from) ||
      width(to) != width(from) || !width(to))
    return op.unsupported("a bit cast of " + elementTypeName(x.element) + " to a type of another width");
  Type type = storageType(to, op.b.getContext());
  bool byValue = from != to && (width(to) < 8 || from == ElementType::Bool || to == ElementType::Bool);
  if (byValue && (isFloat(from) || isFloat(to)))
    return op.unsupported("a bit cast between bool and a float");
  return op.result(op.elementwiseRaw({x}, target, [&](const Scalars &s, ValueRange v) -> Value {
    if (byValue)
      return Scalars{s.b, s.loc, from}.castTo(to, v[0]);
    return v[0].getType() == type ? v[0] : s.b.create<arith::BitcastOp>(s.loc, type, v[0]).getResult();
  }));
}
} // namespace

void register_cast(Registry &registry) {
  registry.onOp("Cast", {1, 6, 9, 13, 19, 21, 23, 24, 25, 28}, "input[_*] round_mode=up|down|nearest saturate=0|1",
                lowerCast);
  registry.onOp("CastLike", {15, 19, 21, 23, 24, 25},
                "input[_*] target_type[_*] round_mode=up|down|nearest saturate=0|1",
                [](Op &op) { return lowerCastTo(op, op.input(1).element); });
  registry.onOp("BitCast", {26}, "input[_*]", lowerBitCast);
}

} // namespace sinter
