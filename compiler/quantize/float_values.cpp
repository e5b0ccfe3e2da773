// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A result has the type that an attribute states, or that of the operands which share its type parameter, or the one
// that a body gives it.
#include "quantize/float_values.h"

#include "frontend/schema_reading.h"
#include "quantize/graph_edit.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter::quantize {
namespace {
constexpr const char *typeAttributes[] = {"to", "dtype", "output_dtype", "output_datatype"};

/// What has tensors of floats in it.
constexpr const char *holderTypes[] = {"seq(tensor(float))", "optional(tensor(float))", "map(string,tensor(float))",
                                       "map(int64,tensor(float))"};

template <class Imports>
StringMap<int64_t> opsetsOf(const Imports &imports) {
  StringMap<int64_t> opsets;
  for (const onnx::OperatorSetIdProto &import : imports)
    opsets[canonicalDomain(import.domain())] = import.version();
  return opsets;
}

std::string keyOf(StringRef domain, StringRef name, StringRef overload) {
  return (canonicalDomain(domain) + ":" + name + ":" + overload).str();
}

/// The body's value that a result of a branch or a loop is; empty: the node has no body that says so.
std::string resultOfBody(const onnx::NodeProto &node, size_t index) {
  if (!isStandard(node, "If") && !isStandard(node, "Loop") && !isStandard(node, "Scan"))
    return "";
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    size_t at = index + (isStandard(node, "Loop") ? 1 : 0); // behind the condition
    if (attribute.has_g() && at < static_cast<size_t>(attribute.g().output_size()))
      return attribute.g().output(static_cast<int>(at)).name();
  }
  return "";
}

bool hasTypeWithoutDefault(const OperatorSchema &schema) {
  return llvm::any_of(typeAttributes, [&](const char *name) {
    const SchemaAttribute *attribute = schema.attribute(name);
    return attribute && attribute->defaultValue.empty();
  });
}

/// A function's node as a call has it: attributes that name the call's are those.
onnx::NodeProto withAttributesOf(const onnx::NodeProto &call, const onnx::FunctionProto &function,
                                 const onnx::NodeProto &node) {
  onnx::NodeProto result = node;
  result.clear_attribute();
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    const onnx::AttributeProto *given = &attribute;
    if (!attribute.ref_attr_name().empty()) {
      given = attributeOf(call, attribute.ref_attr_name());
      for (const onnx::AttributeProto &initial : function.attribute_proto())
        if (!given && initial.name() == attribute.ref_attr_name())
          given = &initial;
    }
    if (!given)
      continue;
    *result.add_attribute() = *given;
    result.mutable_attribute(result.attribute_size() - 1)->set_name(attribute.name());
  }
  return result;
}
} // namespace

FloatValues::FloatValues(const onnx::ModelProto &model) {
  for (const onnx::FunctionProto &function : model.functions())
    functions[keyOf(function.domain(), function.name(), function.overload())] = &function;
  main.opsets = opsetsOf(model.opset_import());
  learn(model.graph(), main);
  functions.clear();
}

const OperatorSchema *FloatValues::schemaOf(const onnx::NodeProto &node, const Scope &scope) const {
  auto opset = scope.opsets.find(canonicalDomain(node.domain()));
  std::optional<int64_t> stated;
  if (opset != scope.opsets.end())
    stated = opset->second;
  return readSchema(canonicalDomain(node.domain()), node.op_type(), stated).schema;
}

const onnx::FunctionProto *FloatValues::functionOf(const onnx::NodeProto &node) const {
  return functions.lookup(keyOf(node.domain(), node.op_type(), node.overload()));
}

void FloatValues::declare(const onnx::ValueInfoProto &value, Scope &scope) const {
  const onnx::TypeProto *type = &value.type();
  if (type->tensor_type().elem_type() == onnx::TensorProto::FLOAT)
    scope.floats.insert(value.name());
  while (const onnx::TypeProto *held = type->has_sequence_type()   ? &type->sequence_type().elem_type()
                                       : type->has_optional_type() ? &type->optional_type().elem_type()
                                       : type->has_map_type()      ? &type->map_type().value_type()
                                                                   : nullptr)
    type = held;
  if (type != &value.type() && type->tensor_type().elem_type() == onnx::TensorProto::FLOAT)
    scope.holders.insert(value.name());
}

void FloatValues::learn(const onnx::GraphProto &graph, Scope &scope) const {
  for (const auto *list : {&graph.input(), &graph.output(), &graph.value_info()})
    for (const onnx::ValueInfoProto &value : *list)
      declare(value, scope);
  for (const onnx::TensorProto &tensor : graph.initializer())
    if (tensor.data_type() == onnx::TensorProto::FLOAT)
      scope.floats.insert(tensor.name());
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    if (tensor.values().data_type() == onnx::TensorProto::FLOAT)
      scope.floats.insert(tensor.values().name());
  for (const onnx::NodeProto &node : graph.node())
    learn(node, scope);
}

