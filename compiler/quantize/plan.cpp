// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding contractions, and spreading from them over what lies between. A Relu, Clip or bias behind a contraction is
// part of it: the value between has no scale. Operators that move values are quantized where a contraction (or average)
// reads what they move; elementwise ones only between contractions, so that neither preparation of inputs nor decoding
// of outputs becomes coarse.
#include "quantize/plan.h"

#include "quantize/weights.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace llvm;

namespace sinter::quantize {
namespace {

/// The only node that reads a value; -1: several, none, or an output of the graph.
int soleReader(const GraphEdit &edit, StringRef value) {
  ArrayRef<Reader> readers = edit.readers(value);
  return readers.size() == 1 ? readers.front().node : -1;
}

/// Fills in a constant operand that is added per channel.
bool takeBias(const GraphEdit &edit, Layer &layer, int node, int input) {
  std::optional<FloatTensor> data = edit.floats(edit.node(node).input(input));
  auto channels = static_cast<size_t>(layer.weight->dims[static_cast<size_t>(layer.axis)]);
  if (!data || data->values.size() != channels || (channels > 1 && data->dims.back() == 1))
    return false;
  layer.biasNode = node;
  layer.biasInput = input;
  layer.biasDims = data->dims;
  layer.bias = data->values;
  return true;
}

void findBias(const GraphEdit &edit, Layer &layer) {
  const onnx::NodeProto &node = edit.node(layer.node);
  if (!isStandard(node, "MatMul")) {
    if (node.input_size() > 2 && !node.input(2).empty())
      takeBias(edit, layer, layer.node, 2);
    else
      layer.takesBias = true;
    return;
  }
  int add = soleReader(edit, node.output(0));
  if (add < 0 || !isStandard(edit.node(add), "Add"))
    return;
  for (int input : {0, 1})
    if (edit.node(add).input(1 - input) == node.output(0) && takeBias(edit, layer, add, input))
      return;
}

/// Spreads over the graph from the contractions that are wanted.
class Spread {
public:
  Spread(const GraphEdit &edit, const std::vector<Layer> &layers, const std::vector<bool> &wanted)
      : edit(edit), layerAt(static_cast<size_t>(edit.nodes()), -1), kinds(layerAt.size(), Kind::None),
        merged(layerAt.size(), false), quantized(layerAt.size(), false) {
    plan.layers = wanted;
    for (size_t l = 0; l < layers.size(); ++l) {
      layerAt[static_cast<size_t>(layers[l].node)] = static_cast<int>(l);
      if (layers[l].biasNode >= 0 && layers[l].biasNode != layers[l].node)
        merged[static_cast<size_t>(layers[l].biasNode)] = true;
    }
    for (size_t n = 0; n < kinds.size(); ++n)
      kinds[n] = kindOf(node(n));
    for (size_t n = 0; n < kinds.size(); ++n)
      if (isClamp(node(n)) && endsRangeOf(edit.maker(node(n).input(0)), node(n).input(0)))
        merged[n] = true;
  }

  Plan make() {
    spreadForward();
    spreadBackward();
    chooseNodes();
    collectValues();
    return std::move(plan);
  }

private:
  const onnx::NodeProto &node(size_t n) const { return edit.node(static_cast<int>(n)); }
  /// Whether a clamp can be the end of what node `n` does.
  bool endsRangeOf(int n, StringRef value) const {
    if (n < 0 || soleReader(edit, value) < 0)
      return false;
    auto at = static_cast<size_t>(n);
    return merged[at] || kinds[at] == Kind::Contraction || kinds[at] == Kind::Average ||
           (kinds[at] == Kind::Elementwise && !isClamp(node(at)));
  }
  bool isActive(size_t n) {
    int layer = layerAt[n];
    return layer >= 0 && plan.layers[static_cast<size_t>(layer)];
  }
  /// Calls `visit` with each data input that is no constant.
  template <class Visit>
  void forEachData(size_t n, Visit visit) const {
    int count = merged[n] ? node(n).input_size() : layerAt[n] >= 0 || kinds[n] != Kind::None ? dataInputs(node(n)) : 0;
    for (int i = 0; i < count; ++i)
      if (const std::string &value = node(n).input(i); !value.empty() && !edit.constant(value))
        visit(value);
  }
  bool anyOutputIn(size_t n, const llvm::StringSet<> &set) const {
    return llvm::any_of(node(n).output(), [&](const std::string &value) { return set.contains(value); });
  }

