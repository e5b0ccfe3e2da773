// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What depends on weights only is computed at compile time: each such tensor that run-time ops use becomes one
// sinter.constant, whose region memory/write_weights.cpp evaluates. Precondition for moving an op: no effects, and all
// it reads is constant.
#include "passes/passes.h"

#include "interpreter/interpreter.h"
#include "passes/algebra/support/fold_budget.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace sinter;

namespace {

/// A constant larger than this is not made from operands that together have less than a quarter of its bytes: flash for
/// little work saved.
constexpr int64_t freeExpansionBytes = 4096;

int64_t byteSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  Type element = tensor.getElementType();
  return tensor.getNumElements() * (element.isIntOrFloat() ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8) : 8);
}

SetVector<Value> valuesRead(Operation *op) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

/// Of strings the interpreter knows less than of numbers: whether an op is among that, only trying tells.
bool hasStrings(Operation *op) {
  auto isString = [](Type type) { return isa<StringType>(getElementTypeOrSelf(type)); };
  return llvm::any_of(op->getOperandTypes(), isString) || llvm::any_of(op->getResultTypes(), isString);
}

class Outliner {
public:
  Outliner(func::FuncOp function, FoldLimit limit) : function(function), budget(function, limit) {}

  void run() {
    sortOpsOf(function);
    // Ops kept at run time join the list while it is worked off.
    for (size_t i = 0; i < runtimeOps.size(); ++i)
      for (OpOperand &operand : runtimeOps[i]->getOpOperands())
        outlineOperand(operand);
    SmallVector<Operation *> ops = llvm::to_vector(llvm::make_first_range(order));
    for (Operation *op : llvm::reverse(ops))
      if (op->use_empty())
        op->erase();
  }

private:
  /// What is in an op's regions: constant, or done at run time.
  void sortOpsOf(Operation *scope) {
    scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == scope)
        return WalkResult::advance();
      if (isa<ConstantOp>(op))
        return WalkResult::skip();
      if (!isConstant(op)) {
        runtimeOps.push_back(op);
        return WalkResult::advance();
      }
      order[op] = order.size();
      return WalkResult::skip(); // the body of a constant loop nest moves with it
    });
  }

  bool isConstant(Operation *op) {
    if (isa<WeightOp, arith::ConstantOp>(op))
      return true;
    if (op->getNumResults() == 0 || op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op) ||
        !isInterpretable(op))
      return false;
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor ? !tensor.hasStaticShape() : !type.isIntOrIndexOrFloat())
        return false;
    SetVector<Value> values = valuesRead(op);
    if (values.empty())
      return isa<tensor::EmptyOp>(op); // sinter.dim, sinter.input
    return llvm::all_of(values, [&](Value value) { return order.contains(value.getDefiningOp()); }) &&
           sinter::isConstant(op->getResult(0), known) && budget.allows(op, known) &&
           (!hasStrings(op) || evaluate(op->getResult(0), known));
  }

  /// Cheaper at run time than in the weights: empties, fills, scalars, and what repeats a small tensor many times.
  bool staysAtRunTime(Operation *op, Value value) {
    if (!isa<TensorType>(value.getType()) || isa<tensor::EmptyOp, linalg::FillOp, tensor::SplatOp>(op))
      return true;
    int64_t bytes = byteSize(value.getType()), from = 0;
    for (Value operand : valuesRead(op))
      if (!isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(operand.getDefiningOp()))
        from += byteSize(operand.getType());
    bool isKernel = isa<KernelOp>(op); // those that only the interpreter has, and work in any case
    return !isa<WeightOp, arith::ConstantOp>(op) && !isKernel && bytes > freeExpansionBytes && bytes > 4 * from;
  }

  void outlineOperand(OpOperand &operand) {
    Value value = operand.get();
    Operation *op = value.getDefiningOp();
    if (!op || !order.contains(op))
      return;
    if (Value known = outlined.lookup(value)) {
      operand.set(known);
      return;
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
      if (!isa<TensorType>(constant.getType()))
        return;
      if (splat)
        return operand.set(outlined[value] = fillWith(constant, splat));
    } else if (staysAtRunTime(op, value)) {
      if (kept.insert(op).second) {
        runtimeOps.push_back(op);
        sortOpsOf(op); // its body may capture constants, and have its own
      }
      return;
    }
    operand.set(outlined[value] = outline(value));
  }

  Value fillWith(arith::ConstantOp constant, SplatElementsAttr splat) {
    OpBuilder builder(constant);
    auto type = cast<RankedTensorType>(constant.getType());
    auto attribute = dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
    if (!attribute || attribute.getType() != type.getElementType() || isa<StringAttr>(attribute))
      return outline(constant); // there are no scalar constants of such types
    Value scalar = builder.create<arith::ConstantOp>(constant.getLoc(), attribute);
    Value empty = builder.create<tensor::EmptyOp>(constant.getLoc(), type.getShape(), type.getElementType());
    return builder.create<linalg::FillOp>(constant.getLoc(), scalar, empty).getResult(0);
  }

  Value outline(Value value) {
    SetVector<Operation *> slice;
    slice.insert(value.getDefiningOp());
    for (size_t i = 0; i < slice.size(); ++i)
      for (Value read : valuesRead(slice[i]))
        slice.insert(read.getDefiningOp());
    SmallVector<Operation *> ops = slice.takeVector();
    llvm::sort(ops, [&](Operation *a, Operation *b) { return order.lookup(a) < order.lookup(b); });

    Block &entry = function.getBody().front();
    OpBuilder builder(&entry, lastConstant ? std::next(lastConstant->getIterator()) : entry.begin());
    auto constant = builder.create<ConstantOp>(value.getLoc(), value.getType(), IntegerAttr(), nameOf(ops),
                                               builder.getI64IntegerAttr(outlined.size()));
    builder.createBlock(&constant.getBody());
    IRMapping mapping;
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    builder.create<YieldOp>(value.getLoc(), mapping.lookup(value));
    lastConstant = constant;
    return constant.getResult();
  }

  /// The name of the weight, where the constant comes from one.
  static StringAttr nameOf(ArrayRef<Operation *> ops) {
    StringAttr name;
    for (Operation *op : ops)
      if (auto weight = dyn_cast<WeightOp>(op)) {
        if (name)
          return {};
        name = weight.getNameAttr();
      }
    return name;
  }

  func::FuncOp function;
  FoldBudget budget;
  llvm::MapVector<Operation *, size_t> order; ///< constant ops, in program order
  SmallVector<Operation *> runtimeOps;
  DenseSet<Operation *> kept;
  DenseMap<Value, Value> outlined;
  EvaluationCache known; ///< what the interpreter can compute
  Operation *lastConstant = nullptr;
};

} // namespace

LogicalResult sinter::outlineConstants(ModuleOp module, FoldLimit limit) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration())
      Outliner(function, limit).run();
  return success();
}
