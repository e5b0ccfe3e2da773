// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expand, and Tile of dims that are 1: not needed before nodes that spread their operands themselves, moved behind
// elementwise nodes, which then compute less, and behind Transpose, and one where two follow each other.
#include "simplify/size_speller.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

const SizeFact dimOfOne = {1, "1", true};

/// Elementwise on operands that are spread over each other.
bool spreadsOperands(const onnx::NodeProto &node) {
  static const llvm::StringSet<> types = {"Add",  "Sub", "Mul", "Div",     "Pow",         "Mod",
                                          "Min",  "Max", "Sum", "Mean",    "Equal",       "Less",
                                          "And",  "Or",  "Xor", "Greater", "LessOrEqual", "GreaterOrEqual",
                                          "Where"};
  return isStandard(node, node.op_type()) && types.contains(node.op_type());
}

/// Elementwise on its first operand, whatever other operands it has.
bool isUnary(const onnx::NodeProto &node) {
  static const llvm::StringSet<> types = {"Abs",  "Cast",  "Ceil",       "Cos",         "Elu",       "Erf",
                                          "Exp",  "Floor", "Gelu",       "HardSigmoid", "LeakyRelu", "Log",
                                          "Neg",  "Not",   "Reciprocal", "Relu",        "Round",     "Sigmoid",
                                          "Sign", "Sin",   "Softplus",   "Sqrt",        "Tanh",      "Clip"};
  return isStandard(node, node.op_type()) && types.contains(node.op_type());
}

class SpreadJoiner {
public:
  explicit SpreadJoiner(Work &work) : work(work), speller(work) {}

  int64_t run() {
    int64_t joined = 0;
    for (int n = 0; n < work.edit.nodes(); ++n)
      joined += drop(n) || join(n) || turn(n) || sink(n);
    if (joined == 0)
      return 0;
    std::map<int, std::vector<onnx::NodeProto>> behind = speller.take(spellings);
    std::vector<onnx::NodeProto> nodes = std::move(behind[-1]);
    for (int n = 0; n < work.edit.nodes(); ++n) {
      if (auto before = inFront.find(n); before != inFront.end())
        nodes.push_back(std::move(before->second));
      nodes.push_back(std::move(work.edit.node(n)));
      llvm::append_range(nodes, behind[n]);
    }
    work.edit.setNodes(std::move(nodes));
    return joined;
  }

private:
  std::optional<Dims> dims(StringRef value) const {
    auto own = dimsOfMade.find(value);
    return own == dimsOfMade.end() ? work.dims(value) : own->second;
  }

  /// Of a value of integers.
  std::optional<Dims> elements(StringRef value) const {
    if (auto constant = work.integers(value)) {
      Dims list;
      for (int64_t each : *constant)
        list.push_back({each, std::to_string(each), true});
      return list;
    }
    const ValueFact *fact = work.facts.find(value);
    return fact && fact->elements ? std::optional<Dims>(*fact->elements) : std::nullopt;
  }

  /// What spreads by lists: Expand, Tile of dims that are 1, and what only puts dims of 1 in front. None otherwise.
  std::optional<Dims> spreadingList(const onnx::NodeProto &node) const {
    if (node.input_size() == 0 || !isStandard(node, node.op_type()))
      return std::nullopt;
    auto from = dims(node.input(0)), to = dims(node.output(0));
    if (!from || !to || from->size() > to->size())
      return std::nullopt;
    StringRef type = node.op_type();
    size_t added = to->size() - from->size();
    if (type == "Expand")
      return elements(node.input(1));
    if (type == "Tile") {
      auto list = elements(node.input(1));
      if (!list || list->size() != from->size())
        return std::nullopt;
      for (size_t d = 0; d < list->size(); ++d)
        if (!((*list)[d] == dimOfOne) && !((*from)[d] == dimOfOne))
          return std::nullopt;
      return list;
    }
    if (type != "Unsqueeze" && type != "Reshape")
      return std::nullopt;
    for (size_t d = 0; d < to->size(); ++d)
      if (!((*to)[d] == (d < added ? dimOfOne : (*from)[d - added])))
        return std::nullopt;
    return Dims(to->size(), dimOfOne);
  }

