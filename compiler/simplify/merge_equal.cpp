// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equal initializers, equal nodes on equal operands, and lists of sizes that come out equal however they are computed:
// the first of them stays.
#include "simplify/work.h"

#include <deque>
#include <map>

using namespace llvm;

namespace sinter::simplify {
namespace {

/// Two that lie at one place are not read.
bool haveEqualBytes(StringRef a, StringRef b) { return a.size() == b.size() && (a.data() == b.data() || a == b); }

/// Elements lie in the field for their type: equal ones are equal messages.
bool isTyped(const onnx::TensorProto &tensor) {
  return !tensor.has_raw_data() && !quantize::OutsideWeights::has(tensor);
}

int64_t mergeInitializers(Work &work) {
  int64_t merged = 0;
  std::multimap<std::pair<size_t, hash_code>, std::pair<const onnx::TensorProto *, StringRef>> seen;
  constexpr size_t telling = 4096; // equal begins are rare enough to compare the rest
  std::deque<std::string> typed;
  auto bytesOf = [&](const onnx::TensorProto &tensor) -> std::optional<StringRef> {
    constexpr size_t mostCopied = 1 << 20; // larger ones are weights, which exporters write as raw data
    if (!isTyped(tensor))
      return work.edit.bytes(tensor);
    if (tensor.ByteSizeLong() > mostCopied)
      return std::nullopt;
    onnx::TensorProto unnamed = tensor;
    unnamed.clear_name();
    unnamed.clear_doc_string();
    return typed.emplace_back(unnamed.SerializeAsString());
  };
  for (const onnx::TensorProto &tensor : work.edit.graph.initializer()) {
    std::optional<StringRef> bytes = bytesOf(tensor);
    if (!bytes)
      continue;
    auto key = std::pair(bytes->size(), hash_value(bytes->take_front(telling)));
    auto [from, to] = seen.equal_range(key);
    auto same = std::find_if(from, to, [&](const auto &entry) {
      const onnx::TensorProto &other = *entry.second.first;
      return other.data_type() == tensor.data_type() && isTyped(other) == isTyped(tensor) &&
             haveEqualBytes(entry.second.second, *bytes) &&
             ArrayRef(other.dims().data(), static_cast<size_t>(other.dims_size())) ==
                 ArrayRef(tensor.dims().data(), static_cast<size_t>(tensor.dims_size()));
    });
    if (same == to)
      seen.emplace(key, std::pair(&tensor, *bytes));
    else
      merged += !work.isOutput(tensor.name()) && work.replace(tensor.name(), same->second.first->name());
  }
  return merged;
}

/// Operators that make the same of the same; others may count calls.
bool isFunction(const onnx::NodeProto &node) {
  StringRef domain = node.domain();
  if (domain != "" && domain != "ai.onnx" && domain != "ai.onnx.ml" && domain != "com.microsoft")
    return false;
  return !isRandom(node) && !isStandard(node, "Dropout") && !isStandard(node, "BatchNormalization") &&
         llvm::none_of(node.attribute(), [](const onnx::AttributeProto &attribute) {
           return attribute.has_g() || attribute.graphs_size() > 0;
         });
}

/// Attributes in an order of their own.
std::string keyOfNode(const Work &work, const onnx::NodeProto &node) {
  using namespace std::string_literals;
  std::string key = node.domain() + "\0"s + node.op_type();
  std::vector<std::string> attributes;
  for (onnx::AttributeProto attribute : node.attribute()) {
    attribute.clear_doc_string();
    attributes.push_back(attribute.SerializeAsString());
  }
  llvm::sort(attributes);
  for (const std::string &input : node.input())
    key += "\0"s + work.replaced(input);
  for (const std::string &attribute : attributes)
    key += "\1"s + std::to_string(attribute.size()) + attribute;
  return key;
}

int64_t mergeNodes(Work &work) {
  int64_t merged = 0;
  StringMap<const onnx::NodeProto *> first;
  for (const onnx::NodeProto &node : work.edit.graph.node()) {
    if (!isFunction(node))
      continue;
    auto [known, fresh] = first.try_emplace(keyOfNode(work, node), &node);
    if (fresh)
      continue;
    const onnx::NodeProto &other = *known->second;
    for (int i = 0; i < node.output_size() && i < other.output_size(); ++i)
      if (!node.output(i).empty() && !other.output(i).empty())
        merged += work.replace(node.output(i), other.output(i));
  }
  return merged;
}

int64_t mergeSizes(Work &work) {
  int64_t merged = 0;
  StringMap<std::string> first;
  for (const onnx::NodeProto &node : work.edit.graph.node())
    for (const std::string &output : node.output()) {
      const ValueFact *fact = output.empty() ? nullptr : work.facts.find(output);
      if (!fact || !fact->elements || fact->elements->empty())
        continue;
      std::string key = std::to_string(static_cast<int>(fact->element)) + (fact->dims.empty() ? "" : "[]");
      for (const SizeFact &size : *fact->elements)
        key += ";" + size.text;
      auto [known, fresh] = first.try_emplace(key, output);
      if (!fresh && work.edit.readers(output).size() > 0)
        merged += work.replace(output, known->second);
    }
  return merged;
}
} // namespace

int64_t mergeEqual(Work &work) {
  int64_t merged = mergeInitializers(work);
  work.settle();
  merged += mergeNodes(work);
  work.settle();
  return merged + mergeSizes(work);
}

} // namespace sinter::simplify
