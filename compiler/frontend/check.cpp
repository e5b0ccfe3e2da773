// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of one node against its schema. Its attributes: attributes.cpp.
#include "frontend/check.h"
#include "frontend/schema_reading.h"

using namespace llvm;

namespace sinter {
namespace {
/// What else the operator may be called.
std::string hintForUnknown(StringRef domain, StringRef name) {
  StringRef closest = closestOperator(domain, name);
  if (!closest.empty())
    return ("did the exporter mean " + closest + "?").str();
  if (domain.empty())
    return "custom operators live in a domain of their own; a function of the model can define them";
  return ("no schema is known for domain " + domain +
          "; --custom-ops FILE.yaml describes operators of your own (docs/custom-operators.md), or export them as "
          "functions of the model")
      .str();
}

/// The types that the variables of a schema ("T") stand for in one node.
class Binding {
public:
  explicit Binding(const OperatorSchema &schema) : schema(schema) {}

  /// What a parameter's type must be: known from the schema or from an operand met before; "" if open.
  StringRef expected(const SchemaParameter &parameter) const {
    if (!schema.constraint(parameter.type))
      return parameter.type;
    auto bound = types.find(parameter.type);
    return bound == types.end() || !binds(parameter) ? StringRef() : bound->second;
  }
  bool allows(const SchemaParameter &parameter, StringRef type) const {
    const SchemaConstraint *constraint = schema.constraint(parameter.type);
    return !constraint || constraint->allows(type);
  }
  void bind(const SchemaParameter &parameter, StringRef type) {
    if (binds(parameter) && allows(parameter, type))
      types.try_emplace(parameter.type, type);
  }
  /// The only type that a constraint allows; "" if there are several.
  StringRef only(const SchemaParameter &parameter) const {
    const SchemaConstraint *constraint = schema.constraint(parameter.type);
    return constraint && !constraint->types.contains(' ') ? constraint->types : StringRef();
  }

private:
  static bool binds(const SchemaParameter &parameter) {
    return parameter.option != SchemaParameter::Variadic || parameter.homogeneous;
  }

  const OperatorSchema &schema;
  llvm::StringMap<StringRef> types;
};

class OperandChecker {
public:
  OperandChecker(ImportState &state, const onnx::NodeProto &node, const OperatorSchema &schema, const ModelPlace &place)
      : state(state), node(node), schema(schema), place(place), binding(schema) {}

  void counts();
  void inputs(ArrayRef<StringRef> types);
  SmallVector<StringRef> outputs(ArrayRef<StringRef> declared);

private:
  void type(const SchemaParameter &parameter, StringRef type, const Twine &what);

  ImportState &state;
  const onnx::NodeProto &node;
  const OperatorSchema &schema;
  const ModelPlace &place;
  Binding binding;
};

std::string range(uint32_t low, uint32_t high) {
  if (low == high)
    return std::to_string(low);
  if (high >= INT32_MAX)
    return std::to_string(low) + " or more";
  return std::to_string(low) + " to " + std::to_string(high);
}

void OperandChecker::counts() {
  auto check = [&](StringRef what, size_t count, uint32_t low, uint32_t high) {
    if (count < low || count > high)
      state.report(Code::WrongOperandCount,
                   "the node has " + Twine(count) + " " + what + "; the operator takes " + range(low, high), place);
  };
  check("inputs", static_cast<size_t>(node.input_size()), schema.minInputs, schema.maxInputs);
  check("outputs", static_cast<size_t>(node.output_size()), schema.minOutputs, schema.maxOutputs);
}

void OperandChecker::type(const SchemaParameter &parameter, StringRef type, const Twine &what) {
  StringRef expected = binding.expected(parameter);
  if (!expected.empty() && expected != type)
    state.report(Code::WrongOperandType, what + " is a " + type + " instead of a " + expected, place);
  else if (!binding.allows(parameter, type))
    state.report(Code::WrongOperandType, what + " is a " + type + ", which this version of the operator does not take",
                 place, "it takes " + schema.constraint(parameter.type)->types);
}

void OperandChecker::inputs(ArrayRef<StringRef> types) {
  for (int i = 0; i < node.input_size(); ++i) {
    auto index = static_cast<size_t>(i);
    const SchemaParameter *parameter = schema.input(index);
    if (!parameter)
      break;
    std::string what = "input " + quoted(parameter->name);
    if (node.input(i).empty()) {
      if (parameter->option != SchemaParameter::Optional)
        state.report(Code::WrongOperandCount, what + " is left out but not optional", place);
      continue;
    }
    StringRef given = index < types.size() ? types[index] : StringRef();
    if (given.empty())
      continue;
    type(*parameter, given, what);
    binding.bind(*parameter, given);
  }
}

SmallVector<StringRef> OperandChecker::outputs(ArrayRef<StringRef> declared) {
  SmallVector<StringRef> types(declared.begin(), declared.end());
  for (auto [index, known] : llvm::enumerate(types)) {
    const SchemaParameter *parameter = schema.output(index);
    if (!parameter)
      break;
    if (!known.empty()) {
      type(*parameter, known, "output " + quoted(parameter->name));
      binding.bind(*parameter, known);
    } else if (StringRef expected = binding.expected(*parameter); !expected.empty()) {
      known = expected;
    } else {
      known = binding.only(*parameter);
    }
  }
  return types;
}
} // namespace

const OperatorSchema *schemaOf(ImportState &state, const onnx::NodeProto &node, const Opsets &opsets,
                               const ModelPlace &place) {
  StringRef domain = canonicalDomain(node.domain());
  auto stated = opsets.find(domain);
  std::optional<int64_t> opset;
  if (stated != opsets.end())
    opset = stated->second;
  SchemaReading reading = readSchema(domain, node.op_type(), opset);
  if (reading.kind == SchemaReading::AsStated || !state.reports())
    return reading.schema;
  if (!reading.schema && opset) {
    state.report(Code::UnknownOperator, "operator " + quoted(qualifiedName(domain, node.op_type())) + " is unknown",
                 place, hintForUnknown(domain, node.op_type()));
    return nullptr;
  }
  bool readable = reading.schema && !reading.schema->deprecated;
  if (!state.options.strict && readable) {
    state.note(reading.describe(domain, opset) + "; " + reading.schema->name + " is read as of opset " +
               Twine(reading.schema->since));
    return reading.schema;
  }
  std::string problem = reading.describe(domain, opset);
  StringRef lenient = readable ? "; without --strict it is read all the same" : "";
  switch (reading.kind) {
  case SchemaReading::OpsetMissing:
    if (state.missingOpsets.insert(domain).second)
      state.report(Code::MissingOpset, problem, place, "add an opset_import for it, or export again" + lenient);
    return nullptr;
  case SchemaReading::TooEarly:
    state.report(Code::UnknownOperator, problem, place, "export for a newer opset" + lenient);
    return nullptr;
  case SchemaReading::Withdrawn:
    state.report(Code::DeprecatedOperator, problem, place,
                 "export for an older opset, or with the operators that replaced it" + lenient);
    return reading.schema;
  case SchemaReading::AsStated:
    break;
  }
  return reading.schema;
}

SmallVector<StringRef> checkOperands(ImportState &state, const onnx::NodeProto &node, const OperatorSchema &schema,
                                     ArrayRef<StringRef> types, ArrayRef<StringRef> declared, const ModelPlace &place) {
  OperandChecker checker(state, node, schema, place);
  checker.counts();
  checker.inputs(types);
  return checker.outputs(declared);
}

} // namespace sinter
