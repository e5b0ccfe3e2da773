// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

/// Names that a graph defines itself.
llvm::StringSet<> definedIn(const onnx::GraphProto &graph) {
  llvm::StringSet<> names;
  for (const onnx::ValueInfoProto &input : graph.input())
    names.insert(input.name());
  for (const onnx::TensorProto &tensor : graph.initializer())
    names.insert(tensor.name());
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    names.insert(tensor.values().name());
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &output : node.output())
      names.insert(output);
  return names;
}

void renameReads(onnx::NodeProto &node, llvm::function_ref<std::string(const std::string &)> rename) {
  for (std::string &input : *node.mutable_input())
    input = rename(input);
  auto inner = [&](onnx::GraphProto &graph) {
    llvm::StringSet<> own = definedIn(graph);
    auto renameOthers = [&](const std::string &name) { return own.contains(name) ? name : rename(name); };
    for (onnx::NodeProto &each : *graph.mutable_node())
      renameReads(each, renameOthers);
    for (onnx::ValueInfoProto &output : *graph.mutable_output())
      output.set_name(renameOthers(output.name()));
  };
  for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.has_g())
      inner(*attribute.mutable_g());
    for (onnx::GraphProto &graph : *attribute.mutable_graphs())
      inner(graph);
  }
}
} // namespace

void forEachRead(const onnx::NodeProto &node, llvm::function_ref<void(const std::string &)> visit) {
  for (const std::string &input : node.input())
    if (!input.empty())
      visit(input);
  auto inner = [&](const onnx::GraphProto &graph) {
    llvm::StringSet<> own = definedIn(graph);
    auto visitOthers = [&](const std::string &name) {
      if (!own.contains(name))
        visit(name);
    };
    for (const onnx::NodeProto &each : graph.node())
      forEachRead(each, visitOthers);
    for (const onnx::ValueInfoProto &output : graph.output())
      visitOthers(output.name());
  };
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      inner(attribute.g());
    for (const onnx::GraphProto &graph : attribute.graphs())
      inner(graph);
  }
}

std::set<std::string> capturedBy(const onnx::GraphProto &body) {
  std::set<std::string> captured;
  onnx::NodeProto holder; // reads what the body does
  *holder.add_attribute()->mutable_g() = body;
  forEachRead(holder, [&](const std::string &name) { captured.insert(name); });
  return captured;
}

bool drawsRandomNumbers(const onnx::NodeProto &node) {
  StringRef type = node.op_type();
  if (type.starts_with("Random") || type == "Bernoulli" || type == "Multinomial" || type == "Sampling")
    return true;
  return type == "Dropout" && node.input_size() > 2 && !node.input(2).empty();
}

bool isRandom(const onnx::NodeProto &node) {
  for (const onnx::AttributeProto &attribute : node.attribute())
    for (const onnx::NodeProto &inner : attribute.g().node())
      if (isRandom(inner))
        return true;
  return drawsRandomNumbers(node);
}

void Work::index() {
  outputs.clear();
  for (const onnx::ValueInfoProto &output : edit.graph.output())
    outputs.insert(output.name());
}

onnx::NodeProto *Work::makerOf(StringRef value, StringRef type) {
  int maker = edit.maker(value);
  return maker >= 0 && isStandard(edit.node(maker), type) ? &edit.node(maker) : nullptr;
}

std::optional<Dims> Work::dims(StringRef value) const {
  if (const onnx::TensorProto *tensor = edit.constant(value)) {
    Dims dims;
    for (int64_t dim : tensor->dims())
      dims.push_back({dim, std::to_string(dim), true});
    return dims;
  }
  const ValueFact *fact = facts.find(value);
  return fact ? std::optional(fact->dims) : std::nullopt;
}

ElementType Work::element(StringRef value) const {
  if (const onnx::TensorProto *tensor = edit.constant(value))
    return static_cast<ElementType>(tensor->data_type());
  const ValueFact *fact = facts.find(value);
  return fact ? fact->element : ElementType::Undefined;
}