void FloatValues::learn(const onnx::NodeProto &node, Scope &scope) const {
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g()) {
      // A body need not state the types of what comes in.
      int before = node.input_size() - attribute.g().input_size(); // Scan's lengths, in its first version
      for (int i = 0; i < attribute.g().input_size(); ++i)
        if (int from = i + before; from >= 0 && from < node.input_size() && scope.floats.contains(node.input(from)))
          scope.floats.insert(attribute.g().input(i).name());
      learn(attribute.g(), scope);
    }
  if (const onnx::FunctionProto *function = functionOf(node)) {
    learnCall(node, *function, scope);
    return;
  }
  for (int o = 0; o < node.output_size(); ++o) {
    if (node.output(o).empty())
      continue;
    if (isFloatResult(node, static_cast<size_t>(o), scope))
      scope.floats.insert(node.output(o));
    else if (isHolder(node, static_cast<size_t>(o), scope))
      scope.holders.insert(node.output(o));
  }
}

void FloatValues::learnCall(const onnx::NodeProto &call, const onnx::FunctionProto &function, Scope &scope) const {
  Scope own{opsetsOf(function.opset_import()), {}, {}};
  for (int i = 0; i < std::min(call.input_size(), function.input_size()); ++i) {
    if (scope.floats.contains(call.input(i)))
      own.floats.insert(function.input(i));
    if (scope.holders.contains(call.input(i)))
      own.holders.insert(function.input(i));
  }
  for (const onnx::NodeProto &node : function.node()) {
    bool refers = llvm::any_of(node.attribute(), [](const auto &each) { return !each.ref_attr_name().empty(); });
    learn(refers ? withAttributesOf(call, function, node) : node, own);
  }
  for (int o = 0; o < std::min(call.output_size(), function.output_size()); ++o) {
    if (own.floats.contains(function.output(o)))
      scope.floats.insert(call.output(o));
    if (own.holders.contains(function.output(o)))
      scope.holders.insert(call.output(o));
  }
}

bool FloatValues::isFloatResult(const onnx::NodeProto &node, size_t index, const Scope &scope) const {
  if (std::string inner = resultOfBody(node, index); !inner.empty())
    return scope.floats.contains(inner);
  for (const char *name : typeAttributes)
    if (int64_t to = integerOf(node, name, 0))
      return to == onnx::TensorProto::FLOAT;
  if (node.op_type() == "CastMap" && canonicalDomain(node.domain()) == "ai.onnx.ml") {
    const onnx::AttributeProto *to = attributeOf(node, "cast_to");
    return !to || to->s() == "TO_FLOAT";
  }
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    StringRef name = attribute.name();
    // Of Constant and ConstantOfShape: value, value_ints; of LabelEncoder: values_floats, values_tensor.
    if (name != "value" && !name.starts_with("value_") && !name.starts_with("values_") && name != "sparse_value")
      continue;
    if (attribute.has_t() || attribute.has_sparse_tensor())
      return (attribute.has_t() ? attribute.t() : attribute.sparse_tensor().values()).data_type() ==
             onnx::TensorProto::FLOAT;
    if (isStandard(node, "Constant") || name.starts_with("values_"))
      return name.contains("float");
  }
  const OperatorSchema *schema = schemaOf(node, scope);
  const SchemaParameter *output = schema ? schema->output(index) : nullptr;
  if (!output)
    return false;
  const SchemaConstraint *constraint = schema->constraint(output->type);
  if (!constraint)
    return output->type == floatType;
  if (!constraint->allows(floatType))
    return false;
  bool readsHolder = false, readsFloat = false;
  for (int i = 0; i < node.input_size(); ++i) {
    const SchemaParameter *input = schema->input(static_cast<size_t>(i));
    if (input && input->type == output->type && !node.input(i).empty())
      return scope.floats.contains(node.input(i));
    if (const SchemaConstraint *other = input ? schema->constraint(input->type) : nullptr)
      readsHolder |= llvm::any_of(holderTypes, [&](const char *type) { return other->allows(type); });
    readsFloat |= scope.floats.contains(node.input(i)) || scope.holders.contains(node.input(i));
  }
  // An element of a sequence or of a map; a result of the operand's type if no attribute has another (EyeLike,
  // Bernoulli).
  if (readsHolder || (node.input_size() > 0 && hasTypeWithoutDefault(*schema)))
    return readsFloat;
  return true;
}

bool FloatValues::isHolder(const onnx::NodeProto &node, size_t index, const Scope &scope) const {
  if (std::string inner = resultOfBody(node, index); !inner.empty())
    return scope.holders.contains(inner);
  const OperatorSchema *schema = schemaOf(node, scope);
  const SchemaParameter *output = schema ? schema->output(index) : nullptr;
  const SchemaConstraint *constraint = output ? schema->constraint(output->type) : nullptr;
  StringRef type = output ? output->type : "";
  bool mayHold = constraint ? constraint->allows("seq(tensor(float))") || constraint->allows("optional(tensor(float))")
                            : type.starts_with("seq(") || type.starts_with("optional(");
  if (!mayHold)
    return false;
  if (isStandard(node, "SequenceEmpty"))
    return integerOf(node, "dtype", onnx::TensorProto::FLOAT) == onnx::TensorProto::FLOAT;
  return llvm::any_of(node.input(), [&](const std::string &input) {
    return scope.floats.contains(input) || scope.holders.contains(input);
  });
}

} // namespace sinter::quantize
