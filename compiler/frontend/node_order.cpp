// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kahn's algorithm (Communications of the ACM 5, 1962) with the file's order as the choice among nodes that are ready.
#include "frontend/node_order.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <queue>
#include <vector>

using namespace llvm;

namespace sinter {
namespace {
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Each name that the node reads, a Gradient also by its attributes. A subgraph's own names are among them; they are
/// new to the graphs around it.
void forEachName(const onnx::NodeProto &node, llvm::function_ref<void(StringRef)> visit) {
  for (const std::string &name : node.input())
    visit(name);
  auto visitGraph = [&](const onnx::GraphProto &graph) {
    for (const onnx::NodeProto &inner : graph.node())
      forEachName(inner, visit);
    for (const onnx::ValueInfoProto &output : graph.output())
      visit(output.name());
  };
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      visitGraph(attribute.g());
    for (const onnx::GraphProto &graph : attribute.graphs())
      visitGraph(graph);
    if (node.op_type() == "Gradient" && node.domain() == "ai.onnx.preview.training") {
      for (const std::string &name : attribute.strings())
        visit(name);
      visit(attribute.s());
    }
  }
}
} // namespace

SmallVector<const onnx::NodeProto *> inTopologicalOrder(const Nodes &nodes) {
  StringMap<int> producers;
  for (int i = 0; i < nodes.size(); ++i)
    for (const std::string &name : nodes[i].output())
      if (!name.empty())
        producers.try_emplace(name, i);

  std::vector<std::vector<int>> readers(static_cast<size_t>(nodes.size()));
  std::vector<int> missing(static_cast<size_t>(nodes.size()));
  bool sorted = true;
  for (int i = 0; i < nodes.size(); ++i)
    forEachName(nodes[i], [&](StringRef name) {
      auto producer = producers.find(name);
      if (producer == producers.end())
        return;
      sorted &= producer->second < i;
      readers[static_cast<size_t>(producer->second)].push_back(i);
      ++missing[static_cast<size_t>(i)];
    });
  SmallVector<const onnx::NodeProto *> order;
  order.reserve(static_cast<size_t>(nodes.size()));
  if (sorted) {
    for (const onnx::NodeProto &node : nodes)
      order.push_back(&node);
    return order;
  }

  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int i = 0; i < nodes.size(); ++i)
    if (!missing[static_cast<size_t>(i)])
      ready.push(i);
  while (!ready.empty()) {
    int next = ready.top();
    ready.pop();
    order.push_back(&nodes[next]);
    for (int reader : readers[static_cast<size_t>(next)])
      if (--missing[static_cast<size_t>(reader)] == 0)
        ready.push(reader);
  }
  for (int i = 0; i < nodes.size(); ++i)
    if (missing[static_cast<size_t>(i)])
      order.push_back(&nodes[i]);
  return order;
}

} // namespace sinter
