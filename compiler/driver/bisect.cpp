// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each trial is a model of its own that is compiled and run. A part that cannot stand alone does not differ, so that a
// larger one is taken.
#include "driver/bisect.h"

#include "simplify/split.h"
#include "simplify/work.h"

using namespace llvm;

namespace sinter {

std::optional<DifferingPart> Bisection::run() {
  int nodes = model.graph().node_size();
  std::optional<DifferingPart> best = tryPart(0, nodes, false);
  if (!best)
    return std::nullopt;
  int least = 0, most = nodes; // the first `least` nodes agree, the first `most` do not
  while (most - least > 1) {
    int middle = least + (most - least) / 2;
    if (std::optional<DifferingPart> part = tryPart(0, middle, false)) {
      most = middle;
      best = std::move(part);
    } else {
      least = middle;
    }
  }
  int differing = most; // the node before it is at fault, or what it is compiled together with
  std::optional<DifferingPart> cone;
  int reach = 1;
  for (; !cone && reach < differing; reach *= 2)
    cone = tryPart(differing - reach, differing, true);
  if (!cone)
    return best;
  best = std::move(cone);
  int enough = std::min(reach / 2, differing), tooFew = enough / 2;
  while (enough - tooFew > 1) {
    int middle = tooFew + (enough - tooFew) / 2;
    if (std::optional<DifferingPart> part = tryPart(differing - middle, differing, true)) {
      enough = middle;
      best = std::move(part);
    } else {
      tooFew = middle;
    }
  }
  return best;
}

std::optional<DifferingPart> Bisection::tryPart(int first, int end, bool isCone) {
  const onnx::GraphProto &graph = model.graph();
  std::vector<bool> isKept(static_cast<size_t>(graph.node_size()));
  llvm::StringSet<> needed;
  for (int n = end; n-- > first;) {
    const onnx::NodeProto &node = graph.node(n);
    bool isNeeded = !isCone || n == end - 1 ||
                    any_of(node.output(), [&](const std::string &output) { return needed.contains(output); });
    isKept[static_cast<size_t>(n)] = isNeeded;
    if (isNeeded)
      simplify::forEachRead(node, [&](const std::string &read) { needed.insert(read); });
  }
  DifferingPart part;
  Diagnostics unheard;
  auto model_ = simplify::partOf(model, [&](int n) { return bool(isKept[static_cast<size_t>(n)]); }, {}, unheard);
  if (!model_)
    return std::nullopt;
  part.model = std::move(*model_);
  auto &outputs = *part.model.mutable_graph()->mutable_output(); // a sequence is compared by what is made of it
  outputs.erase(llvm::remove_if(outputs, [&](const auto &output) { return !values.contains(output.name()); }),
                outputs.end());
  if (outputs.empty())
    return std::nullopt;
  auto valuesOf = [&](const auto &list, std::vector<HostArray> &to) {
    for (const onnx::ValueInfoProto &value : list) {
      auto found = values.find(value.name());
      if (found == values.end())
        return false;
      to.push_back(found->second);
    }
    return true;
  };
  if (!valuesOf(part.model.graph().input(), part.inputs) || !valuesOf(part.model.graph().output(), part.expected))
    return std::nullopt;

  std::optional<PartTrial> trial = PartTrial::build(part.model, how);
  bool differs = trial && trial->differs(part.inputs, part.expected, part.verdicts, part.problem);
  if (onTrial)
    onTrial(static_cast<size_t>(part.model.graph().node_size()), differs);
  return differs ? std::optional(std::move(part)) : std::nullopt;
}

} // namespace sinter
