// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operator's parts beside each other: names that are there twice, types and sizes that nothing says.
#include "custom/check_text.h"

#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace sinter {
namespace {

class OperatorCheck {
public:
  explicit OperatorCheck(const CustomOperator &custom) : custom(custom) {}

  std::string check() {
    if (custom.since < 1)
      return "'since' is the first opset of the operator, from 1 on";
    if (custom.outputs.empty())
      return "an operator needs an output";
    for (auto problem :
         {&OperatorCheck::names, &OperatorCheck::types, &OperatorCheck::optionals, &OperatorCheck::sizes})
      if (std::string text = (this->*problem)(); !text.empty())
        return text;
    return "";
  }

private:
  std::string names() {
    llvm::StringSet<> met;
    auto isTwice = [&](StringRef name) { return !met.insert(name).second; };
    for (const auto *parameters : {&custom.inputs, &custom.outputs})
      for (const CustomParameter &parameter : *parameters)
        if (isTwice(parameter.name))
          return inQuotes(parameter.name) + " is there twice";
    for (const CustomAttribute &attribute : custom.attributes)
      if (isTwice(attribute.name))
        return inQuotes(attribute.name) + " is there twice";
    return "";
  }

  std::string types() {
    llvm::StringSet<> bound;
    for (const CustomParameter &input : custom.inputs)
      bound.insert(input.type);
    for (const auto *parameters : {&custom.inputs, &custom.outputs})
      for (const CustomParameter &parameter : *parameters)
        if (!custom.findType(parameter.type))
          if (std::string problem = problemOfElement(parameter.type); !problem.empty())
            return "the type of " + inQuotes(parameter.name) + ": " + problem + ", nor one of 'types'";
    for (const CustomParameter &output : custom.outputs)
      if (const CustomType *set = custom.findType(output.type);
          set && set->elements.size() > 1 && !bound.contains(output.type))
        return "nothing says which of " + inQuotes(output.type) + " the output " + inQuotes(output.name) + " is";
    return "";
  }

  /// A function always writes all outputs.
  std::string optionals() {
    for (const CustomParameter &output : custom.outputs)
      if (output.isOptional)
        return "'optional' is for inputs";
    return "";
  }

  /// Sizes of outputs and scratch are made of names that inputs and attributes give a meaning.
  std::string sizes() {
    llvm::StringSet<> known;
    std::string problem;
    Rule rule = *parseRule(custom.rule(), problem);
    for (const RuleItem &item : rule.items)
      for (const RuleShape &shape : item.shapes)
        for (const RuleDim &dim : shape.dims)
          if (dim.kind == RuleDim::Run)
            known.insert(dim.name);
          else if (dim.alternatives.size() == 1 && dim.alternatives.front().kind == RuleExpr::Name)
            known.insert(dim.alternatives.front().text);
    for (const CustomParameter &input : custom.inputs)
      known.insert(input.name);
    for (const CustomAttribute &attribute : custom.attributes)
      known.insert(attribute.name);
    auto unknownIn = [&](const RuleShape &shape) {
      std::string unknown;
      auto look = [&](StringRef name) {
        if (!known.contains(name))
          unknown = name.str();
      };
      for (const RuleDim &dim : shape.dims) {
        if (dim.kind == RuleDim::Run)
          look(dim.name);
        for (const RuleExpr &expr : dim.alternatives)
          forEachName(expr, look);
      }
      return unknown;
    };
    for (const RuleShape &shape : custom.madeShapes())
      if (std::string name = unknownIn(shape); !name.empty())
        return inQuotes(name) + " in " + shape.text + " is a dim of no input, nor an attribute";
    return "";
  }

  const CustomOperator &custom;
};
} // namespace

std::string problemOf(const CustomOperator &custom) { return OperatorCheck(custom).check(); }

} // namespace sinter
