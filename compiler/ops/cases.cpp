// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that read a tensor whose rank only a call knows (choices.h): lowered once for each rank that it may have, and
// what that makes meets again, so that a chain of such nodes takes as much code as it has nodes. A rank that does not
// fit the node ends the call, as it does where operators are run one by one.
#include "branches.h"
#include "conversion.h"

using namespace mlir;

namespace sinter {

/// How many tensors a call has one of.
static uint64_t alternativesOf(const Converted &value) {
  return value.choice ? alternativesOf(value.choice->first) + alternativesOf(value.choice->second) : 1;
}

/// As long as a node is lowered for each of what its operands may be.
class Conversion::InCases {
public:
  InCases(Conversion &conversion, NodeOp node, uint64_t all)
      : conversion(conversion), around(conversion.inCases), before(conversion.combinations) {
    conversion.inCases = node;
    conversion.combinations = all;
  }
  ~InCases() {
    conversion.inCases = around;
    conversion.combinations = before;
  }
  InCases(const InCases &) = delete;
  InCases &operator=(const InCases &) = delete;

private:
  Conversion &conversion;
  NodeOp around;
  uint64_t before;
};

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

  constexpr uint64_t most = 256;
  uint64_t all = combinations;
  if (node != inCases) { // what follows are parts of the same
    llvm::SmallDenseSet<Value> met;
    for (Value input : node.getInputs())
      if (const Converted *one = find(input);
          all <= most && one->choice && met.insert(one->choice->isFirst.value).second)
        all *= alternativesOf(*one);
  }
  if (all > most) {
    diagnostics.report(
        {Code::TooManyNodes,
         "operands whose ranks only a call knows come in more than " + std::to_string(most) + " combinations",
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
  InCases inside(*this, node, all);
  auto values = choose(op, choice.isFirst, path(choice.first), path(choice.second), outputs);
  if (failed(values))
    return failure();
  for (auto [output, value] : llvm::zip(outputs, *values))
    bind(node->getResult(output), value);
  return success();
}

} // namespace sinter
