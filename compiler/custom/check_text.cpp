// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "custom/check_text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {
namespace {
bool isIdentifier(StringRef text) {
  return !text.empty() && !isDigit(text[0]) && all_of(text, [](char c) { return isAlnum(c) || c == '_'; });
}
/// The only item of a rule that is made of a name and this shape; a problem otherwise.
std::optional<RuleItem> itemOf(StringRef shape, std::string &problem) {
  std::optional<Rule> rule = parseRule("x" + withoutBlanks(shape), problem);
  if (rule && (rule->items.size() != 1 || rule->items.front().shapes.empty()))
    problem = "expected '['";
  for (const RuleShape &each : rule &&problem.empty() ? rule->items.front().shapes : std::vector<RuleShape>())
    for (const RuleDim &dim : each.dims)
      if (dim.kind == RuleDim::Run && !dim.name.empty() && !isIdentifier(dim.name))
        problem = "expected a name instead of " + dim.name;
  if (!problem.empty()) {
    problem = inQuotes(shape) + " is no shape, such as [N,C,D*]: " + problem;
    return std::nullopt;
  }
  return std::move(rule->items.front());
}
} // namespace

std::string inQuotes(StringRef text) { return ("'" + text + "'").str(); }

std::string withoutBlanks(StringRef text) {
  std::string kept;
  copy_if(text, std::back_inserter(kept), [](char c) { return c != ' '; });
  return kept;
}

std::string problemOfName(StringRef text) {
  return isIdentifier(text) ? "" : inQuotes(text) + " is no name of letters, digits and '_'";
}

std::string problemOfDomain(StringRef text) {
  bool isPlain = all_of(text, [](char c) { return isAlnum(c) || c == '.' || c == '_' || c == '-'; });
  if (text.empty() || !isPlain)
    return inQuotes(text) + " is no domain of letters, digits, '.', '_' and '-'";
  return newestOpset(text) > 0 ? inQuotes(text) + " is ONNX's own; custom operators live in a domain of their own" : "";
}

std::string problemOfFunction(StringRef text) {
  StringRef rest = text;
  do {
    auto [name, behind] = rest.split("::");
    if (!isIdentifier(name) || (behind.empty() && rest.ends_with("::")))
      return inQuotes(text) + " is no name of a C++ function, such as acme::swirl";
    rest = behind;
  } while (!rest.empty());
  return "";
}

std::string problemOfFile(StringRef text, StringRef folder) {
  bool isPlain = all_of(text, [](char c) { return isAlnum(c) || c == '.' || c == '_' || c == '-' || c == '+'; });
  if (text.empty() || !isPlain || text.starts_with("."))
    return inQuotes(text) + " is no plain name of a file beside the description";
  if (is_contained({".c", ".cc", ".cpp", ".cxx"}, sys::path::extension(text)))
    return inQuotes(text) +
           " is a source; a header defines the function inline, or declares what is linked with the model";
  if (!sys::fs::is_regular_file(folder + "/" + text))
    return inQuotes(text) + " is not beside the description";
  return "";
}

std::string problemOfElement(StringRef text) {
  static constexpr StringLiteral known[] = {"float", "double", "float16", "bfloat16", "int8",   "int16", "int32",
                                            "int64", "uint8",  "uint16",  "uint32",   "uint64", "bool"};
  return is_contained(known, text) ? "" : inQuotes(text) + " is none of " + join(ArrayRef(known), ", ");
}

std::optional<AttributeKind> kindNamed(StringRef text) {
  for (AttributeKind kind :
       {AttributeKind::Int, AttributeKind::Float, AttributeKind::String, AttributeKind::Ints, AttributeKind::Floats})
    if (attributeKindName(kind).lower() == text)
      return kind;
  return std::nullopt;
}

std::string problemOfKind(StringRef text) {
  return kindNamed(text) ? "" : inQuotes(text) + " is none of int, float, string, ints, floats";
}

std::string problemOfShape(StringRef text) {
  std::string problem;
  (void)itemOf(text, problem);
  return problem;
}

std::string problemOfMadeShape(StringRef text) {
  std::string problem;
  std::optional<RuleItem> item = itemOf(text, problem);
  if (!item)
    return problem;
  const RuleShape &shape = item->shapes.front();
  bool isOne = item->shapes.size() == 1 && shape.guards.empty() && !item->broadcastsTo;
  if (!isOne || any_of(shape.dims, [](const RuleDim &dim) {
        return dim.kind == RuleDim::Single ? dim.alternatives.size() != 1 : dim.name.empty();
      }))
    return inQuotes(text) + " leaves a size open; an output has one shape, each dim an expression or a run";
  return "";
}

std::string problemOfBytes(StringRef text) {
  return problemOfMadeShape(("[" + text + "]").str()).empty() ? ""
                                                              : inQuotes(text) + " is no number of bytes, such as 4*N";
}

std::string problemOfConditions(StringRef text) {
  std::string problem;
  std::optional<Rule> rule = parseRule(text, problem);
  if (!rule)
    return inQuotes(text) + " are no conditions, such as K<=L: " + problem;
  for (const RuleItem &item : rule->items)
    if (!item.name.empty())
      return inQuotes(item.text) + " is a shape; it belongs to its input";
  return "";
}

} // namespace sinter
