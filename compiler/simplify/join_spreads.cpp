// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expand, and Tile of dims that are 1: not needed before nodes that spread their operands themselves, moved behind
// elementwise nodes, which then compute less, and behind Transpose, and one where two follow each other.
#include "simplify/size_speller.h"
#include "simplify/spreads.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

class SpreadJoiner {
public:
  explicit SpreadJoiner(Work &work) : work(work), spreads(work), speller(work) {}

  int64_t run() {
    int64_t joined = 0;
    for (int n = 0; n < work.edit.nodes(); ++n) {
      joined += drop(n) || join(n) || turn(n) || sink(n);
      spreads.decide(work.edit.node(n)); // before those that read it are looked at
    }
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
  const onnx::NodeProto *spreadBehind(StringRef value) {
    int maker = work.edit.maker(value);
    return maker >= 0 && spreads.isSpread(work.edit.node(maker)) ? &work.edit.node(maker) : nullptr;
  }

  bool drop(int n) {
    onnx::NodeProto &node = work.edit.node(n);
    bool isDropped = false;
    for (int i = 0; i < node.input_size(); ++i) {
      const onnx::NodeProto *spread = spreadBehind(node.input(i));
      auto from = spread ? spreads.dims(spread->input(0)) : std::nullopt;
      if (!from || !spreads.isSpreadBy(node, i, *from))
        continue;
      node.set_input(i, spread->input(0));
      isDropped = true;
    }
    return isDropped;
  }

  /// An elementwise node behind a spread of one operand, which the others have no part in.
  bool sink(int n) {
    onnx::NodeProto &node = work.edit.node(n);
    for (int i = 0; i < node.input_size(); ++i) {
      const onnx::NodeProto *spread = spreadBehind(node.input(i));
      if (!spread || !spreads.sinks(node.input(i)))
        continue;
      auto from = spreads.dims(spread->input(0)), to = spreads.dims(spread->output(0));
      if (!from || !to || !spreads.isSameBefore(node, i, *from, *to))
        continue;
      std::string small = work.edit.freshName(node.output(0) + "_unspread");
      onnx::NodeProto before = node, after = *spread;
      before.set_input(i, spread->input(0));
      before.set_output(0, small);
      after.set_input(0, small);
      after.set_output(0, node.output(0));
      after.set_name(node.name() + "_spread");
      spreads.setDims(small, *from);
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
      if (spreads.elements(value) == list) {
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
    int maker = spreads.isSpread(node) ? work.edit.maker(node.input(0)) : -1;
    if (maker < 0 || !work.hasOneReader(node.input(0)))
      return false;
    const onnx::NodeProto &before = work.edit.node(maker);
    auto first = spreads.listOf(before), second = spreads.listOf(node);
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
    if (spreads.isSpread(before))
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
    auto from = spreads.dims(spread->input(0));
    auto list = spreads.listOf(*spread);
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
    spreads.setDims(small, std::move(turned));
    inFront[n] = std::move(before);
    node = std::move(expand);
    return true;
  }

  Work &work;
  Spreads spreads;
  SizeSpeller speller;
  std::map<int, onnx::NodeProto> inFront;
  std::vector<Spelling> spellings;
};
} // namespace

int64_t joinSpreads(Work &work) {
  constexpr int64_t hasExpand = 8;
  return work.opset < hasExpand ? 0 : SpreadJoiner(work).run();
}

} // namespace sinter::simplify
