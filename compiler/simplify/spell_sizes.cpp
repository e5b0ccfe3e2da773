// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that nodes compute, in as few nodes as they take: exporters ask for a shape once per use, and write what
// expand() takes as Where(Equal(...)). Which values are spelled anew is chosen for all together, as they share nodes.
#include "simplify/size_speller.h"

#include <utility>

using namespace llvm;

namespace sinter::simplify {
namespace {

/// A value of sizes, and nodes of other kinds that read it.
struct SizeRoot {
  std::string value;
  std::vector<quantize::Reader> readers;
  std::vector<Spelling> options;
  std::set<int> cone;
  int chosen = -1; ///< an option; -1: as it is
};

/// A list for Reshape without a 0 or -1, which may be there for what they mean.
bool canSayOtherwise(const Dims &sizes) {
  return llvm::none_of(sizes, [](const SizeFact &size) { return size.number && *size.number <= 0; });
}

/// What else says the same as an operand of this node: 0 for a dim that Reshape keeps, 1 for one that Expand does.
Dims asOperand(const Work &work, const quantize::Reader &reader, Dims sizes) {
  const onnx::NodeProto &node = work.edit.node(reader.node);
  std::optional<Dims> from = work.dims(node.input(0));
  bool isReshape = isStandard(node, "Reshape");
  if (!from || reader.input != 1 || (!isReshape && !isStandard(node, "Expand")) || (isReshape && work.opset < 5) ||
      (isReshape && !canSayOtherwise(sizes)))
    return sizes;
  size_t added = isReshape ? 0 : sizes.size() - std::min(sizes.size(), from->size());
  for (size_t d = added; d < sizes.size() && d - added < from->size(); ++d)
    if (!sizes[d].number && sizes[d] == (*from)[d - added])
      sizes[d] = isReshape ? SizeFact{0, "0", true} : SizeFact{1, "1", true};
  return sizes;
}

/// As the list is, as the operand may be, and with one size that Reshape infers.
std::vector<Spelling> optionsFor(const Work &work, SizeSpeller &speller, const quantize::Reader &reader,
                                 const Dims &sizes) {
  std::vector<Spelling> options;
  auto add = [&](const Dims &list) {
    if (std::optional<Spelling> spelling = speller.spell(list, reader.node))
      options.push_back(std::move(*spelling));
  };
  add(sizes);
  Dims operand = asOperand(work, reader, sizes);
  if (operand != sizes)
    add(operand);
  bool infers = isStandard(work.edit.node(reader.node), "Reshape") && reader.input == 1 && canSayOtherwise(sizes);
  for (size_t i = 0; infers && i < operand.size(); ++i) {
    if (operand[i].number)
      continue;
    SizeFact size = std::exchange(operand[i], SizeFact{-1, "-1", true});
    add(operand);
    operand[i] = size;
  }
  return options;
}

/// False: a node has to stay for this value.
bool addRoots(Work &work, SizeSpeller &speller, const std::string &value, std::vector<SizeRoot> &roots) {
  bool isSpelled = !work.isOutput(value);
  const ValueFact *fact = work.facts.find(value);
  SizeRoot plain = {value, {}, {}, {}};
  int first = work.edit.nodes();
  for (const quantize::Reader &reader : work.edit.readers(value)) {
    if (reader.node < 0) { // a subgraph, or an output
      isSpelled = false;
    } else if (!speller.computesSizes(reader.node)) {
      if (!fact->elements) // of an Equal
        return false;
      StringRef type = work.edit.node(reader.node).op_type();
      std::vector<Spelling> options;
      if ((type == "Reshape" || type == "Expand") && !fact->elements->empty())
        options = optionsFor(work, speller, reader, *fact->elements);
      if (!options.empty()) {
        roots.push_back({value, {reader}, std::move(options), {}});
        continue;
      }
      plain.readers.push_back(reader);
      first = std::min(first, reader.node);
    }
  }
  if (plain.readers.empty())
    return isSpelled;
  std::optional<Spelling> spelling = speller.spellAs(value, first);
  if (!spelling)
    return false;
  plain.options.push_back(std::move(*spelling));
  roots.push_back(std::move(plain));
  return isSpelled;
}

std::vector<SizeRoot> rootsOf(Work &work, SizeSpeller &speller) {
  std::vector<SizeRoot> roots;
  for (int n = work.edit.nodes(); n-- > 0;) { // from behind: a node that is kept makes roots of its operands
    if (!speller.computesSizes(n))
      continue;
    bool isKept = false;
    for (const std::string &value : work.edit.node(n).output())
      isKept |= !value.empty() && !addRoots(work, speller, value, roots);
    if (isKept)
      speller.keep(n);
  }
  for (SizeRoot &root : roots)
    root.cone = speller.cone(root.value);
  return roots;
}

/// Nodes that compute sizes when those are spelled as is chosen.
size_t costOf(ArrayRef<SizeRoot> roots) {
  std::set<int> kept;
  std::set<StringRef> made;
  for (const SizeRoot &root : roots) {
    const Spelling *spelling = root.chosen < 0 ? nullptr : &root.options[static_cast<size_t>(root.chosen)];
    const std::set<int> &nodes = spelling ? spelling->kept : root.cone;
    kept.insert(nodes.begin(), nodes.end());
    if (spelling)
      made.insert(spelling->made.begin(), spelling->made.end());
  }
  return kept.size() + made.size();
}

/// Changes one choice after the other as long as that saves nodes.
size_t improve(MutableArrayRef<SizeRoot> roots) {
  size_t best = costOf(roots);
  for (bool changed = true; changed;) {
    changed = false;
    for (SizeRoot &root : roots)
      for (int option = -1; option < static_cast<int>(root.options.size()); ++option) {
        int before = std::exchange(root.chosen, option);
        size_t cost = costOf(roots);
        if (cost < best || (cost == best && option < before)) { // rather what is there
          changed |= cost < best;
          best = cost;
        } else {
          root.chosen = before;
        }
      }
  }
  return best;
}
} // namespace

int64_t spellSizes(Work &work) {
  SizeSpeller speller(work);
  std::vector<SizeRoot> roots = rootsOf(work, speller);
  constexpr size_t most = 256; // each is tried against all
  if (roots.empty() || roots.size() > most)
    return 0;
  size_t before = costOf(roots), best = before;
  std::vector<SizeRoot> chosen;
  for (bool last : {false, true}) { // from all as they are said plainly, and from all as operands may be
    std::vector<SizeRoot> begun = roots;
    for (SizeRoot &root : begun)
      root.chosen = last ? static_cast<int>(root.options.size()) - 1 : 0;
    size_t cost = improve(begun);
    if (cost < best) {
      best = cost;
      chosen = std::move(begun);
    }
  }
  std::vector<Spelling> spellings;
  for (SizeRoot &root : chosen) {
    if (root.chosen < 0)
      continue;
    Spelling &spelling = root.options[static_cast<size_t>(root.chosen)];
    for (const quantize::Reader &reader : root.readers) {
      onnx::NodeProto &node = work.edit.node(reader.node);
      node.set_input(reader.input, spelling.value);
      if (isStandard(node, "Reshape") && canSayOtherwise(*work.facts.find(root.value)->elements))
        quantize::removeAttribute(node, "allowzero");
    }
    spellings.push_back(std::move(spelling));
  }
  speller.insert(spellings);
  return static_cast<int64_t>(before - best);
}

} // namespace sinter::simplify
