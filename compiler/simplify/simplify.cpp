// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounds: learn what there is to know of the model as it is, then all steps; until a round changes nothing.
#include "simplify/simplify.h"

#include "simplify/recognize.h"
#include "simplify/subgraphs.h"
#include "simplify/work.h"
#include "simplify/write_shapes.h"

#include "quantize/normalize.h"
#include "quantize/own_names.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

struct Step {
  StringRef name;
  bool isExact;
  int64_t (*run)(Work &);
};
constexpr Step steps[] = {
#define SINTER_SIMPLIFICATION(function, name, exact, summary) {name, exact, function},
#include "passes.def"
#undef SINTER_SIMPLIFICATION
};

/// From IR version 4 on initializers need not be inputs; what has both may be given by the caller, which no step could
/// then rely on. Constants are constants.
void dropConstantInputs(onnx::ModelProto &model) {
  llvm::StringSet<> constants;
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    constants.insert(tensor.name());
  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> inputs;
  for (onnx::ValueInfoProto &input : *model.mutable_graph()->mutable_input())
    if (!constants.contains(input.name()))
      *inputs.Add() = std::move(input);
  model.mutable_graph()->mutable_input()->Swap(&inputs);
  constexpr int64_t withoutInputs = 4;
  if (model.ir_version() < withoutInputs)
    model.set_ir_version(withoutInputs);
}
} // namespace

int64_t countNodes(const onnx::ModelProto &model) {
  std::function<int64_t(const onnx::GraphProto &)> count = [&](const onnx::GraphProto &graph) {
    int64_t nodes = graph.node_size();
    for (const onnx::NodeProto &node : graph.node())
      for (const onnx::AttributeProto &attribute : node.attribute()) {
        if (attribute.has_g())
          nodes += count(attribute.g());
        for (const onnx::GraphProto &inner : attribute.graphs())
          nodes += count(inner);
      }
    return nodes;
  };
  return count(model.graph());
}

std::vector<StringRef> stepNames() {
  std::vector<StringRef> names;
  for (const Step &step : steps)
    names.push_back(step.name);
  names.push_back("recognize-operators");
  return names;
}

void SimplifyResult::count(StringRef step, int64_t changes) {
  auto known = llvm::find_if(steps, [&](const StepCount &other) { return other.name == step; });
  if (known == steps.end())
    steps.push_back({step, changes});
  else
    known->changes += changes;
}

SimplifyResult simplify(onnx::ModelProto &model, const LearnOptions &learning, const SimplifyOptions &options) {
  SimplifyResult result;
  result.nodesBefore = countNodes(model);
  for (const Step &step : steps)
    result.steps.push_back({step.name, 0});
  quantize::giveOwnNames(model);
  dropConstantInputs(model);
  quantize::OutsideWeights outside(learning.folder, learning.import.externalRoots, learning.import.untrusted);
  constexpr int mostRounds = 32; // each needs a change; more are a step that undoes another
  bool hasSeenBodies = false;
  bool changed = true, isRecognized = options.exact || is_contained(options.disabled, "recognize-operators");
  for (int round = 0; changed && round < mostRounds; ++round) {
    {
      quantize::GraphEdit edit(model);
      quantize::collectConstants(edit);
    }
    Learnt learnt = learn(model, learning);
    if (round == 0)
      result.notes = learnt.problems;
    Work work(model, learnt.facts, options, outside);
    changed = false;
    for (auto [step, count] : zip(steps, result.steps)) {
      if ((options.exact && !step.isExact) || is_contained(options.disabled, step.name))
        continue;
      int64_t changes = step.run(work);
      work.settle();
      count.changes += changes;
      changed |= changes > 0;
    }
    outside.release();
    if (changed)
      continue;
    writeShapes(*model.mutable_graph(), learnt.facts);
    if (!hasSeenBodies) { // bodies in bodies are seen by the simplification of the outer ones
      hasSeenBodies = true;
      changed = simplifySubgraphs(model, learning, options, result) > 0;
      if (changed)
        continue;
    }
    if (!isRecognized) {
      int64_t recognized = recognizeOperators(work, learning);
      result.count("recognize-operators", recognized);
      changed = recognized > 0;
    }
    isRecognized = true;
  }
  result.nodesAfter = countNodes(model);
  return result;
}

} // namespace sinter::simplify
