// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands against the operator's schema, now that their types are exact: the frontend knows only those that the model
// declares.
#include "conversion.h"
#include "maps.h"
#include "rule_check.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sinter {
namespace {

/// "tensor(float)", "seq(tensor(int64))", "map(string,tensor(float))"; "" for a sequence without elements, whose type
/// nobody knows.
std::string typeText(const Converted &value) {
  if (value.present) {
    Converted inside = value;
    inside.present = {};
    std::string text = typeText(inside);
    return text.empty() ? "" : "optional(" + text + ")";
  }
  if (value.map)
    return ("map(" + elementTypeName(value.map->keys.element) + ",tensor(" +
            elementTypeName(value.map->values.element) + "))")
        .str();
  if (value.stacked)
    return value.tensor.element == ElementType::Undefined
               ? ""
               : ("seq(tensor(" + elementTypeName(value.tensor.element) + "))").str();
  if (!value.isSequence)
    return value.tensor || value.choice ? ("tensor(" + elementTypeName(value.tensor.element) + ")").str() : "";
  std::string element = value.elements.empty() ? "" : typeText(value.elements.front());
  return element.empty() ? "" : "seq(" + element + ")";
}

/// Does a value of that type stand for one that the schema allows? What an optional holds is itself, and a row of
/// numbers a map from labels that are known (ZipMap).
bool stands(StringRef type, StringRef allowed) {
  return allowed == type || allowed == ("optional(" + type + ")").str() ||
         (allowed.starts_with("seq(map(") && allowed.ends_with(("," + type + "))").str()));
}

/// The types of a node's operands and results, of which those of one type variable ("T") are equal.
class NodeTypes {
public:
  NodeTypes(const Op &op, const OperatorSchema &schema) : op(op), schema(schema) {}

  LogicalResult check(const SchemaParameter &parameter, const Converted &value, StringRef kind);

private:
  const Op &op;
  const OperatorSchema &schema;
  llvm::StringMap<std::string> bound;
};

LogicalResult NodeTypes::check(const SchemaParameter &parameter, const Converted &value, StringRef kind) {
  std::string what = (kind + " '" + parameter.name + "'").str();
  const SchemaConstraint *constraint = schema.constraint(parameter.type);
  StringRef allowed = constraint ? constraint->types : parameter.type;
  std::string type = typeText(value);
  bool isAllowed = type.empty()
                       ? allowed.contains(value.isSequence ? "seq(" : "optional(")
                       : llvm::any_of(llvm::split(allowed, ' '), [&](StringRef one) { return stands(type, one); });
  if (!isAllowed)
    return op.fail(Code::WrongOperandType,
                   what + " is a " + (type.empty() ? "sequence" : type) +
                       ", which this version of the operator does not " + (kind == "input" ? "take" : "make"),
                   (kind == "input" ? "it takes " : "it makes ") + allowed);
  if (!constraint || type.empty() || (parameter.option == SchemaParameter::Variadic && !parameter.homogeneous))
    return success();
  auto [found, isNew] = bound.try_emplace(parameter.type, type);
  if (!isNew && found->second != type)
    return op.fail(Code::WrongOperandType, what + " is a " + type + " instead of a " + found->second);
  return success();
}

/// Binds the types of all operands.
LogicalResult checkInputTypes(const Op &op, const OperatorSchema &schema, NodeTypes &types) {
  for (unsigned i = 0; i < op.inputCount(); ++i)
    if (const SchemaParameter *parameter = schema.input(i); parameter && op.has(i))
      if (failed(types.check(*parameter, *op.conversion.find(op.node.getInputs()[i]), "input")))
        return failure();
  return success();
}

} // namespace

LogicalResult checkOperands(const Op &op, const OperatorSchema &schema) {
  if (op.inputCount() < schema.minInputs || op.inputCount() > schema.maxInputs)
    return op.fail(Code::WrongOperandCount, "the node has " + Twine(op.inputCount()) + " inputs");
  for (unsigned i = 0; i < op.inputCount(); ++i)
    if (const SchemaParameter *parameter = schema.input(i);
        parameter && !op.has(i) && parameter->option != SchemaParameter::Optional)
      return op.fail(Code::WrongOperandCount, "input '" + parameter->name + "' is left out but not optional");
  NodeTypes types(op, schema);
  return checkInputTypes(op, schema, types);
}

LogicalResult checkResults(const Op &op, const OperatorSchema &schema) {
  NodeTypes types(op, schema);
  if (failed(checkInputTypes(op, schema, types)))
    return failure();
  for (unsigned i = 0; i < op.outputCount(); ++i) {
    const SchemaParameter *parameter = schema.output(i);
    const Converted *value = op.wants(i) ? op.conversion.find(op.node.getResult(i)) : nullptr;
    if (parameter && value && !value->isAbsent && failed(types.check(*parameter, *value, "output")))
      return failure();
  }
  return success();
}

} // namespace sinter
