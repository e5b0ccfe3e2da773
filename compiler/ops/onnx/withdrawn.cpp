// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that ONNX withdrew before 1.5 and that no function of today's operators says: Crop of the last two dims;
// ConstantFill and GivenTensorFill, whose sizes are an attribute, or those of an operand or in it. Others:
// frontend/contrib_schemas.txt.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

/// border: what goes left, above, right and below; with `scale` (height, width) the size is that and only the first
/// two count.
LogicalResult crop(Op &op) {
  Tensor x = op.input(0);
  SmallVector<int64_t> border = op.integers("border"), scale = op.integers("scale");
  Sizes offsets(4, sizeOf(op.b, 0)), ones(4, sizeOf(op.b, 1)), sizes = op.sizes(x);
  for (int64_t d : {0, 1}) {
    int64_t first = border[static_cast<size_t>(1 - d)], last = border[static_cast<size_t>(3 - d)];
    Size rest = sub(op.b, op.loc, sizes[static_cast<size_t>(2 + d)], sizeOf(op.b, first + last));
    offsets[static_cast<size_t>(2 + d)] = sizeOf(op.b, first);
    sizes[static_cast<size_t>(2 + d)] = scale.empty() ? rest : sizeOf(op.b, scale[static_cast<size_t>(d)]);
  }
  return op.result(op.slice(x, offsets, sizes, ones));
}

/// The sizes that a fill has: of the attribute `shape`, else of the operand, or in it; then `extra_shape`.
FailureOr<Sizes> fillSizes(Op &op) {
  Sizes sizes;
  if (!op.has(0))
    for (int64_t size : op.integers("shape"))
      sizes.push_back(sizeOf(op.b, size));
  else if (!op.integer("input_as_shape"))
    sizes = op.sizes(op.input(0));
  else if (!isFloat(op.input(0).element)) {
    FailureOr<Sizes> read = op.elements(0, "input");
    if (failed(read))
      return failure();
    sizes = *read;
  } else {
    auto numbers = op.constantReals(0);
    if (!numbers)
      return op.fail(Code::ShapeNotConstant, "the sizes in 'shape' are not constant");
    for (double number : *numbers)
      sizes.push_back(sizeOf(op.b, static_cast<int64_t>(number)));
  }
  for (int64_t size : op.integers("extra_shape"))
    sizes.push_back(sizeOf(op.b, size));
  return sizes;
}

LogicalResult constantFill(Op &op) {
  auto type = static_cast<ElementType>(op.integer("dtype"));
  if (type != ElementType::Float && type != ElementType::Int32 && type != ElementType::Int64 &&
      type != ElementType::Bool)
    return op.unsupported("'dtype' is not float, int32, int64 or bool");
  FailureOr<Sizes> sizes = fillSizes(op);
  if (failed(sizes))
    return failure();
  return op.result(op.filled(*sizes, type, Scalars{op.b, op.loc, type}.constant(op.real("value"))));
}

LogicalResult givenTensorFill(Op &op) {
  FailureOr<Sizes> sizes = fillSizes(op);
  if (failed(sizes))
    return failure();
  auto values = dyn_cast_or_null<DenseF32ArrayAttr>(op.attribute("values"));
  auto type = RankedTensorType::get({values.size()}, op.b.getF32Type());
  ElementType element = op.has(0) ? op.input(0).element : ElementType::Float;
  Tensor flat{op.b.create<arith::ConstantOp>(op.loc, DenseElementsAttr::get(type, values.asArrayRef())),
              ElementType::Float};
  for (Size size : *sizes)
    if (!isa<Attribute>(size))
      return op.fail(Code::ShapeNotConstant, "the sizes of the result are not constant");
  int64_t count = 1;
  for (Size size : *sizes)
    count *= *getConstantIntValue(size);
  if (count != values.size())
    return op.fail(Code::ShapeMismatch,
                   "'values' has " + Twine(values.size()) + " numbers; the shape has " + Twine(count) + " elements");
  return op.result(op.reshape(op.cast(flat, element), *sizes));
}
} // namespace

void register_withdrawn(Registry &registry) {
  registry.onOp("Crop", {1},
                "input[N,C,H,W] border[4] border>=0 scale[0|2] {has(scale)=0}at(border,1)+at(border,3)<=H "
                "{has(scale)=0}at(border,0)+at(border,2)<=W {has(scale)=1}at(border,1)+at(scale,0)<=H "
                "{has(scale)=1}at(border,0)+at(scale,1)<=W",
                crop);
  registry.onOp("ConstantFill", {1}, "input[_*] {input_as_shape=1}input[_] shape>=0 extra_shape>=0", constantFill);
  registry.onOp("GivenTensorFill", {1}, "shape[_*] {input_as_shape=1}shape[_] extra_shape>=0", givenTensorFill);
}

} // namespace sinter
