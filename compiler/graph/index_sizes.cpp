// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph/index_sizes.h"

#include "graph/node_match.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sinter {
namespace {

/// Where an operator takes indices, and what these are of.
struct IndexedOperand {
  StringRef type;
  unsigned indices, data;
};

/// Operators of ONNX, and EmbedLayerNormalization of com.microsoft.
constexpr IndexedOperand indexed[] = {
    {"Gather", 1, 0},   {"GatherElements", 1, 0}, {"ScatterElements", 1, 0},         {"Scatter", 1, 0},
    {"GatherND", 1, 0}, {"ScatterND", 1, 0},      {"EmbedLayerNormalization", 0, 2}, {"EmbedLayerNormalization", 1, 4},
};

/// The same numbers, in another form.
constexpr StringRef passing[] = {"Identity", "Cast",      "Reshape", "Unsqueeze", "Squeeze", "Flatten",
                                 "Expand",   "Transpose", "Slice",   "Tile",      "Concat",  "Clip"};

/// Of one reader: the least dim that an index may be along.
std::optional<int64_t> sizeIn(NodeOp node, const IndexedOperand &operand) {
  auto data = operand.data < node->getNumOperands()
                  ? dyn_cast<RankedTensorType>(node->getOperand(operand.data).getType())
                  : RankedTensorType();
  if (!data || data.getRank() == 0)
    return std::nullopt;
  bool isAlongAxis = !operand.type.ends_with("ND");
  int64_t axis = integerAttribute(node, "axis").value_or(0), least = INT64_MAX;
  axis += axis < 0 ? data.getRank() : 0;
  for (int64_t dim = 0; dim < data.getRank(); ++dim)
    if (!data.isDynamicDim(static_cast<unsigned>(dim)) && (!isAlongAxis || dim == axis))
      least = std::min(least, data.getDimSize(static_cast<unsigned>(dim)));
  return least == INT64_MAX ? std::nullopt : std::optional(least);
}

/// The fewest rows among all that read `value`, or what has its numbers.
int64_t leastSizeOf(Value value, llvm::SmallPtrSetImpl<Operation *> &seen) {
  int64_t least = INT64_MAX;
  for (OpOperand &use : value.getUses()) {
    auto node = dyn_cast<NodeOp>(use.getOwner());
    if (!node || !seen.insert(node).second)
      continue;
    for (const IndexedOperand &operand : indexed)
      if (node.getOpType() == operand.type && use.getOperandNumber() == operand.indices)
        least = std::min(least, sizeIn(node, operand).value_or(INT64_MAX));
    bool isPassed = use.getOperandNumber() == 0 || node.getOpType() == "Concat";
    if (isPassed && llvm::is_contained(passing, node.getOpType()) && node->getNumResults() > 0)
      least = std::min(least, leastSizeOf(node->getResult(0), seen));
  }
  return least;
}

} // namespace

llvm::StringMap<int64_t> indexSizesOf(ModuleOp module) {
  llvm::StringMap<int64_t> sizes;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (BlockArgument input : main.getArguments()) {
    llvm::SmallPtrSet<Operation *, 16> seen;
    auto name = main.getArgAttrOfType<StringAttr>(input.getArgNumber(), "sinter.name");
    if (int64_t least = leastSizeOf(input, seen); name && least > 0 && least != INT64_MAX)
      sizes[name.getValue()] = least;
  }
  return sizes;
}

} // namespace sinter
