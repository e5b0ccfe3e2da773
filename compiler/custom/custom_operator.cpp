// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "custom/custom_operator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace sinter {

std::string CustomOperator::rule() const {
  std::string text;
  for (const CustomParameter &input : inputs)
    if (!input.shape.empty())
      text += (text.empty() ? "" : " ") + input.name + input.shape;
  return text + (text.empty() || fits.empty() ? "" : " ") + fits;
}

std::vector<RuleShape> CustomOperator::madeShapes() const {
  std::vector<std::string> texts;
  for (const CustomParameter &output : outputs)
    texts.push_back(output.shape);
  if (!scratch.empty())
    texts.push_back("[" + scratch + "]");
  std::vector<RuleShape> shapes;
  for (const std::string &text : texts) {
    std::string problem;
    shapes.push_back(parseRule("y" + text, problem)->items.front().shapes.front());
  }
  return shapes;
}

const CustomType *CustomOperator::findType(StringRef type) const {
  auto found = find_if(types, [&](const CustomType &each) { return each.name == type; });
  return found == types.end() ? nullptr : &*found;
}

std::vector<std::string> CustomOperator::paths() const {
  std::vector<std::string> all = {folder + "/" + header};
  for (const std::string &file : files)
    all.push_back(folder + "/" + file);
  return all;
}

/// "int32_t"; the name of a set of types stands for itself.
static std::string typeText(StringRef type) {
  return llvm::StringSwitch<std::string>(type)
      .Cases("float", "double", "bool", type.str())
      .Cases("float16", "bfloat16", "uint16_t") // as in the C ABI
      .Cases("int8", "int16", "int32", "int64", (type + "_t").str())
      .Cases("uint8", "uint16", "uint32", "uint64", (type + "_t").str())
      .Default(type.str());
}

std::string CustomOperator::signature() const {
  std::vector<std::string> arguments;
  auto addTensor = [&](const CustomParameter &tensor, StringRef before) {
    const CustomType *set = findType(tensor.type);
    StringRef type = set && set->elements.size() == 1 ? StringRef(set->elements.front()) : StringRef(tensor.type);
    arguments.push_back(before.str() + typeText(type) + " *" + tensor.name);
    arguments.push_back("const int64_t *" + tensor.name + "_dims");
  };
  for (const CustomParameter &input : inputs)
    addTensor(input, "const ");
  for (const CustomParameter &output : outputs)
    addTensor(output, "");
  if (!scratch.empty())
    arguments.push_back("void *scratch");
  for (const CustomAttribute &attribute : attributes)
    switch (attribute.kind) {
    case AttributeKind::Float:
      arguments.push_back("float " + attribute.name);
      break;
    case AttributeKind::String:
      arguments.push_back("const char *" + attribute.name);
      break;
    case AttributeKind::Ints:
    case AttributeKind::Floats:
      arguments.push_back((attribute.kind == AttributeKind::Ints ? "const int64_t *" : "const float *") +
                          attribute.name);
      arguments.push_back("int64_t " + attribute.name + "_count");
      break;
    default:
      arguments.push_back("int64_t " + attribute.name);
    }
  std::string names;
  for (const CustomType &type : types)
    if (type.elements.size() > 1)
      names += (names.empty() ? "class " : ", class ") + type.name;
  std::string text = names.empty() ? "" : "template <" + names + "> ";
  text += (returnsStatus ? "int " : "void ") + function + "(";
  for (size_t i = 0; i < arguments.size(); ++i)
    text += (i ? ", " : "") + arguments[i];
  return text + ")";
}

} // namespace sinter
