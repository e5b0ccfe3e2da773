// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node behind another of its kind reads what that one reads: Transpose, Cast, Concat, Slice and reductions of other
// axes, and whatever only states another shape.
#include "simplify/work.h"

#include <array>

using namespace llvm;

namespace sinter::simplify {
namespace {

bool joinTransposes(Work &work, onnx::NodeProto &node) {
  const onnx::NodeProto *before = work.makerOf(node.input(0), "Transpose");
  const onnx::AttributeProto *first = before ? attributeOf(*before, "perm") : nullptr,
                             *second = attributeOf(node, "perm");
  if (!first || !second || first->ints_size() != second->ints_size() ||
      any_of(second->ints(), [&](int64_t i) { return i < 0 || i >= first->ints_size(); }))
    return false;
  std::vector<int64_t> both;
  for (int64_t i : second->ints())
    both.push_back(first->ints(static_cast<int>(i)));
  node.set_input(0, before->input(0));
  quantize::removeAttribute(node, "perm");
  setIntegerList(node, "perm", both);
  return true;
}

bool isReshaping(const Work &work, const onnx::NodeProto &node) {
  return (isStandard(node, "Transpose") && work.keepsOrder(node)) || isStandard(node, "Reshape") ||
         isStandard(node, "Flatten") || isStandard(node, "Squeeze") || isStandard(node, "Unsqueeze");
}

/// Only puts dims of 1 in front.
bool expandsNothing(const Work &work, const onnx::NodeProto &node) {
  if (!isStandard(node, "Expand"))
    return false;
  auto from = work.dims(node.input(0)), to = work.dims(node.output(0));
  if (!from || !to || from->size() > to->size())
    return false;
  size_t added = to->size() - from->size();
  return std::equal(from->begin(), from->end(), to->begin() + static_cast<ptrdiff_t>(added)) &&
         llvm::all_of(ArrayRef(*to).take_front(added), [](const SizeFact &dim) { return dim.number == 1; });
}

/// What it makes is the same of every shape with as many elements; that shape may be unknown.
bool statesWholeShape(const Work &work, const onnx::NodeProto &node) {
  if (!isStandard(node, "Reshape") || node.input_size() < 2)
    return false;
  auto operand = work.integers(node.input(1));
  return operand && !is_contained(*operand, 0);
}

bool joinReshapes(Work &work, onnx::NodeProto &node) {
  int maker = work.edit.maker(node.input(0));
  if (maker < 0 || (!isReshaping(work, work.edit.node(maker)) && !expandsNothing(work, work.edit.node(maker))) ||
      !work.hasOneReader(node.input(0)))
    return false;
  const onnx::NodeProto &before = work.edit.node(maker);
  if (statesWholeShape(work, node)) {
    node.set_input(0, before.input(0));
    return true;
  }
  auto from = work.dims(before.input(0)), to = work.dims(node.output(0));
  std::optional<std::vector<int64_t>> operand = from && to ? reshapeOperand(*from, *to) : std::nullopt;
  if (!operand)
    return false;
  onnx::NodeProto joined = quantize::makeNode("Reshape", {before.input(0)}, {node.output(0)}, node.name());
  joined.set_doc_string(node.doc_string());
  work.setIntegers(joined, 1, *operand);
  node = std::move(joined);
  return true;
}

/// Each value of `from` is one of `to`, and comes out of it as it would out of `from`.
bool losesNothing(ElementType from, ElementType to) {
  auto isSignedOf = [](ElementType type) { return isInteger(type) && !isUnsignedInteger(type); };
  if (from == ElementType::Bool)
    return isInteger(to) && bitWidth(to) >= 8;
  if (isInteger(from) && isInteger(to))
    return bitWidth(to) > bitWidth(from) && (isUnsignedInteger(from) || isSignedOf(to));
  if (from == ElementType::Float16 || from == ElementType::BFloat16)
    return to == ElementType::Float || to == ElementType::Double;
  return from == ElementType::Float && to == ElementType::Double;
}

bool joinCasts(Work &work, onnx::NodeProto &node) {
  const onnx::NodeProto *before = work.makerOf(node.input(0), "Cast");
  if (!before || !losesNothing(work.element(before->input(0)), work.element(node.input(0))))
    return false;
  node.set_input(0, before->input(0));
  return true;
}
std::optional<int64_t> knownRank(const Work &work, StringRef value) {
  std::optional<Dims> dims = work.dims(value);
  return dims ? std::optional(static_cast<int64_t>(dims->size())) : std::nullopt;
}

bool joinConcats(Work &work, onnx::NodeProto &node) {
  std::optional<int64_t> rank = knownRank(work, node.output(0));
  auto axisOf = [&](const onnx::NodeProto &concat) {
    int64_t axis = integerOf(concat, "axis", work.opset < 4 ? 1 : 0);
    return axis < 0 ? axis + *rank : axis;
  };
  std::vector<std::string> parts;
  bool isJoined = false;
  for (const std::string &part : node.input()) {
    const onnx::NodeProto *before = work.makerOf(part, "Concat");
    if (before && rank && work.hasOneReader(part) && axisOf(*before) == axisOf(node)) {
      parts.insert(parts.end(), before->input().begin(), before->input().end());
      isJoined = true;
    } else {
      parts.push_back(part);
    }
  }
  if (isJoined)
    node.mutable_input()->Assign(parts.begin(), parts.end());
  return isJoined;
}

/// The operands of a Slice behind its data: starts, ends, axes and steps.
using SliceLists = std::array<std::vector<int64_t>, 4>;

std::optional<SliceLists> sliceListsOf(const Work &work, const onnx::NodeProto &slice) {
  std::optional<int64_t> rank = knownRank(work, slice.input(0));
  if (!rank)
    return std::nullopt;
  SliceLists lists;
  for (auto [i, list] : enumerate(lists)) {
    int input = static_cast<int>(i) + 1;
    if (slice.input_size() > input && !slice.input(input).empty()) {
      auto known = work.integers(slice.input(input));
      if (!known)
        return std::nullopt;
      list = *known;
    } else {
      for (size_t axis = 0; axis < lists[0].size(); ++axis)
        list.push_back(i == 2 ? static_cast<int64_t>(axis) : 1); // the first axes, each element
    }
    if (list.size() != lists[0].size())
      return std::nullopt;
  }
  for (int64_t &axis : lists[2])
    axis += axis < 0 ? *rank : 0;
  return lists;
}

/// Slices of other axes. One that other kinds of nodes read too stays for these, and is better read.
bool joinSlices(Work &work, onnx::NodeProto &node) {
  const onnx::NodeProto *before = work.opset >= 10 ? work.makerOf(node.input(0), "Slice") : nullptr;
  if (!before || work.isOutput(node.input(0)) ||
      !llvm::all_of(work.edit.readers(node.input(0)), [&](const quantize::Reader &reader) {
        return reader.node >= 0 && isStandard(work.edit.node(reader.node), "Slice");
      }))
    return false;
  auto first = sliceListsOf(work, *before), second = sliceListsOf(work, node);
  if (!first || !second || llvm::any_of((*second)[2], [&](int64_t axis) { return is_contained((*first)[2], axis); }))
    return false;
  node.set_input(0, before->input(0));
  for (auto [i, lists] : enumerate(zip(*first, *second))) {
    auto &[list, more] = lists;
    list.insert(list.end(), more.begin(), more.end());
    work.setIntegers(node, static_cast<int>(i) + 1, list);
  }
  return true;
}

/// The axes of a reduction; none where they are not known.
std::optional<std::vector<int64_t>> reducedAxes(const Work &work, const onnx::NodeProto &node) {
  std::optional<int64_t> rank = knownRank(work, node.input(0));
  std::optional<std::vector<int64_t>> axes;
  if (const onnx::AttributeProto *attribute = attributeOf(node, "axes"))
    axes.emplace(attribute->ints().begin(), attribute->ints().end());
  else if (node.input_size() > 1 && !node.input(1).empty())
    axes = work.integers(node.input(1));
  if (!rank || !axes || axes->empty())
    return std::nullopt;
  for (int64_t &axis : *axes)
    axis += axis < 0 ? *rank : 0;
  return axes;
}

bool keepsDims(const onnx::NodeProto &reduction) { return integerOf(reduction, "keepdims", 1) != 0; }

/// A reduction keeps its axes as dims of 1, or does not, as the one behind it would have them.
bool joinKeptDims(Work &work, onnx::NodeProto &node) {
  int maker = work.edit.maker(node.input(0));
  if (maker < 0 || !work.hasOneReader(node.input(0)))
    return false;
  const onnx::NodeProto &before = work.edit.node(maker);
  if (!isStandard(before, before.op_type()) || !StringRef(before.op_type()).starts_with("Reduce"))
    return false;
  auto from = work.dims(before.input(0)), to = work.dims(node.output(0));
  auto axes = reducedAxes(work, before);
  if (!from || !to || !axes)
    return false;
  Dims wanted;
  for (auto [d, dim] : enumerate(*from))
    if (!is_contained(*axes, static_cast<int64_t>(d)))
      wanted.push_back(dim);
    else if (!keepsDims(before))
      wanted.push_back({1, "1", true});
  if (wanted != *to)
    return false;
  onnx::NodeProto joined = before;
  joined.set_name(node.name());
  joined.set_output(0, node.output(0));
  quantize::removeAttribute(joined, "keepdims");
  quantize::setInteger(joined, "keepdims", keepsDims(before) ? 0 : 1);
  node = std::move(joined);
  return true;
}

bool joinReductions(Work &work, onnx::NodeProto &node) {
  StringRef type = node.op_type();
  bool isExact = type == "ReduceMax" || type == "ReduceMin",
       isReduction = isExact || type == "ReduceMean" || type == "ReduceSum" || type == "ReduceProd";
  const onnx::NodeProto *before =
      isReduction && (isExact || !work.options.exact) ? work.makerOf(node.input(0), type) : nullptr;
  if (!before || !work.hasOneReader(node.input(0)))
    return false;
  auto first = reducedAxes(work, *before), second = reducedAxes(work, node);
  if (!first || !second || !keepsDims(*before) || !keepsDims(node) ||
      (attributeOf(*before, "axes") == nullptr) != (attributeOf(node, "axes") == nullptr) ||
      llvm::any_of(*second, [&](int64_t axis) { return is_contained(*first, axis); }))
    return false;
  first->insert(first->end(), second->begin(), second->end());
  llvm::sort(*first);
  node.set_input(0, before->input(0));
  if (!attributeOf(node, "axes")) {
    work.setIntegers(node, 1, *first);
    return true;
  }
  quantize::removeAttribute(node, "axes");
  setIntegerList(node, "axes", *first);
  return true;
}

/// Where(Not(c), a, b) is Where(c, b, a).
bool joinNot(Work &work, onnx::NodeProto &node) {
  const onnx::NodeProto *before = work.makerOf(node.input(0), "Not");
  if (!before)
    return false;
  node.set_input(0, before->input(0));
  node.mutable_input()->SwapElements(1, 2);
  return true;
}
} // namespace

int64_t joinChains(Work &work) {
  int64_t joined = 0;
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node())
    joined += (isStandard(node, "Transpose") && joinTransposes(work, node)) ||
              (isReshaping(work, node) && work.opset >= 5 && (joinReshapes(work, node) || joinKeptDims(work, node))) ||
              (isStandard(node, "Cast") && joinCasts(work, node)) ||
              (isStandard(node, "Concat") && joinConcats(work, node)) ||
              (isStandard(node, "Slice") && joinSlices(work, node)) ||
              (isStandard(node, "Where") && joinNot(work, node)) ||
              (isStandard(node, node.op_type()) && joinReductions(work, node));
  return joined;
}

} // namespace sinter::simplify
