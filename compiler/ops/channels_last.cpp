// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "channels_last.h"

using namespace mlir;

namespace sinter {

LogicalResult lowerChannelsLast(Op &op, ArrayRef<unsigned> maps, StringRef opType, int64_t since, StringRef domain) {
  SmallVector<Tensor> operands;
  bool isLast = op.integer("channels_last", 1) != 0;
  for (unsigned i = 0; i < op.inputCount(); ++i) {
    operands.push_back(op.inputOrNone(i));
    if (!isLast || !op.has(i) || !llvm::is_contained(maps, i))
      continue;
    int64_t rank = operands.back().rank();
    if (rank < 3)
      return op.fail(Code::ShapeMismatch, "a map of channels has at least three dims");
    SmallVector<int64_t> first{0, rank - 1};
    llvm::append_range(first, llvm::seq<int64_t>(1, rank - 1));
    operands.back() = op.transpose(operands.back(), first);
  }
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : op.node.getAttrs())
    if (attribute.getName() != "channels_last")
      attributes.push_back(attribute);
  auto made = op.call(opType, since, operands, attributes, op.outputCount(), domain);
  if (failed(made))
    return failure();
  for (Tensor &y : *made) {
    if (!isLast || !y)
      continue;
    SmallVector<int64_t> last{0};
    llvm::append_range(last, llvm::seq<int64_t>(2, y.rank()));
    last.push_back(1);
    y = op.transpose(y, last);
  }
  return op.results(*made);
}

} // namespace sinter
