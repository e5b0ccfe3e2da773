// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AttributeProto -> MLIR attribute, and the checks of a node's attributes against its schema.
#include "frontend/attributes.h"
#include "frontend/tensor_data.h"
#include "frontend/value_type.h"

#include "ir/dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
using namespace mlir;

namespace sinter {

AttributeKind kindOf(const onnx::AttributeProto &attribute) {
  if (attribute.type() != onnx::AttributeProto::UNDEFINED)
    return static_cast<AttributeKind>(attribute.type());
  if (attribute.has_f())
    return AttributeKind::Float;
  if (attribute.has_i())
    return AttributeKind::Int;
  if (attribute.has_s())
    return AttributeKind::String;
  if (attribute.has_t())
    return AttributeKind::Tensor;
  if (attribute.has_g())
    return AttributeKind::Graph;
  if (attribute.floats_size())
    return AttributeKind::Floats;
  if (attribute.ints_size())
    return AttributeKind::Ints;
  if (attribute.strings_size())
    return AttributeKind::Strings;
  return AttributeKind::Undefined;
}

Attribute readAttribute(ImportState &state, const onnx::AttributeProto &attribute, AttributeKind kind,
                        const ModelPlace &place) {
  Builder builder(state.context);
  std::string what = "attribute " + quoted(attribute.name());
  SmallVector<Attribute> list;
  auto add = [&](Attribute value) {
    if (value)
      list.push_back(value);
    return value != nullptr;
  };
  auto typeOf = [&](const onnx::TypeProto &proto) -> Attribute {
    ValueType type = readType(state, proto, what, place);
    return TypeAttr::get(type.type ? type.type : Type(AnyType::get(state.context)));
  };
  switch (kind) {
  case AttributeKind::Float:
    return builder.getF32FloatAttr(attribute.f());
  case AttributeKind::Int:
    return builder.getI64IntegerAttr(attribute.i());
  case AttributeKind::String:
    return builder.getStringAttr(attribute.s());
  case AttributeKind::Tensor:
    return readTensor(state, attribute.t(), what, place);
  case AttributeKind::SparseTensor:
    return readSparseTensor(state, attribute.sparse_tensor(), what, place);
  case AttributeKind::TypeProto:
    return typeOf(attribute.tp());
  case AttributeKind::Floats:
    return builder.getDenseF32ArrayAttr(ArrayRef(attribute.floats().data(), attribute.floats_size()));
  case AttributeKind::Ints:
    return builder.getDenseI64ArrayAttr(SmallVector<int64_t>(attribute.ints().begin(), attribute.ints().end()));
  case AttributeKind::Strings:
    for (const std::string &string : attribute.strings())
      list.push_back(builder.getStringAttr(string));
    return builder.getArrayAttr(list);
  case AttributeKind::Tensors:
    for (const auto &tensor : attribute.tensors())
      if (!add(readTensor(state, tensor, what, place)))
        return {};
    return builder.getArrayAttr(list);
  case AttributeKind::SparseTensors:
    for (const auto &tensor : attribute.sparse_tensors())
      if (!add(readSparseTensor(state, tensor, what, place)))
        return {};
    return builder.getArrayAttr(list);
  case AttributeKind::TypeProtos:
    for (const auto &proto : attribute.type_protos())
      list.push_back(typeOf(proto));
    return builder.getArrayAttr(list);
  case AttributeKind::Graph:
  case AttributeKind::Graphs:
  case AttributeKind::Undefined:
    break;
  }
  return {};
}

Attribute readDefault(ImportState &state, const SchemaAttribute &attribute) {
  if (attribute.defaultValue.empty())
    return {};
  Attribute &value = state.defaults[&attribute];
  onnx::AttributeProto proto;
  if (!value && proto.ParseFromArray(attribute.defaultValue.data(), static_cast<int>(attribute.defaultValue.size())))
    value = readAttribute(state, proto, attribute.kind, {});
  return value;
}

namespace {
/// The kind of an attribute that was read already, for one that came through a function's call.
AttributeKind kindOfValue(Attribute value) {
  return llvm::TypeSwitch<Attribute, AttributeKind>(value)
      .Case<FloatAttr>([](auto) { return AttributeKind::Float; })
      .Case<IntegerAttr>([](auto) { return AttributeKind::Int; })
      .Case<StringAttr>([](auto) { return AttributeKind::String; })
      .Case<TypeAttr>([](auto) { return AttributeKind::TypeProto; })
      .Case<DenseF32ArrayAttr>([](auto) { return AttributeKind::Floats; })
      .Case<DenseI64ArrayAttr>([](auto) { return AttributeKind::Ints; })
      .Case<ElementsAttr>([](auto) { return AttributeKind::Tensor; })
      .Case<ArrayAttr>([](ArrayAttr array) {
        if (array.empty() || isa<StringAttr>(array[0]))
          return AttributeKind::Strings;
        return isa<TypeAttr>(array[0]) ? AttributeKind::TypeProtos : AttributeKind::Tensors;
      })
      .Default([](auto) { return AttributeKind::Undefined; });
}

class AttributeReader {
public:
  AttributeReader(ImportState &state, const onnx::NodeProto &node, const OperatorSchema *schema, Scope &scope,
                  const Frame &frame, const ModelPlace &place)
      : state(state), node(node), schema(schema), scope(scope), frame(frame), place(place) {}

