// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simplify/spreads.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

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

/// Functions of which runtimes compute an element in one way within a vector and in another behind the last whole one,
/// so that its last bit depends on how many elements there are.
bool isApproximated(const onnx::NodeProto &node) {
  static const llvm::StringSet<> types = {"Cos", "Elu", "Erf",     "Exp", "Gelu",     "HardSigmoid",
                                          "Log", "Pow", "Sigmoid", "Sin", "Softplus", "Tanh"};
  return types.contains(node.op_type());
}

/// What values of these dims are when they are spread over each other.
std::optional<Dims> dimsOfAll(ArrayRef<Dims> all) {
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

} // namespace

std::optional<Dims> Spreads::dims(StringRef value) const {
  auto own = dimsOfMade.find(value);
  return own == dimsOfMade.end() ? work.dims(value) : own->second;
}

std::optional<Dims> Spreads::elements(StringRef value) const {
  if (auto constant = work.integers(value)) {
    Dims list;
    for (int64_t each : *constant)
      list.push_back({each, std::to_string(each), true});
    return list;
  }
  const ValueFact *fact = work.facts.find(value);
  return fact && fact->elements ? std::optional<Dims>(*fact->elements) : std::nullopt;
}

std::optional<Dims> Spreads::listOf(const onnx::NodeProto &node) const {
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

bool Spreads::isSpread(const onnx::NodeProto &node) const {
  return (node.op_type() == "Expand" || node.op_type() == "Tile") && listOf(node).has_value();
}

/// Dims of the result where an operand is `instead` long.
std::optional<Dims> Spreads::dimsWith(const onnx::NodeProto &node, int input, const Dims &instead) const {
  std::vector<Dims> all;
  for (int i = 0; i < node.input_size(); ++i) {
    auto own = i == input ? std::optional(instead) : dims(node.input(i));
    if (!own)
      return std::nullopt;
    all.push_back(std::move(*own));
  }
  return dimsOfAll(all);
}

bool Spreads::mayMove(const onnx::NodeProto &node) const { return !work.options.exact || !isApproximated(node); }

bool Spreads::isSpreadBy(const onnx::NodeProto &node, int input, const Dims &from) const {
  auto result = spreadsOperands(node) && mayMove(node) ? dims(node.output(0)) : std::nullopt;
  return result && dimsWith(node, input, from) == result;
}

bool Spreads::isSameBefore(const onnx::NodeProto &node, int input, const Dims &from, const Dims &to) const {
  bool hasOperands = spreadsOperands(node);
  if (node.output_size() != 1 || !mayMove(node) || !(hasOperands || (input == 0 && isUnary(node))))
    return false;
  return dims(node.output(0)) == to && (!hasOperands || dimsWith(node, input, from) == from);
}

/// How many spreads there are where all that read `value`, which is `from` spread to `to`, go before the spread or
/// spread it themselves, at most 1 for each. None: one of them reads it as it is.
std::optional<int> Spreads::leftBehind(StringRef value, const Dims &from, const Dims &to, int &budget) const {
  if (work.isOutput(value))
    return std::nullopt;
  ArrayRef<quantize::Reader> readers = work.edit.readers(value);
  int left = 0;
  for (size_t r = 0; r < readers.size(); ++r) {
    if (readers[r].node < 0 || --budget < 0 || (r > 0 && readers[r].node == readers[r - 1].node))
      return std::nullopt;
    const onnx::NodeProto &node = work.edit.node(readers[r].node);
    if (isSpreadBy(node, readers[r].input, from))
      continue;
    if (!isSameBefore(node, readers[r].input, from, to))
      return std::nullopt;
    left += std::min(1, leftBehind(node.output(0), from, to, budget).value_or(1));
  }
  return left;
}

void Spreads::decide(const onnx::NodeProto &node) {
  if (!isSpread(node))
    return;
  auto from = dims(node.input(0)), to = dims(node.output(0));
  int budget = 64; // nodes that are looked at
  if (from && to && leftBehind(node.output(0), *from, *to, budget).value_or(2) <= 1)
    sinking.insert(node.output(0));
}

} // namespace sinter::simplify
