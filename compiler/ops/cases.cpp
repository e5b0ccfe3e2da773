// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that read a tensor whose rank only a call knows (choices.h): lowered once for each rank that it may have, and
// what that makes meets again, so that a chain of such nodes takes as much code as it has nodes. A rank that does not
// fit the node ends the call, as it does where operators are run one by one.
#include "branches.h"
#include "conversion.h"

using namespace mlir;

namespace sinter {

/// How many choices, one after the other, lead to a tensor.
static unsigned depthOf(const Converted &value) {
  return value.choice ? 1 + std::max(depthOf(value.choice->first), depthOf(value.choice->second)) : 0;
}

LogicalResult Conversion::convertCases(NodeOp node, OpBuilder &builder, Value operand) {
  const Converted whole = *find(operand);
  const Choice &choice = *whole.choice;
  auto convertWith = [&](const Converted &part, OpBuilder &b) {
    Converted given = part;
    given.present = whole.present;
    bind(operand, given);
    LogicalResult done = convertNode(node, b);
    bind(operand, whole);
    return done;
  };
  if (auto known = assumed.find(choice.isFirst.value); known != assumed.end())
    return convertWith(known->second ? choice.first : choice.second, builder);

  constexpr unsigned mostOpen = 8;
  unsigned open = openCases;
  llvm::SmallDenseSet<Value> met;
  for (Value input : node.getInputs())
    if (const Converted *one = find(input); one->choice && met.insert(one->choice->isFirst.value).second)
      open += depthOf(*one);
  if (open > mostOpen) {
    diagnostics.report(
        {Code::TooManyNodes,
         "operands whose ranks only a call knows come in more than " + std::to_string(1 << mostOpen) + " combinations",
         placeOf(node), "reshape them to one rank, each on its own"});
    return failure();
  }
  if (failed(spend(node, 1)))
    return failure();
  SmallVector<unsigned> outputs; // that somebody reads
  for (OpResult result : node->getResults())
    if (!result.use_empty())
      outputs.push_back(result.getResultNumber());
  auto path = [&](const Converted &part) {
    return [&](OpBuilder &b) -> FailureOr<SmallVector<Converted>> {
      if (failed(convertWith(part, b)))
        return failure();
      SmallVector<Converted> made;
      for (unsigned output : outputs) {
        made.push_back(*find(node->getResult(output)));
        forget(node->getResult(output));
      }
      return made;
    };
  };
  Op op(*this, node, builder);
  ++openCases;
  auto values = choose(op, choice.isFirst, path(choice.first), path(choice.second), outputs);
  --openCases;
  if (failed(values))
    return failure();
  for (auto [output, value] : llvm::zip(outputs, *values))
    bind(node->getResult(output), value);
  return success();
}

} // namespace sinter