  void spreadForward() {
    for (size_t n = 0; n < kinds.size(); ++n) {
      bool any = false;
      forEachData(n, [&](StringRef value) { any |= derived.contains(value); });
      if (int layer = layerAt[n]; layer >= 0) {
        // A contraction of two values is known to be one of floats if one of them comes from floats.
        if (node(n).op_type() == "MatMul" && edit.constant(node(n).input(1)) == nullptr && !any)
          plan.layers[static_cast<size_t>(layer)] = false;
        any = isActive(n);
      }
      if (any)
        for (const std::string &value : node(n).output())
          derived.insert(value);
    }
  }
  void spreadBackward() {
    for (size_t n = kinds.size(); n-- > 0;) {
      bool reads = isActive(n);
      if (layerAt[n] < 0) {
        bool isDerived = anyOutputIn(n, derived), isWanted = anyOutputIn(n, wanted);
        reads = merged[n] || kinds[n] == Kind::Move ? isWanted
                : kinds[n] == Kind::Average         ? isDerived
                                                    : isDerived && isWanted;
      }
      if (reads)
        forEachData(n, [&](StringRef value) { wanted.insert(value); });
    }
  }
  void chooseNodes() {
    for (size_t n = 0; n < kinds.size(); ++n) {
      bool isDerived = anyOutputIn(n, derived), isWanted = anyOutputIn(n, wanted);
      if (layerAt[n] >= 0)
        quantized[n] = isActive(n);
      else if (!merged[n])
        quantized[n] = kinds[n] == Kind::Move          ? isWanted
                       : kinds[n] == Kind::Average     ? isDerived
                       : kinds[n] == Kind::Elementwise ? isDerived && isWanted
                                                       : false;
    }
  }
  void collectValues() {
    llvm::StringMap<int> indexOf;
    for (size_t n = 0; n < kinds.size(); ++n)
      if (quantized[n])
        forEachData(n, [&](StringRef value) {
          if (indexOf.try_emplace(value, plan.values.size()).second)
            plan.values.push_back({value.str(), 0, true});
        });
    EquivalenceClasses<int> groups;
    for (size_t v = 0; v < plan.values.size(); ++v)
      groups.insert(static_cast<int>(v));
    for (size_t n = 0; n < kinds.size(); ++n) {
      if (!quantized[n] || kinds[n] != Kind::Move)
        continue;
      int first = -1;
      bool allInputs = true;
      auto join = [&](StringRef value) {
        auto found = indexOf.find(value);
        if (found == indexOf.end())
          return;
        if (first >= 0)
          groups.unionSets(first, found->second);
        first = found->second;
      };
      for (int i = 0; i < dataInputs(node(n)); ++i) {
        allInputs &= indexOf.count(node(n).input(i)) != 0;
        join(node(n).input(i));
      }
      for (const std::string &value : node(n).output()) {
        join(value);
        if (auto found = indexOf.find(value); found != indexOf.end() && allInputs)
          plan.values[static_cast<size_t>(found->second)].observed = false;
      }
    }
    llvm::DenseMap<int, int> numberOf;
    for (size_t v = 0; v < plan.values.size(); ++v) {
      int leader = groups.getLeaderValue(static_cast<int>(v));
      plan.values[v].group = numberOf.try_emplace(leader, static_cast<int>(numberOf.size())).first->second;
    }
    plan.groups = static_cast<int>(numberOf.size());
  }

  const GraphEdit &edit;
  std::vector<int> layerAt; ///< per node: index of the layer, or -1
  std::vector<Kind> kinds;
  std::vector<bool> merged; ///< part of the node before
  std::vector<bool> quantized;
  llvm::StringSet<> derived; ///< come from a contraction that is quantized, over operators that could be
  llvm::StringSet<> wanted;  ///< go to one
  Plan plan;
};
} // namespace

int Plan::find(StringRef name) const {
  for (size_t v = 0; v < values.size(); ++v)
    if (values[v].name == name)
      return static_cast<int>(v);
  return -1;
}

std::vector<Layer> layersOf(const GraphEdit &edit) {
  std::vector<Layer> layers;
  for (int n = 0; n < edit.nodes(); ++n) {
    const onnx::NodeProto &node = edit.node(n);
    if (kindOf(node) != Kind::Contraction || node.input_size() < 2 || edit.constant(node.input(0)))
      continue;
    Layer layer;
    layer.name = nameOf(node);
    layer.node = n;
    layer.output = node.output(0);
    layer.inputs = {node.input(0)};
    if (std::optional<int64_t> axis = channelAxis(edit, node)) {
      layer.weight = edit.floats(node.input(1));
      if (!layer.weight)
        continue;
      layer.axis = *axis;
      findBias(edit, layer);
    } else if (isStandard(node, "MatMul") && !edit.constant(node.input(1))) {
      layer.inputs.push_back(node.input(1));
    } else {
      continue;
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

Plan makePlan(const GraphEdit &edit, const std::vector<Layer> &layers, const std::vector<bool> &wanted) {
  return Spread(edit, layers, wanted).make();
}

} // namespace sinter::quantize
