// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "subgraphs.h"

#include "meeting.h"

using namespace mlir;

namespace sinter {

FailureOr<Region *> subgraphOf(const Op &op, StringRef name, size_t arguments, size_t results) {
  Region *region = subgraph(op, name);
  if (!region)
    return op.fail(Code::MissingAttribute, "the subgraph '" + name + "' is missing");
  Block &block = region->front();
  if (block.getNumArguments() != arguments)
    return op.fail(Code::WrongOperandCount, "the subgraph '" + name + "' has " + Twine(block.getNumArguments()) +
                                                " inputs; the node gives it " + Twine(arguments));
  size_t given = block.getTerminator()->getNumOperands();
  if (given != results)
    return op.fail(Code::WrongOperandCount,
                   "the subgraph '" + name + "' has " + Twine(given) + " outputs; the node needs " + Twine(results));
  return region;
}

LogicalResult checkSameElement(const Op &op, const Twine &what, Tensor one, Tensor other) {
  if (one.element == other.element)
    return success();
  return op.fail(Code::WrongOperandType, what + " is a tensor(" + elementTypeName(one.element) + ") and a tensor(" +
                                             elementTypeName(other.element) + ")");
}

} // namespace sinter
