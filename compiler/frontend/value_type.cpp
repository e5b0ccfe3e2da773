// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TypeProto -> MLIR type. Dims of graph inputs: input_dims.cpp.
#include "frontend/value_type.h"

#include "ir/dialect.h"

using namespace llvm;
using namespace mlir;

namespace sinter {

std::string tensorTypeString(ElementType element) { return ("tensor(" + elementTypeName(element) + ")").str(); }

std::string typeString(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensorTypeString(elementTypeOf(tensor.getElementType()));
  if (auto sequence = dyn_cast<SequenceType>(type))
    return "seq(" + typeString(sequence.getElement()) + ")";
  if (auto optional = dyn_cast<OptionalType>(type))
    return "optional(" + typeString(optional.getElement()) + ")";
  if (auto map = dyn_cast<MapType>(type))
    return ("map(" + elementTypeName(elementTypeOf(map.getKey())) + "," + typeString(map.getValue()) + ")").str();
  return "";
}

static ValueType unsupported(ImportState &state, const Twine &message, const ModelPlace &place) {
  state.report(Code::InvalidType, message, place);
  return {};
}

static ValueType readTensorType(ImportState &state, const onnx::TypeProto::Tensor &proto, const Twine &what,
                                const ModelPlace &place) {
  ElementType element = elementTypeOfCode(proto.elem_type());
  if (element == ElementType::Undefined)
    return unsupported(
        state, what + " has the element type " + Twine(proto.elem_type()) + ", which ONNX does not define", place);
  std::string string = tensorTypeString(element);
  if (!proto.has_shape())
    return {{}, string};
  SmallVector<int64_t> dims, known;
  for (const auto &dim : proto.shape().dim()) {
    auto symbol = state.symbols.find(dim.dim_param());
    if (dim.has_dim_value())
      dims.push_back(dim.dim_value());
    else if (symbol != state.symbols.end() && symbol->second.min == symbol->second.max)
      dims.push_back(symbol->second.min);
    else
      dims.push_back(ShapedType::kDynamic);
    if (dims.back() < 0 && dims.back() != ShapedType::kDynamic)
      dims.back() = ShapedType::kDynamic; // -1 is how old exporters write "unknown"
    known.push_back(ShapedType::isDynamic(dims.back()) ? 1 : dims.back());
  }
  if (!checkedElements(state, known, what, place))
    return {};
  return {RankedTensorType::get(dims, nodeType(element, state.context)), string};
}

ValueType readType(ImportState &state, const onnx::TypeProto &proto, const Twine &what, const ModelPlace &place) {
  MLIRContext *context = state.context;
  // Within a sequence, a tensor of unknown rank still has its element type.
  auto nested = [&](const onnx::TypeProto &inner, const ValueType &value) -> Type {
    if (value.type)
      return value.type;
    return UnrankedTensorType::get(nodeType(elementTypeOfCode(inner.tensor_type().elem_type()), context));
  };
  switch (proto.value_case()) {
  case onnx::TypeProto::kTensorType:
    return readTensorType(state, proto.tensor_type(), what, place);
  case onnx::TypeProto::kSequenceType: {
    ValueType element = readType(state, proto.sequence_type().elem_type(), what, place);
    if (element.string.empty())
      return {};
    return {SequenceType::get(context, nested(proto.sequence_type().elem_type(), element)),
            "seq(" + element.string + ")"};
  }
  case onnx::TypeProto::kOptionalType: {
    ValueType element = readType(state, proto.optional_type().elem_type(), what, place);
    if (element.string.empty())
      return {};
    return {OptionalType::get(context, nested(proto.optional_type().elem_type(), element)),
            "optional(" + element.string + ")"};
  }
  case onnx::TypeProto::kMapType: {
    ElementType key = elementTypeOfCode(proto.map_type().key_type());
    ValueType value = readType(state, proto.map_type().value_type(), what, place);
    if (value.string.empty())
      return {};
    if (!isInteger(key) && key != ElementType::String)
      return unsupported(state, what + " is a map with keys of type " + elementTypeName(key), place);
    return {MapType::get(context, nodeType(key, context), nested(proto.map_type().value_type(), value)),
            ("map(" + elementTypeName(key) + "," + value.string + ")").str()};
  }
  case onnx::TypeProto::kSparseTensorType:
    return unsupported(state, what + " is a sparse tensor, which only constants may be", place);
  case onnx::TypeProto::VALUE_NOT_SET:
    return {};
  default:
    return unsupported(state, what + " has a type outside the ONNX standard", place);
  }
}

void forgetPlaceholders(onnx::TypeProto &type) {
  switch (type.value_case()) {
  case onnx::TypeProto::kTensorType:
    if (type.tensor_type().has_shape())
      for (auto &dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim())
        if (StringRef name = dim.dim_param();
            !name.empty() && (name == "None" || name == "-1" || name.find_first_not_of("?*-. ") == StringRef::npos))
          dim.clear_dim_param();
    break;
  case onnx::TypeProto::kSequenceType:
    return forgetPlaceholders(*type.mutable_sequence_type()->mutable_elem_type());
  case onnx::TypeProto::kOptionalType:
    return forgetPlaceholders(*type.mutable_optional_type()->mutable_elem_type());
  default:
    break;
  }
}

ArrayAttr dimNames(ImportState &state, const onnx::TypeProto &proto) {
  Builder builder(state.context);
  SmallVector<Attribute> names;
  for (const auto &dim : proto.tensor_type().shape().dim())
    names.push_back(builder.getStringAttr(dim.dim_param()));
  return builder.getArrayAttr(names);
}

} // namespace sinter
