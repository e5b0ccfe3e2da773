// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dims are taken of inputs, and of values that somebody reads for more than their shape, the first that has them.
#include "simplify/size_speller.h"

using namespace llvm;

namespace sinter::simplify {

static bool asksShape(const onnx::NodeProto &node) { return isStandard(node, "Shape") || isStandard(node, "Size"); }

/// What a node is, whatever it is called.
static std::string identityOf(onnx::NodeProto node) {
  node.clear_name();
  node.clear_output();
  node.clear_doc_string();
  node.clear_metadata_props();
  llvm::sort(*node.mutable_attribute(), [](const auto &a, const auto &b) { return a.name() < b.name(); });
  return node.SerializeAsString();
}

SizeSpeller::SizeSpeller(Work &work) : work(work) {
  auto addDims = [&](const std::string &value, int behind) {
    std::optional<Dims> known = work.dims(value);
    constexpr size_t mostPlaces = 16; // of one size
    for (size_t axis = 0; known && axis < known->size(); ++axis)
      if (const SizeFact &dim = (*known)[axis]; !dim.number && dims[dim.text].size() < mostPlaces)
        dims[dim.text].push_back({value, static_cast<int64_t>(axis), behind});
  };
  for (const onnx::ValueInfoProto &input : work.edit.graph.input())
    addDims(input.name(), -1);
  for (int n = 0; n < work.edit.nodes(); ++n) {
    const onnx::NodeProto &node = work.edit.node(n);
    bool isPlain = isStandard(node, node.op_type()) && llvm::none_of(node.attribute(), [](const auto &attribute) {
                     return attribute.has_g() || attribute.graphs_size() > 0;
                   });
    bool isOfSizes = isPlain && node.output_size() > 0;
    for (const std::string &output : node.output()) {
      const ValueFact *fact = output.empty() ? nullptr : work.facts.find(output);
      isOfSizes &= fact && (fact->elements || (fact->element == ElementType::Bool && fact->dims.size() <= 1));
      if (!fact)
        continue;
      if (fact->elements && fact->elements->size() == 1 && fact->element == ElementType::Int64 && !fact->dims.empty())
        lists.emplace(fact->elements->front().text, output);
      if (llvm::any_of(work.edit.readers(output), [&](const quantize::Reader &reader) {
            return reader.node >= 0 && !asksShape(work.edit.node(reader.node));
          }))
        addDims(output, n);
    }
    isSizeNode.push_back(isOfSizes);
    if (isOfSizes && isStandard(node, "Shape"))
      there.emplace(identityOf(node), node.output(0));
  }
}

std::set<int> SizeSpeller::cone(StringRef value) const {
  std::set<int> found;
  std::vector<std::string> open = {value.str()};
  while (!open.empty()) {
    int maker = work.edit.maker(open.back());
    open.pop_back();
    if (maker < 0 || !computesSizes(maker) || !found.insert(maker).second)
      continue;
    if (!asksShape(work.edit.node(maker)))
      llvm::append_range(open, work.edit.node(maker).input());
  }
  return found;
}

const SizeSpeller::Place *SizeSpeller::findDims(ArrayRef<SizeFact> sizes, int place, int64_t &count) const {
  const Place *best = nullptr;
  int64_t mostOpen = 0;
  auto found = dims.find(sizes.front().text);
  for (const Place &each : found == dims.end() ? ArrayRef<Place>() : ArrayRef(found->second)) {
    std::optional<Dims> known = each.behind < place ? work.dims(each.value) : std::nullopt;
    auto axis = static_cast<size_t>(each.axis);
    int64_t same = 0, open = 0; // numbers are only taken along
    for (size_t i = 0; known && axis + i < known->size() && i < sizes.size() && (*known)[axis + i] == sizes[i]; ++i)
      if (!sizes[i].number) {
        same = static_cast<int64_t>(i) + 1;
        ++open;
      }
    if (open > mostOpen) {
      best = &each;
      count = same;
      mostOpen = open;
    }
  }
  return best;
}

std::string SizeSpeller::make(onnx::NodeProto node, int place, int &behind, Spelling &spelling) {
  std::string key = identityOf(node);
  if (auto known = there.find(key); known != there.end() && work.edit.maker(known->second) < place) {
    int maker = work.edit.maker(known->second);
    spelling.kept.insert(maker);
    behind = std::max(behind, maker);
    return known->second;
  }
  auto [known, fresh] = values.try_emplace(key);
  if (fresh) {
    known->second = work.edit.freshName(node.name());
    node.set_name(known->second);
    node.add_output(known->second);
    nodes[known->second] = {std::move(node), behind};
  }
  spelling.made.insert(known->second);
  return known->second;
}

std::string SizeSpeller::numbers(ArrayRef<int64_t> list, bool isScalar) {
  auto [known, fresh] = constants.try_emplace({list.vec(), isScalar});
  if (fresh) {
    known->second = quantize::int64Tensor(work.edit.freshName("sizes"), list);
    if (isScalar)
      known->second.clear_dims();
  }
  return known->second.name();
}

std::string SizeSpeller::shapeOf(const Place &dim, int64_t count, int place, int &behind, Spelling &spelling) {
  onnx::NodeProto shape = quantize::makeNode("Shape", {dim.value}, {}, dim.value + "_shape");
  constexpr int64_t takesPart = 15;
  int own = dim.behind;
  bool isWhole = count == static_cast<int64_t>(work.dims(dim.value)->size());
  if (!isWhole && work.opset >= takesPart) {
    quantize::setInteger(shape, "start", dim.axis);
    quantize::setInteger(shape, "end", dim.axis + count);
    isWhole = true;
  }
  std::string value = make(std::move(shape), place, own, spelling);
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < count; ++i)
    axes.push_back(dim.axis + i);
  if (!isWhole)
    value = make(quantize::makeNode("Gather", {value, numbers(axes)}, {}, dim.value + "_sizes"), place, own, spelling);
  behind = std::max(behind, own);
  return value;
}