std::optional<std::vector<int64_t>> Work::integers(StringRef value) const {
  const onnx::TensorProto *tensor = edit.constant(value);
  return tensor ? quantize::integersOf(*tensor) : std::nullopt;
}

std::optional<double> Work::number(StringRef value) const {
  const onnx::TensorProto *tensor = edit.constant(value);
  if (!tensor)
    return std::nullopt;
  std::vector<double> numbers;
  if (auto floats = quantize::floatsOf(*tensor))
    numbers.assign(floats->values.begin(), floats->values.end());
  else if (auto whole = quantize::integersOf(*tensor))
    numbers.assign(whole->begin(), whole->end());
  if (numbers.empty() || !llvm::all_equal(numbers))
    return std::nullopt;
  return numbers.front();
}

bool Work::keepsOrder(const onnx::NodeProto &transpose) const {
  std::optional<Dims> known = dims(transpose.input(0));
  if (!known)
    return false;
  const onnx::AttributeProto *perm = attributeOf(transpose, "perm");
  auto rank = static_cast<int64_t>(known->size());
  if (perm && perm->ints_size() != rank)
    return false;
  int64_t last = -1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t from = perm ? perm->ints(static_cast<int>(i)) : rank - 1 - i;
    if (from < 0 || from >= rank)
      return false;
    if ((*known)[static_cast<size_t>(from)].number == 1)
      continue;
    if (from < last)
      return false;
    last = from;
  }
  return true;
}

std::string Work::replaced(StringRef value) const {
  auto found = readInstead.find(value);
  return found == readInstead.end() ? value.str() : found->second;
}

bool Work::replace(StringRef value, StringRef by) {
  std::string source = replaced(by);
  if (value == source || readInstead.contains(value))
    return false;
  if (isOutput(value)) {
    // What the model calls an output keeps its name: the other value takes it.
    if (edit.maker(source) < 0 || isOutput(source) || renamed.contains(source))
      return false;
    renamed[source] = value.str();
    readInstead[source] = value.str();
    renamed[value] = edit.freshName(value + "_unused");
    return true;
  }
  readInstead[value] = source;
  return true;
}

void Work::setIntegers(onnx::NodeProto &node, int input, ArrayRef<int64_t> values) {
  while (node.input_size() <= input)
    node.add_input("");
  node.set_input(input, edit.addConstant(quantize::int64Tensor(quantize::nameOf(node) + "_shape", values)));
}

void Work::settle() {
  auto rename = [&](const std::string &name) {
    std::string now = name;
    for (auto found = readInstead.find(now); found != readInstead.end() && found->second != now;
         found = readInstead.find(now))
      now = found->second;
    return now;
  };
  for (onnx::NodeProto &node : *edit.graph.mutable_node()) {
    if (!readInstead.empty())
      renameReads(node, rename);
    for (std::string &output : *node.mutable_output())
      if (auto found = renamed.find(output); found != renamed.end())
        output = found->second;
  }
  readInstead.clear();
  renamed.clear();
  edit.index();
  index();
}

void setIntegerList(onnx::NodeProto &node, StringRef name, ArrayRef<int64_t> values) {
  onnx::AttributeProto *attribute = node.add_attribute();
  attribute->set_name(name.str());
  attribute->set_type(onnx::AttributeProto::INTS);
  attribute->mutable_ints()->Assign(values.begin(), values.end());
}

std::optional<std::vector<int64_t>> reshapeOperand(const Dims &from, const Dims &to) {
  std::vector<int64_t> operand;
  bool hasFree = false;
  for (auto [i, dim] : enumerate(to)) {
    if (dim.number && *dim.number > 0) {
      operand.push_back(*dim.number);
    } else if (i < from.size() && from[i] == dim) {
      operand.push_back(0);
    } else if (!dim.number && !hasFree) {
      hasFree = true;
      operand.push_back(-1);
    } else {
      return std::nullopt;
    }
  }
  return operand;
}

} // namespace sinter::simplify
