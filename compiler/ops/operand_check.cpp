// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands against the operator's schema, now that their types are exact: the frontend knows only those that the model
// declares.
#include "conversion.h"
#include "rule_check.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sinter {
namespace {

/// "tensor(float)", "seq(tensor(int64))"; "" for a sequence without elements, whose type nobody knows.
std::string typeText(const Converted &value) {
  if (!value.isSequence)
    return value.tensor ? ("tensor(" + elementTypeName(value.tensor.element) + ")").str() : "";
  std::string element = value.elements.empty() ? "" : typeText(value.elements.front());
  return element.empty() ? "" : "seq(" + element + ")";
}

} // namespace

LogicalResult checkOperands(const Op &op, const OperatorSchema &schema) {
  if (op.inputCount() < schema.minInputs || op.inputCount() > schema.maxInputs)
    return op.fail(Code::WrongOperandCount, "the node has " + Twine(op.inputCount()) + " inputs");
  llvm::StringMap<std::string> bound;
  for (unsigned i = 0; i < op.inputCount(); ++i) {
    const SchemaParameter *parameter = schema.input(i);
    if (!parameter)
      break;
    std::string what = "input '" + parameter->name.str() + "'";
    if (!op.has(i)) {
      if (parameter->option == SchemaParameter::Single)
        return op.fail(Code::WrongOperandCount, what + " is left out but not optional");
      continue;
    }
    const Converted &value = *op.conversion.find(op.node.getInputs()[i]);
    const SchemaConstraint *constraint = schema.constraint(parameter->type);
    StringRef allowed = constraint ? constraint->types : parameter->type;
    std::string type = typeText(value);
    // A value that an optional holds is that value.
    bool isAllowed = type.empty() ? allowed.contains(value.isSequence ? "seq(" : "optional(")
                                  : llvm::is_contained(llvm::split(allowed, ' '), type) ||
                                        llvm::is_contained(llvm::split(allowed, ' '), "optional(" + type + ")");
    if (!isAllowed)
      return op.fail(Code::WrongOperandType,
                     what + " is a " + (type.empty() ? "sequence" : type) +
                         ", which this version of the operator does not take",
                     "it takes " + allowed);
    if (!constraint || type.empty() || (parameter->option == SchemaParameter::Variadic && !parameter->homogeneous))
      continue;
    auto [found, isNew] = bound.try_emplace(parameter->type, type);
    if (!isNew && found->second != type)
      return op.fail(Code::WrongOperandType, what + " is a " + type + " instead of a " + found->second);
  }
  return success();
}

} // namespace sinter
