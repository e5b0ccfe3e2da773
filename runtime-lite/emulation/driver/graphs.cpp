// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: nodes with copies of their parameters, done in the order in which they were added, which must be one that
// their dependences allow.
#include "state.h"

using namespace sinter;
using namespace sinter::fake;

namespace {
/// The graph that a node may be added to behind others of it, or null.
Graph *graphFor(State &fake, CuGraph handle, const CuGraphNode *after, size_t count) {
  auto found = fake.graphs.find(handle);
  if (found == fake.graphs.end()) {
    fake.mistake("a node for an unknown graph", 0);
    return nullptr;
  }
  Graph &graph = *found->second;
  if (!fake.isOwn(graph.owner, "a graph"))
    return nullptr;
  for (size_t i = 0; i < count; ++i) {
    bool isOfGraph = false;
    for (const auto &node : graph.nodes)
      isOfGraph = isOfGraph || reinterpret_cast<CuGraphNode>(node.get()) == after[i];
    if (!isOfGraph) {
      fake.mistake("a node behind one of another graph", 0);
      return nullptr;
    }
  }
  return &graph;
}

CuGraphNode addNode(Graph &graph, Work work, bool waits) {
  graph.nodes.push_back(std::make_unique<Node>());
  graph.nodes.back()->work = std::move(work);
  graph.nodes.back()->waits = waits;
  return reinterpret_cast<CuGraphNode>(graph.nodes.back().get());
}

Work *workOf(State &fake, CuGraphExec exec, CuGraphNode node) {
  auto found = fake.execs.find(exec);
  if (found != fake.execs.end())
    for (auto &[from, work] : found->second->nodes)
      if (reinterpret_cast<CuGraphNode>(const_cast<Node *>(from)) == node)
        return &work;
  fake.mistake("a change of an unknown node", 0);
  return nullptr;
}

/// Under two names; neither calls the other, so that tests can take one away.
CuResult instantiate(CuGraphExec *exec, CuGraph graph) {
  FAKE_ENTER("cuGraphInstantiate_v2", true)
  auto found = fake.graphs.find(graph);
  if (found == fake.graphs.end())
    return fake.mistake("an unknown graph", kInvalidHandle);
  auto made = std::make_unique<Exec>();
  made->owner = fake.current();
  for (const auto &node : found->second->nodes)
    if (!node->waits && node != found->second->nodes.front())
      fake.mistake("a node that waits for none", 0); // our lists are chains
  for (const auto &node : found->second->nodes)
    made->nodes.emplace_back(node.get(), node->work);
  *exec = reinterpret_cast<CuGraphExec>(made.get());
  fake.execs[made.get()] = std::move(made);
  return kSuccess;
}
} // namespace

