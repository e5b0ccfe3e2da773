// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of steps as a CUDA graph: made once, launched by one call of the driver, and set to other pointers and sizes
// where steps changed. Its kinds of steps and its kernels stay; a list that has others does not match.
#pragma once

#include "runtime-lite/cuda/steps.h"

namespace sinter {
namespace {

/// What the graph has at a step.
struct GraphStep {
  CuGraphNode node;
  StepKind kind;
  int kernel;
};

struct DeviceGraph {
  CuGraph graph;
  CuGraphExec exec;
  GraphStep *nodes; ///< as many as the list has room for, in an array of the program's
  int count;
  const char *called; ///< the function of the driver that was called last

  bool matches(const DeviceSteps &list) const {
    if (!exec || list.count != count)
      return false;
    for (int i = 0; i < count; ++i) {
      const DeviceStep &step = list.steps[i];
      if (step.kind != nodes[i].kind || (step.kind == StepKind::Launch && step.kernel != nodes[i].kernel) ||
          step.isEmptyLaunch())
        return false;
    }
    return true;
  }

  /// Each step waits for the one before. `waitThemselves`: kernels do so in their code, so a launch begins while the
  /// one before still runs, if the driver (of CUDA 12.3 on) knows such edges. The driver copies arguments when a node
  /// is made or set.
  CuResult build(const CuDriver &driver, CuContext context, DeviceSteps &list, const CuFunction *functions,
                 bool waitThemselves) {
    called = "cuGraphCreate";
    CuResult result = driver.graphCreate(&graph, 0);
    const CuGraphNode *last = nullptr;
    StepKind lastKind = StepKind::None;
    for (int i = 0; i < list.count && result == 0; ++i) {
      DeviceStep &step = list.steps[i];
      nodes[i] = {nullptr, step.kind, step.kernel};
      if (step.kind == StepKind::None)
        continue;
      const bool beginsEarly =
          waitThemselves && driver.graphAddEdges && step.kind == StepKind::Launch && lastKind == StepKind::Launch;
      const size_t before = last && !beginsEarly ? 1 : 0;
      if (step.kind == StepKind::Launch) {
        const CuKernelNode kernel = kernelOf(step, list, functions);
        called = "cuGraphAddKernelNode";
        result = driver.graphAddKernel(&nodes[i].node, graph, last, before, &kernel);
      } else {
        const CuCopyNode copy = copyOf(step);
        called = "cuGraphAddMemcpyNode";
        result = driver.graphAddCopy(&nodes[i].node, graph, last, before, &copy, context);
      }
      if (result == 0 && beginsEarly) {
        const CuGraphEdge edge = {1, 0, 1, {}};
        called = "cuGraphAddDependencies";
        result = driver.graphAddEdges(graph, last, &nodes[i].node, &edge, 1);
      }
      step.isChanged = false;
      last = &nodes[i].node;
      lastKind = step.kind;
    }
    count = list.count;
    if (result != 0)
      return result;
    called = "cuGraphInstantiate";
    return driver.graphInstantiate(&exec, graph, nullptr, nullptr, 0);
  }

  /// Sets what changed.
  CuResult update(const CuDriver &driver, CuContext context, DeviceSteps &list, const CuFunction *functions) {
    for (int i = 0; i < count; ++i) {
      DeviceStep &step = list.steps[i];
      if (!step.isChanged || step.kind == StepKind::None)
        continue;
      CuResult result = 0;
      if (step.kind == StepKind::Launch) {
        const CuKernelNode kernel = kernelOf(step, list, functions);
        called = "cuGraphExecKernelNodeSetParams";
        result = driver.graphSetKernel(exec, nodes[i].node, &kernel);
      } else {
        const CuCopyNode copy = copyOf(step);
        called = "cuGraphExecMemcpyNodeSetParams";
        result = driver.graphSetCopy(exec, nodes[i].node, &copy, context);
      }
      if (result != 0)
        return result;
      step.isChanged = false;
    }
    return 0;
  }

  void destroy(const CuDriver &driver) {
    if (exec)
      driver.graphExecDestroy(exec);
    if (graph)
      driver.graphDestroy(graph);
    exec = nullptr;
    graph = nullptr;
  }

private:
  static CuKernelNode kernelOf(const DeviceStep &step, const DeviceSteps &list, const CuFunction *functions) {
    CuKernelNode kernel = {};
    kernel.function = functions[step.kernel];
    for (int d = 0; d < 3; ++d) {
      // A graph that is made for no elements yet needs a block all the same; an empty launch is never one of its calls.
      kernel.grid[d] = step.grid[d] == 0 ? 1 : step.grid[d];
      kernel.block[d] = step.block[d];
    }
    kernel.sharedBytes = step.sharedBytes;
    kernel.arguments = list.arguments + step.firstArgument;
    return kernel;
  }

  static CuCopyNode copyOf(const DeviceStep &step) {
    CuCopyNode copy = {};
    setSide(copy.from, step.from, step.kind == StepKind::ToDevice, step.bytes);
    setSide(copy.to, step.to, step.kind == StepKind::ToHost, step.bytes);
    copy.widthInBytes = step.bytes;
    copy.height = copy.depth = 1;
    return copy;
  }
  static void setSide(CuCopySide &side, CuPointer address, bool isHost, size_t bytes) {
    side.memoryType = isHost ? kCuHost : kCuDevice;
    if (isHost)
      side.host = reinterpret_cast<const void *>(static_cast<uintptr_t>(address));
    else
      side.device = address;
    side.pitch = bytes;
    side.height = 1;
  }
};

} // namespace
} // namespace sinter