  NodeAttributes read();

private:
  void readOne(const onnx::AttributeProto &attribute);
  bool readReference(const onnx::AttributeProto &attribute);
  bool accepts(StringRef name, AttributeKind kind);
  void checkElementType(StringRef name, Attribute value);
  void fillDefaults();

  ImportState &state;
  const onnx::NodeProto &node;
  const OperatorSchema *schema;
  Scope &scope;
  const Frame &frame;
  const ModelPlace &place;
  llvm::StringSet<> seen;
  NamedAttrList values;
  NodeAttributes result;
};

bool AttributeReader::accepts(StringRef name, AttributeKind kind) {
  if (!schema)
    return true;
  const SchemaAttribute *known = schema->attribute(name);
  if (!known) {
    std::string names;
    for (const SchemaAttribute &attribute : schema->attributes)
      names += ((names.empty() ? "" : ", ") + attribute.name).str();
    state.report(Code::UnknownAttribute, "attribute " + quoted(name) + " is unknown to this version of the operator",
                 place, names.empty() ? "the operator has no attributes" : "its attributes: " + names);
    return false;
  }
  if (known->kind == kind)
    return true;
  state.report(Code::WrongAttributeType,
               "attribute " + quoted(name) + " is of type " + attributeKindName(kind) + " instead of " +
                   attributeKindName(known->kind),
               place);
  return false;
}

/// An attribute of a function's body that stands for one of the call; false: the call does not give it.
bool AttributeReader::readReference(const onnx::AttributeProto &attribute) {
  StringRef reference = attribute.ref_attr_name();
  if (auto graph = frame.graphs.find(reference); graph != frame.graphs.end()) {
    result.graphs.push_back({StringAttr::get(state.context, attribute.name()), graph->second});
    return true;
  }
  auto value = frame.attributes.find(reference);
  if (value == frame.attributes.end())
    return false;
  AttributeKind kind = kindOfValue(value->second);
  AttributeKind stated = kindOf(attribute);
  // An empty list of a call has lost its kind.
  if (kind == AttributeKind::Strings && cast<ArrayAttr>(value->second).empty())
    kind = stated;
  if (accepts(attribute.name(), kind))
    values.set(attribute.name(), value->second);
  return true;
}

void AttributeReader::readOne(const onnx::AttributeProto &attribute) {
  StringRef name = attribute.name();
  if (name.empty()) {
    state.report(Code::UnknownAttribute, "an attribute has no name", place);
    return;
  }
  if (seen.contains(name)) {
    state.report(Code::DuplicateAttribute, "attribute " + quoted(name) + " is given twice", place);
    return;
  }
  if (!attribute.ref_attr_name().empty()) {
    if (!frame.function)
      state.report(Code::InvalidFunction,
                   "attribute " + quoted(name) + " refers to a function's attribute outside any function", place);
    else if (readReference(attribute))
      seen.insert(name);
    return;
  }
  seen.insert(name);
  AttributeKind kind = kindOf(attribute);
  if (kind == AttributeKind::Undefined && schema && schema->attribute(name))
    kind = schema->attribute(name)->kind;
  if (!accepts(name, kind))
    return;
  auto addGraph = [&](const onnx::GraphProto &graph) {
    result.graphs.push_back({StringAttr::get(state.context, name), GraphArgument{&graph, &scope, &frame}});
  };
  if (kind == AttributeKind::Graph)
    addGraph(attribute.g());
  else if (kind == AttributeKind::Graphs)
    for (const onnx::GraphProto &graph : attribute.graphs())
      addGraph(graph);
  else if (Attribute value = readAttribute(state, attribute, kind, place)) {
    checkElementType(name, value);
    values.set(name, value);
  }
}

/// Attributes that name an element type, which lowerings take as one.
void AttributeReader::checkElementType(StringRef name, Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  const SchemaAttribute *known = schema ? schema->attribute(name) : nullptr;
  if (!number || !known ||
      !is_contained({"to", "dtype", "output_dtype", "output_datatype", "stash_type", "precision", "softmax_precision"},
                    name))
    return;
  int64_t type = number.getInt();
  bool isDefault = !known->defaultValue.empty() && readDefault(state, *known) == value; // 0: as the operands have it
  if (!isDefault && (type < 1 || type > static_cast<int64_t>(lastElementType)))
    state.report(Code::InvalidType,
                 "attribute " + quoted(name) + " is the element type " + Twine(type) + ", which ONNX does not define",
                 place);
}

void AttributeReader::fillDefaults() {
  for (const SchemaAttribute &attribute : schema->attributes) {
    if (seen.contains(attribute.name))
      continue;
    if (attribute.required) {
      state.report(Code::MissingAttribute, "attribute " + quoted(attribute.name) + " is missing", place);
      continue;
    }
    Attribute value = readDefault(state, attribute);
    if (value)
      values.set(attribute.name, value);
  }
}

NodeAttributes AttributeReader::read() {
  for (const onnx::AttributeProto &attribute : node.attribute())
    readOne(attribute);
  if (schema)
    fillDefaults();
  result.values = values.getDictionary(state.context);
  return std::move(result);
}
} // namespace

NodeAttributes readAttributes(ImportState &state, const onnx::NodeProto &node, const OperatorSchema *schema,
                              Scope &scope, const Frame &frame, const ModelPlace &place) {
  return AttributeReader(state, node, schema, scope, frame, place).read();
}

} // namespace sinter