extern "C" {
#pragma GCC visibility push(default)

CuResult cuGraphCreate(CuGraph *graph, unsigned) {
  FAKE_ENTER("cuGraphCreate", true)
  auto made = std::make_unique<Graph>(Graph{fake.current(), {}});
  *graph = reinterpret_cast<CuGraph>(made.get());
  fake.graphs[made.get()] = std::move(made);
  return kSuccess;
}

CuResult cuGraphDestroy(CuGraph graph) {
  FAKE_ENTER("cuGraphDestroy", true)
  return fake.graphs.erase(graph) ? kSuccess : fake.mistake("a graph was destroyed that is none", kInvalidHandle);
}

CuResult cuGraphAddKernelNode(CuGraphNode *node, CuGraph graph, const CuGraphNode *after, size_t count,
                              const CuKernelNode *kernel) {
  FAKE_ENTER("cuGraphAddKernelNode", true)
  Graph *to = graphFor(fake, graph, after, count);
  Work work;
  if (!to)
    return kInvalidHandle;
  if (const CuResult result = fake.makeLaunch(*kernel, work))
    return result;
  *node = addNode(*to, std::move(work), count > 0);
  return kSuccess;
}

CuResult cuGraphAddMemcpyNode(CuGraphNode *node, CuGraph graph, const CuGraphNode *after, size_t count,
                              const CuCopyNode *copy, CuContext context) {
  FAKE_ENTER("cuGraphAddMemcpyNode", true)
  Graph *to = graphFor(fake, graph, after, count);
  Work work;
  if (!to || context != contextStack().back())
    return kInvalidHandle;
  if (const CuResult result = fake.makeCopy(*copy, work))
    return result;
  *node = addNode(*to, std::move(work), count > 0);
  return kSuccess;
}

CuResult cuGraphAddDependencies_v2(CuGraph graph, const CuGraphNode *from, const CuGraphNode *to,
                                   const CuGraphEdge *edges, size_t count) {
  FAKE_ENTER("cuGraphAddDependencies_v2", true)
  auto found = fake.graphs.find(graph);
  if (found == fake.graphs.end())
    return fake.mistake("an edge of an unknown graph", kInvalidHandle);
  for (size_t i = 0; i < count; ++i) {
    Node *ends[2] = {};
    for (const auto &node : found->second->nodes) {
      if (reinterpret_cast<CuGraphNode>(node.get()) == from[i])
        ends[0] = node.get();
      else if (reinterpret_cast<CuGraphNode>(node.get()) == to[i] && ends[0])
        ends[1] = node.get();
    }
    if (!ends[0] || !ends[1])
      return fake.mistake("an edge that leads to no later node of its graph", kInvalidValue);
    const CuGraphEdge &edge = edges[i];
    const bool isEarly = edge.fromPort == 1 && edge.type == 1;
    if (edge.toPort != 0 || (!isEarly && (edge.fromPort != 0 || edge.type != 0)))
      return fake.mistake("an edge of a kind that there is not", kInvalidValue);
    if (isEarly && (!ends[0]->work.function || !ends[1]->work.function || found->second->owner->device.sm < 90))
      return fake.mistake("an early launch of what is no kernel, or on a GPU before sm_90", kInvalidValue);
    ends[1]->waits = true;
    ends[1]->work.launch.beginsEarly = isEarly;
  }
  return kSuccess;
}

CuResult cuGraphInstantiate_v2(CuGraphExec *exec, CuGraph graph, CuGraphNode *, char *, size_t) {
  return instantiate(exec, graph);
}
CuResult cuGraphInstantiate(CuGraphExec *exec, CuGraph graph, CuGraphNode *, char *, size_t) {
  return instantiate(exec, graph);
}

CuResult cuGraphExecDestroy(CuGraphExec exec) {
  FAKE_ENTER("cuGraphExecDestroy", true)
  return fake.execs.erase(exec) ? kSuccess : fake.mistake("a graph was destroyed that is none", kInvalidHandle);
}

CuResult cuGraphExecKernelNodeSetParams(CuGraphExec exec, CuGraphNode node, const CuKernelNode *kernel) {
  FAKE_ENTER("cuGraphExecKernelNodeSetParams", true)
  Work *of = workOf(fake, exec, node), work;
  if (!of)
    return kInvalidHandle;
  if (const CuResult result = fake.makeLaunch(*kernel, work))
    return result;
  if (of->function != work.function)
    return fake.mistake("the function of a node changes, which CUDA 10 forbids", kInvalidValue);
  work.launch.beginsEarly = of->launch.beginsEarly;
  *of = std::move(work);
  return kSuccess;
}

CuResult cuGraphExecMemcpyNodeSetParams(CuGraphExec exec, CuGraphNode node, const CuCopyNode *copy, CuContext context) {
  FAKE_ENTER("cuGraphExecMemcpyNodeSetParams", true)
  Work *of = workOf(fake, exec, node), work;
  if (!of || context != contextStack().back())
    return kInvalidHandle;
  if (const CuResult result = fake.makeCopy(*copy, work))
    return result;
  if (of->isToHost != work.isToHost || of->isFromHost != work.isFromHost)
    return fake.mistake("the memory types of a copy change", kInvalidValue);
  *of = std::move(work);
  return kSuccess;
}

CuResult cuGraphLaunch(CuGraphExec exec, CuStream stream) {
  FAKE_ENTER("cuGraphLaunch", true)
  auto found = fake.execs.find(exec);
  if (found == fake.execs.end())
    return fake.mistake("a launch of an unknown graph", kInvalidHandle);
  if (!fake.isOwn(found->second->owner, "a graph"))
    return kInvalidHandle;
  for (const auto &[node, work] : found->second->nodes)
    if (const CuResult result = fake.submit(stream, work))
      return result;
  return kSuccess;
}

CuResult cuGraphUpload(CuGraphExec exec, CuStream) {
  FAKE_ENTER("cuGraphUpload", true)
  return fake.execs.count(exec) ? kSuccess : fake.mistake("an unknown graph", kInvalidHandle);
}

#pragma GCC visibility pop
}
