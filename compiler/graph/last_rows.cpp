// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who generates tokens wants the scores behind the last one, who verifies drafts those behind the last few. The output
// that is marked with their number (sinter.last_rows) loses all other rows, before the product with the vocabulary's
// weights rather than behind it: of a prompt of 100 tokens that is a hundredth of the largest product. Between the
// product and the output may be what treats each number alone. The scores become float32, as samplers take them.
//
// What that product is made of, all rows of it, becomes one more output where the mark sinter.hidden_states gives it a
// name: a token's hidden state, which contrastive search compares. Without such a product there is none.
#include "passes.h"

#include "form_nodes.h"
#include "node_match.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sinter {
namespace {

int64_t rowsRankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : -1;
}

/// A number for each column, or for all.
bool isOfColumns(WeightOp weight) {
  auto type = dyn_cast<RankedTensorType>(weight.getType());
  return type &&
         llvm::all_of(type.getShape().drop_back(type.getRank() ? 1 : 0), [](int64_t size) { return size == 1; });
}

/// A tensor of weights with two dims, or its transpose.
bool isMatrix(Value value) {
  if (NodeOp transpose = producer(value, "Transpose"))
    return rowsRankOf(transpose.getInputs()[0]) == 2;
  return value.getDefiningOp<WeightOp>() && rowsRankOf(value) == 2;
}

/// The operand whose rows become the rows of `node`, each by itself; -1: there is none.
int operandWithRows(NodeOp node) {
  constexpr StringRef alone[] = {"Identity", "Cast", "Tanh", "Neg", "Sigmoid"};
  constexpr StringRef pairs[] = {"Add", "Sub", "Mul", "Div"};
  if (node.getDomain() == "com.microsoft" && node.getOpType() == "MatMulNBits")
    return 0;
  if (!node.getDomain().empty())
    return -1;
  if (llvm::is_contained(alone, node.getOpType()))
    return 0;
  if (node.getOpType() == "MatMul")
    return isMatrix(node.getInputs()[1]) ? 0 : -1;
  if (node.getOpType() == "Gemm")
    return integerAttribute(node, "transA").value_or(0) == 0 && node.getInputs().size() < 3 ? 0 : -1;
  if (llvm::is_contained(pairs, node.getOpType()))
    for (int i : {0, 1})
      if (auto other = node.getInputs()[static_cast<size_t>(1 - i)].getDefiningOp<WeightOp>();
          other && isOfColumns(other))
        return i;
  return -1;
}

bool isProduct(NodeOp node) { return llvm::is_contained({"MatMul", "Gemm", "MatMulNBits"}, node.getOpType()); }

Value floats(Operation *end, Value value) {
  FormNodes nodes{OpBuilder(end), end->getLoc()};
  return nodes.node("Cast", 13, value, AnyType::get(end->getContext()),
                    nodes.number("to", static_cast<int64_t>(ElementType::Float)));
}

/// Of a function whose type is set afterwards.
void addOutput(func::FuncOp main, Value value, StringAttr name) {
  Operation *end = main.getBody().front().getTerminator();
  end->insertOperands(end->getNumOperands(), floats(end, value));
  SmallVector<Attribute> attributes;
  if (ArrayAttr known = main.getAllResultAttrs())
    llvm::append_range(attributes, known);
  Builder b(main.getContext());
  attributes.resize(main.getNumResults(), b.getDictionaryAttr({}));
  attributes.push_back(b.getDictionaryAttr(b.getNamedAttr("sinter.name", name)));
  main.setFunctionType(b.getFunctionType(main.getFunctionType().getInputs(), llvm::to_vector(end->getOperandTypes())));
  main.setAllResultAttrs(attributes);
}

void keepLastRowsOf(func::FuncOp main, unsigned index, int64_t rows) {
  Operation *end = main.getBody().front().getTerminator();
  OpOperand *place = &end->getOpOperand(index);
  SmallVector<NodeOp> passed;
  bool isBehindProduct = false;
  OpOperand *best = place;
  size_t bestPassed = 0;
  while (!isBehindProduct && place->get().hasOneUse()) {
    auto node = place->get().getDefiningOp<NodeOp>();
    int operand = node ? operandWithRows(node) : -1;
    if (operand < 0)
      break;
    passed.push_back(node);
    place = &node.getInputsMutable()[static_cast<unsigned>(operand)];
    isBehindProduct = isProduct(node);
  }
  if (isBehindProduct)
    std::tie(best, bestPassed) = std::pair(place, passed.size());
  Value hidden = isBehindProduct ? place->get() : Value();
  auto any = AnyType::get(main.getContext());
  FormNodes nodes(OpBuilder(best->getOwner()), best->get().getLoc());
  auto whole = [&](int64_t number) { return nodes.integers(number, ElementType::Int64); };
  best->set(nodes.node("Slice", 13, {best->get(), whole(-rows), whole(INT64_MAX), whole(-2)}, any));
  for (NodeOp node : ArrayRef(passed).take_front(bestPassed))
    node->getResult(0).setType(any);
  end->setOperand(index, floats(end, end->getOperand(index)));
  auto wish = main.getResultAttrOfType<StringAttr>(index, "sinter.hidden_states");
  for (StringRef stale : {"sinter.type", "sinter.dims", "sinter.last_rows", "sinter.hidden_states"})
    main.removeResultAttr(index, StringAttr::get(main.getContext(), stale));
  if (wish && hidden)
    addOutput(main, hidden, wish);
}
} // namespace

LogicalResult keepLastRows(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return success();
  Builder builder(module.getContext());
  Operation *end = main.getBody().front().getTerminator();
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (auto rows = main.getResultAttrOfType<IntegerAttr>(i, "sinter.last_rows"))
      keepLastRowsOf(main, i, rows.getInt());
  main.setFunctionType(
      builder.getFunctionType(main.getFunctionType().getInputs(), llvm::to_vector(end->getOperandTypes())));
  return success();
}

} // namespace sinter