std::optional<Spelling> SizeSpeller::spellScalar(const SizeFact &size, int place) {
  int64_t count = 0;
  const Place *found = findDims(size, place, count);
  if (!found)
    return std::nullopt;
  Spelling spelling;
  int behind = found->behind;
  onnx::NodeProto shape = quantize::makeNode("Shape", {found->value}, {}, found->value + "_shape");
  std::string whole = make(std::move(shape), place, behind, spelling);
  onnx::NodeProto part = quantize::makeNode("Gather", {whole, numbers(found->axis, true)}, {}, found->value + "_size");
  spelling.value = make(std::move(part), place, behind, spelling);
  return spelling;
}

std::optional<Spelling> SizeSpeller::spell(ArrayRef<SizeFact> sizes, int place) {
  Spelling spelling;
  std::vector<std::string> parts;
  int last = -1;
  for (size_t i = 0; i < sizes.size();) {
    std::vector<int64_t> known;
    for (; i < sizes.size() && sizes[i].number; ++i)
      known.push_back(*sizes[i].number);
    int64_t count = 1;
    if (!known.empty()) {
      parts.push_back(numbers(known));
      continue;
    }
    if (const Place *found = findDims(sizes.drop_front(i), place, count)) {
      parts.push_back(shapeOf(*found, count, place, last, spelling));
    } else {
      auto list = lists.find(sizes[i].text);
      if (list == lists.end() || work.edit.maker(list->second) >= place)
        return std::nullopt;
      std::set<int> under = cone(list->second);
      spelling.kept.insert(under.begin(), under.end());
      last = std::max(last, work.edit.maker(list->second));
      parts.push_back(list->second);
    }
    i += static_cast<size_t>(count);
  }
  spelling.value = parts.front();
  if (parts.size() > 1) {
    onnx::NodeProto concat = quantize::makeNode("Concat", parts, {}, "sizes");
    quantize::setInteger(concat, "axis", 0);
    spelling.value = make(std::move(concat), place, last, spelling);
  }
  return spelling;
}

std::optional<Spelling> SizeSpeller::spellAs(StringRef value, int place) {
  const ValueFact *fact = work.facts.find(value);
  if (!fact || !fact->elements || fact->elements->empty() || fact->element != ElementType::Int64 ||
      llvm::all_of(*fact->elements, [](const SizeFact &size) { return size.number.has_value(); }))
    return std::nullopt;
  return fact->dims.empty() ? spellScalar(fact->elements->front(), place) : spell(*fact->elements, place);
}

std::map<int, std::vector<onnx::NodeProto>> SizeSpeller::take(ArrayRef<Spelling> spellings) {
  std::set<std::string> wanted, read;
  for (const Spelling &spelling : spellings) {
    wanted.insert(spelling.made.begin(), spelling.made.end());
    read.insert(spelling.value);
  }
  std::map<int, std::vector<onnx::NodeProto>> behind;
  for (StringRef type : {"Shape", "Gather", "Concat"}) // each reads what is before it here
    for (const std::string &name : wanted)
      if (const Made &made = nodes.at(name); made.node.op_type() == type) {
        behind[made.behind].push_back(made.node);
        read.insert(made.node.input().begin(), made.node.input().end());
      }
  for (const auto &[list, tensor] : constants)
    if (read.count(tensor.name()))
      *work.edit.graph.add_initializer() = tensor;
  return behind;
}

void SizeSpeller::insert(ArrayRef<Spelling> spellings) {
  std::map<int, std::vector<onnx::NodeProto>> behind = take(spellings);
  std::vector<onnx::NodeProto> all = std::move(behind[-1]);
  for (int n = 0; n < work.edit.nodes(); ++n) {
    all.push_back(std::move(work.edit.node(n)));
    llvm::append_range(all, behind[n]);
  }
  work.edit.setNodes(std::move(all));
}

} // namespace sinter::simplify