  bool isSpread(const onnx::NodeProto &node) const {
    return (node.op_type() == "Expand" || node.op_type() == "Tile") && spreadingList(node).has_value();
  }

  const onnx::NodeProto *spreadBehind(StringRef value) {
    int maker = work.edit.maker(value);
    return maker >= 0 && isSpread(work.edit.node(maker)) ? &work.edit.node(maker) : nullptr;
  }

  /// What values of these dims are when they are spread over each other.
  static std::optional<Dims> spreadOver(ArrayRef<Dims> all) {
    Dims result;
    for (const Dims &each : all) {
      if (each.size() > result.size())
        result.insert(result.begin(), each.size() - result.size(), dimOfOne);
      for (size_t d = 0; d < each.size(); ++d) {
        SizeFact &into = result[result.size() - each.size() + d];
        if (into == dimOfOne)
          into = each[d];
        else if (!(each[d] == dimOfOne) && !(into == each[d]))
          return std::nullopt;
      }
    }
    return result;
  }

  /// Dims of the result where an operand is `instead` long.
  std::optional<Dims> dimsWith(const onnx::NodeProto &node, int input, const Dims &instead) const {
    std::vector<Dims> all;
    for (int i = 0; i < node.input_size(); ++i) {
      auto own = i == input ? std::optional(instead) : dims(node.input(i));
      if (!own)
        return std::nullopt;
      all.push_back(std::move(*own));
    }
    return spreadOver(all);
  }

  bool drop(int n) {
    onnx::NodeProto &node = work.edit.node(n);
    auto result = spreadsOperands(node) ? dims(node.output(0)) : std::nullopt;
    bool isDropped = false;
    for (int i = 0; result && i < node.input_size(); ++i) {
      const onnx::NodeProto *spread = spreadBehind(node.input(i));
      auto from = spread ? dims(spread->input(0)) : std::nullopt;
      if (!from || dimsWith(node, i, *from) != result)
        continue;
      node.set_input(i, spread->input(0));
      isDropped = true;
    }
    return isDropped;
  }

  /// An elementwise node behind a spread of one operand, which the others have no part in.
  bool sink(int n) {
    onnx::NodeProto &node = work.edit.node(n);
    bool spreads = spreadsOperands(node);
    if (node.output_size() != 1 || (!spreads && !isUnary(node)))
      return false;
    for (int i = 0; i < (spreads ? node.input_size() : 1); ++i) {
      const onnx::NodeProto *spread = spreadBehind(node.input(i));
      if (!spread || !work.hasOneReader(node.input(i)))
        continue;
      auto from = dims(spread->input(0)), to = dims(spread->output(0));
      if (!from || !to || dims(node.output(0)) != to || (spreads && dimsWith(node, i, *from) != from))
        continue;
      std::string small = work.edit.freshName(node.output(0) + "_unspread");
      onnx::NodeProto before = node, after = *spread;
      before.set_input(i, spread->input(0));
      before.set_output(0, small);
      after.set_input(0, small);
      after.set_output(0, node.output(0));
      after.set_name(node.name() + "_spread");
      dimsOfMade[small] = *from;
      inFront[n] = std::move(before);
      node = std::move(after);
      return true;
    }
    return false;
  }

  /// By a list for this place: a constant, or one that nodes compute.
  bool setList(int n, onnx::NodeProto &expand, const Dims &list, ArrayRef<std::string> there) {
    std::vector<int64_t> numbers;
    for (const SizeFact &size : list)
      if (size.number)
        numbers.push_back(*size.number);
    if (numbers.size() == list.size()) {
      work.setIntegers(expand, 1, numbers);
      return true;
    }
    for (const std::string &value : there)
      if (elements(value) == list) {
        expand.set_input(1, value);
        return true;
      }
    std::optional<Spelling> spelling = speller.spell(list, n);
    if (!spelling)
      return false;
    expand.set_input(1, spelling->value);
    spellings.push_back(std::move(*spelling));
    return true;
  }

