// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache of fixed size whose rows are not its first dim is written by exporters as Transpose, ScatterND, Transpose:
// index_copy_ of PyTorch. Where an input of the graph becomes an output by that, it is one ScatterElements along the
// dim of the rows, which a state takes in place: the rows that stay are moved twice no more.
// Preconditions: the second Transpose takes the first one back, indices are [n, 1], nothing is reduced.
#include "passes.h"

#include "form_nodes.h"
#include "node_match.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sinter {
namespace {

ArrayRef<int64_t> permutationOf(NodeOp transpose) {
  auto order = transpose.getAttrs().getAs<DenseI64ArrayAttr>("perm");
  return order ? order.asArrayRef() : ArrayRef<int64_t>();
}

bool takesBack(ArrayRef<int64_t> there, ArrayRef<int64_t> back) {
  if (there.empty() || there.size() != back.size())
    return false;
  for (auto [i, dim] : llvm::enumerate(back))
    if (dim < 0 || static_cast<size_t>(dim) >= there.size() ||
        there[static_cast<size_t>(dim)] != static_cast<int64_t>(i))
      return false;
  return true;
}

bool scattersRows(NodeOp scatter) {
  auto indices = dyn_cast<RankedTensorType>(scatter.getInputs()[1].getType());
  auto reduction = scatter.getAttrs().getAs<StringAttr>("reduction");
  return indices && indices.getRank() == 2 && indices.getDimSize(1) == 1 &&
         (!reduction || reduction.getValue() == "none");
}

/// Rewrites what makes the output; the new value, or null.
Value scatterInPlace(Value output) {
  NodeOp back = producer(output, "Transpose");
  NodeOp scatter = back ? producer(back.getInputs()[0], "ScatterND") : NodeOp();
  NodeOp there = scatter ? producer(scatter.getInputs()[0], "Transpose") : NodeOp();
  if (!there || !isa<BlockArgument>(there.getInputs()[0]) || !takesBack(permutationOf(there), permutationOf(back)) ||
      !scattersRows(scatter))
    return {};
  ArrayRef<int64_t> order = permutationOf(there);
  OpBuilder builder(scatter);
  FormNodes nodes(builder, scatter.getLoc());
  auto any = AnyType::get(builder.getContext());
  Value updates = nodes.node("Transpose", 13, scatter.getInputs()[2], any, nodes.numbers("perm", permutationOf(back)));
  SmallVector<int64_t> shape(order.size(), 1);
  shape[static_cast<size_t>(order.front())] = -1;
  Value rows = nodes.node("Reshape", 14, {scatter.getInputs()[1], nodes.integers(shape, ElementType::Int64)}, any,
                          nodes.number("allowzero", 0));
  Value sizes = nodes.node("Shape", 15, updates, any, nodes.number("start", 0));
  Value all = nodes.node("Expand", 13, {rows, sizes}, any);
  Value made = nodes.node(
      "ScatterElements", 18, {there.getInputs()[0], all, updates}, any,
      {nodes.number("axis", order.front()), builder.getNamedAttr("reduction", builder.getStringAttr("none"))});
  // Who reads the rows in the other order goes on doing so.
  Value turned = nodes.node("Transpose", 13, made, any, nodes.numbers("perm", order));
  scatter->replaceAllUsesWith(ValueRange{turned});
  return made;
}
} // namespace

LogicalResult scattersInPlace(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return success();
  Operation *end = main.getBody().front().getTerminator();
  for (unsigned i = 0; i < end->getNumOperands(); ++i) {
    Value output = end->getOperand(i), made = scatterInPlace(output);
    if (!made)
      continue;
    Type stated = output.getType();
    made.setType(stated);
    output.replaceAllUsesWith(made);
  }
  return success();
}

} // namespace sinter
