// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If: only the branch that runs where the condition is known; otherwise both, whose results meet (ops/branches.h).
#include "ops/branches.h"
#include "ops/size_relation.h"
#include "ops/subgraphs.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerIf(Op &op) {
  auto thenGraph = subgraphOf(op, "then_branch", 0, op.outputCount()),
       elseGraph = subgraphOf(op, "else_branch", 0, op.outputCount());
  if (failed(thenGraph) || failed(elseGraph))
    return failure();
  auto path = [&](bool truth) {
    return [&op, graph = truth ? *thenGraph : *elseGraph](OpBuilder &b) {
      return op.conversion.convertRegion(*graph, {}, b);
    };
  };
  SmallVector<unsigned> outputs = llvm::to_vector(llvm::seq<unsigned>(0, op.outputCount()));
  std::optional<bool> condition = knownTruth(op, op.input(0));
  auto values = condition ? path(*condition)(op.b) : choose(op, op.input(0), path(true), path(false), outputs);
  if (failed(values))
    return failure();
  for (auto [output, value] : llvm::zip(op.node.getOutputs(), *values))
    op.conversion.bind(output, value);
  return success();
}
} // namespace

void register_if(Registry &registry) {
  registry.onOp("If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, "cond[S*] product(S)=1", lowerIf);
}

} // namespace sinter
