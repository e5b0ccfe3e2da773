// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input_parts.h"

#include "maps.h"
#include "packed_edges.h"
#include "runtime_sizes.h"
#include "stacked.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

namespace sinter {

DictionaryAttr describeAtEdge(OpBuilder &builder, StringRef name, StringRef part, ElementType element,
                              ArrayRef<Attribute> dims, ArrayRef<NamedAttribute> attributes) {
  NamedAttrList description;
  description.set("name", builder.getStringAttr(name));
  if (!part.empty())
    description.set("part", builder.getStringAttr(part));
  description.set("element", builder.getI64IntegerAttr(static_cast<int>(element)));
  description.set("dims", builder.getArrayAttr(dims));
  for (NamedAttribute attribute : attributes) {
    StringRef key = attribute.getName();
    if (key.consume_front("sinter.") && llvm::is_contained({"scale", "zero_point", "stays_float", "form"}, key))
      description.set(key, attribute.getValue());
  }
  return description.getDictionary(builder.getContext());
}

Value inputBuffer(OpBuilder &builder, Location loc, const Twine &name, MemRefType type, ArrayRef<Value> sizes,
                  ArrayRef<Attribute> inputs) {
  Value buffer = builder.create<InputOp>(loc, type, inputs.size(), sizes, name.str(), false);
  return builder.create<bufferization::ToTensorOp>(loc, buffer, /*restrict=*/true);
}

Tensor InputParts::add(StringRef part, ElementType element, ArrayRef<int64_t> shape) {
  auto type = MemRefType::get(shape, storageType(element, builder.getContext()));
  Value tensor = inputBuffer(builder, loc, name + "." + part, type, {}, inputs);
  SmallVector<Attribute> dims =
      llvm::map_to_vector(shape, [&](int64_t size) -> Attribute { return builder.getI64IntegerAttr(size); });
  inputs.push_back(describeAtEdge(builder, name, part, element, dims, {}));
  return {tensor, element};
}

FailureOr<Converted> InputParts::addValue(Type type, DictionaryAttr extents) {
  if (auto sequence = dyn_cast<SequenceType>(type))
    return addSequence(sequence.getElement(), extents);
  if (auto map = dyn_cast<MapType>(type))
    return addMap(map.getKey(), map.getValue(), extents);
  return failure();
}

/// Of tensors that lie at the edge as they do inside; Undefined of all else.
static ElementType plainElementOf(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  ElementType element = tensor ? elementTypeOf(tensor.getElementType()) : ElementType::Undefined;
  return isPackedAtEdges(element) ? ElementType::Undefined : element;
}

/// Its elements lie as outside: gapless in rows for the largest.
FailureOr<Converted> InputParts::addSequence(Type element, DictionaryAttr extents) {
  SequenceForm form;
  form.element = plainElementOf(element);
  if (form.element == ElementType::Undefined)
    return failure();
  form.capacity = cast<DenseI64ArrayAttr>(extents.get("count"))[1];
  SmallVector<int64_t> shape{std::max<int64_t>(form.capacity, 1)};
  if (auto dims = extents.getAs<ArrayAttr>("dims")) {
    Extents each;
    for (auto dim : dims.getAsRange<DenseI64ArrayAttr>()) {
      each.push_back({dim[0], dim[1]});
      shape.push_back(std::max<int64_t>(dim[1], 1));
    }
    if (form.capacity > 0)
      form.shapes.push_back(std::move(each));
  }
  Tensors at{builder, loc};
  Tensor items = add("elements", form.element, shape);
  items = at.reshape(items, sizesOf(builder, {rowsOf(form), roomOf(form)}));
  Tensor dims = add("dims", ElementType::Int64, {rowsOf(form), columnsOf(form)});
  Tensor count = add("count", ElementType::Int64, {});
  Converted value;
  value.isSequence = true;
  value.tensor.element = form.element;
  value.stacked = std::make_shared<const Stacked>(Stacked{items, dims, count, form});
  return value;
}

FailureOr<Converted> InputParts::addMap(Type key, Type value, DictionaryAttr extents) {
  ElementType keys = elementTypeOf(key), values = plainElementOf(value);
  if (values == ElementType::Undefined || isPackedAtEdges(keys))
    return failure();
  int64_t capacity = cast<DenseI64ArrayAttr>(extents.get("count"))[1], rows = std::max<int64_t>(capacity, 1);
  Tensor allKeys = add("keys", keys, {rows}), allValues = add("values", values, {rows});
  Tensor count = add("count", ElementType::Int64, {});
  Tensors at{builder, loc};
  Size size = countSize(at, count, sizeOf(builder, capacity));
  Converted map;
  map.map = std::make_shared<const Map>(Map{takeFirst(at, allKeys, size, 0), takeFirst(at, allValues, size, 0)});
  return map;
}

} // namespace sinter