  /// A spread behind a spread.
  bool join(int n) {
    onnx::NodeProto &node = work.edit.node(n);
    int maker = isSpread(node) ? work.edit.maker(node.input(0)) : -1;
    if (maker < 0 || !work.hasOneReader(node.input(0)))
      return false;
    const onnx::NodeProto &before = work.edit.node(maker);
    auto first = spreadingList(before), second = spreadingList(node);
    if (!first || !second || second->size() < first->size())
      return false;
    for (size_t d = 0; d < first->size(); ++d) { // each dim is spread once
      SizeFact &size = (*second)[second->size() - first->size() + d];
      if (size == dimOfOne)
        size = (*first)[d];
    }
    onnx::NodeProto joined = quantize::makeNode("Expand", {before.input(0), ""}, {node.output(0)}, node.name());
    joined.set_doc_string(node.doc_string());
    std::vector<std::string> there = {node.input(1)};
    if (isSpread(before))
      there.push_back(before.input(1));
    if (!setList(n, joined, *second, there))
      return false;
    node = std::move(joined);
    return true;
  }

  /// A Transpose behind a spread: of less in front of it.
  bool turn(int n) {
    onnx::NodeProto &node = work.edit.node(n);
    const onnx::AttributeProto *perm = isStandard(node, "Transpose") ? attributeOf(node, "perm") : nullptr;
    const onnx::NodeProto *spread = perm ? spreadBehind(node.input(0)) : nullptr;
    if (!spread || !work.hasOneReader(node.input(0)))
      return false;
    auto from = dims(spread->input(0));
    auto list = spreadingList(*spread);
    auto rank = static_cast<size_t>(perm->ints_size());
    if (!from || !list || from->size() > rank || list->size() != rank)
      return false;
    bool isLower = from->size() < rank;
    from->insert(from->begin(), rank - from->size(), dimOfOne);
    Dims turned, turnedList;
    int64_t last = -1;
    bool keepsOrder = true;
    for (int64_t d : perm->ints()) {
      if (d < 0 || d >= static_cast<int64_t>(rank))
        return false;
      turned.push_back((*from)[static_cast<size_t>(d)]);
      turnedList.push_back((*list)[static_cast<size_t>(d)]);
      if (turned.back() == dimOfOne)
        continue;
      keepsOrder &= d > last;
      last = d;
    }
    auto operand = keepsOrder ? reshapeOperand({}, turned) : std::nullopt;
    if (isLower && !operand)
      return false;
    std::string small = work.edit.freshName(node.output(0) + "_unspread");
    onnx::NodeProto expand = quantize::makeNode("Expand", {small, ""}, {node.output(0)}, node.name() + "_spread");
    if (!setList(n, expand, turnedList, spread->input(1)))
      return false;
    onnx::NodeProto before = node;
    if (operand) {
      before = quantize::makeNode("Reshape", {""}, {""}, node.name());
      work.setIntegers(before, 1, *operand);
    }
    before.set_input(0, spread->input(0));
    before.set_output(0, small);
    dimsOfMade[small] = std::move(turned);
    inFront[n] = std::move(before);
    node = std::move(expand);
    return true;
  }

  Work &work;
  SizeSpeller speller;
  std::map<int, onnx::NodeProto> inFront;
  std::map<std::string, Dims, std::less<>> dimsOfMade;
  std::vector<Spelling> spellings;
};
} // namespace

int64_t joinSpreads(Work &work) {
  constexpr int64_t hasExpand = 8;
  return work.opset < hasExpand ? 0 : SpreadJoiner(work).run();
}

} // namespace sinter::simplify
