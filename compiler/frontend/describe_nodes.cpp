// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/describe_nodes.h"

#include "frontend/attributes.h"

#include "ir/dialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace mlir;

namespace sinter {
namespace {

std::string numberText(double number) {
  std::string text;
  raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

/// Nothing for what would not be read: tensors, long lists, long texts.
std::optional<std::string> textOf(Attribute value) {
  constexpr size_t mostItems = 12, mostLetters = 32;
  std::vector<std::string> items;
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    items.push_back(std::to_string(integer.getInt()));
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    items.push_back(numberText(number.getValueAsDouble()));
  } else if (auto word = dyn_cast<StringAttr>(value)) {
    if (word.size() > mostLetters)
      return std::nullopt;
    items.push_back(word.str());
  } else if (auto integers = dyn_cast<DenseI64ArrayAttr>(value)) {
    for (int64_t item : integers.asArrayRef().take_front(mostItems + 1))
      items.push_back(std::to_string(item));
  } else if (auto numbers = dyn_cast<DenseF32ArrayAttr>(value)) {
    for (float item : numbers.asArrayRef().take_front(mostItems + 1))
      items.push_back(numberText(item));
  }
  return items.empty() || items.size() > mostItems ? std::nullopt : std::optional(join(items, " "));
}

} // namespace

llvm::StringMap<std::string> describeNodes(ModuleOp module) {
  ImportOptions options;
  Diagnostics unheard; // defaults are our own
  ImportState state(options, module.getContext(), unheard, StringRef());
  llvm::StringMap<std::string> described;
  module.walk([&](NodeOp node) {
    auto name = dyn_cast<NameLoc>(node.getLoc());
    if (!name)
      return;
    const OperatorSchema *schema = findSchema(node.getDomain(), node.getOpType(), node.getSince());
    std::vector<std::string> attributes;
    for (NamedAttribute attribute : node.getAttrs()) {
      const SchemaAttribute *known = schema ? schema->attribute(attribute.getName()) : nullptr;
      if (known && readDefault(state, *known) == attribute.getValue())
        continue;
      if (std::optional<std::string> text = textOf(attribute.getValue()))
        attributes.push_back((attribute.getName().getValue() + " " + *text).str());
    }
    std::string key = name.getName().str();
    std::replace(key.begin(), key.end(), '\n', ' '); // as nodes are named in generated code
    described[key] = qualifiedName(node.getDomain(), node.getOpType()) +
                     (attributes.empty() ? "" : " (" + join(attributes, ", ") + ")");
  });
  return described;
}

} // namespace sinter
