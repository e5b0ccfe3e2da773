// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "size_relation.h"

#include "conversion.h"
#include "ir/dim_bounds.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {
namespace {

struct Relation {
  StringRef text;
  arith::CmpIPredicate predicate;
  /// What is known of a - b, which lies in [low, high].
  bool (*always)(int64_t low, int64_t high);
  bool (*never)(int64_t low, int64_t high);
};

const Relation relations[] = {
    {"=", arith::CmpIPredicate::eq, [](int64_t low, int64_t high) { return low == 0 && high == 0; },
     [](int64_t low, int64_t high) { return low > 0 || high < 0; }},
    {"!=", arith::CmpIPredicate::ne, [](int64_t low, int64_t high) { return low > 0 || high < 0; },
     [](int64_t low, int64_t high) { return low == 0 && high == 0; }},
    {"<", arith::CmpIPredicate::slt, [](int64_t, int64_t high) { return high < 0; },
     [](int64_t low, int64_t) { return low >= 0; }},
    {"<=", arith::CmpIPredicate::sle, [](int64_t, int64_t high) { return high <= 0; },
     [](int64_t low, int64_t) { return low > 0; }},
    {">", arith::CmpIPredicate::sgt, [](int64_t low, int64_t) { return low > 0; },
     [](int64_t, int64_t high) { return high <= 0; }},
    {">=", arith::CmpIPredicate::sge, [](int64_t low, int64_t) { return low >= 0; },
     [](int64_t, int64_t high) { return high < 0; }},
};

} // namespace

Holds relationHolds(const Tensors &t, StringRef text, Size a, Size b) {
  const Relation *relation = llvm::find_if(relations, [&](const Relation &r) { return r.text == text; });
  auto known = [&](int64_t low, int64_t high) -> std::optional<Holds> {
    if (relation->always(low, high))
      return Holds{Holds::Yes};
    if (relation->never(low, high))
      return Holds{Holds::No};
    return std::nullopt;
  };
  if (sameSize(a, b))
    return *known(0, 0);
  Interval difference = DimBounds().ofDifference(a, b);
  if (auto result = known(difference.low, difference.high))
    return *result;
  return {Holds::AtRunTime,
          t.b.createOrFold<arith::CmpIOp>(t.loc, relation->predicate, toValue(t.b, t.loc, a), toValue(t.b, t.loc, b))};
}

static std::optional<bool> truthOf(const Tensors &t, Value condition) {
  if (std::optional<int64_t> constant = getConstantIntValue(condition))
    return *constant != 0;
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
    auto relation = llvm::find_if(relations, [&](const Relation &r) { return r.predicate == compare.getPredicate(); });
    if (relation == std::end(relations) || !compare.getLhs().getType().isInteger(64))
      return std::nullopt;
    Holds holds = relationHolds(t, relation->text, sizeOfInteger(t.b, t.loc, compare.getLhs()),
                                sizeOfInteger(t.b, t.loc, compare.getRhs()));
    return holds.kind == Holds::AtRunTime ? std::nullopt : std::optional(holds.kind == Holds::Yes);
  }
  if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  std::optional<bool> a = truthOf(t, op->getOperand(0)), b = truthOf(t, op->getOperand(1));
  bool decides = isa<arith::OrIOp>(op); // alone, whatever the other one is
  if (!isa<arith::XOrIOp>(op) && (a == decides || b == decides))
    return decides;
  if (!a || !b)
    return std::nullopt;
  return isa<arith::XOrIOp>(op) ? *a != *b : !decides;
}

std::optional<bool> knownTruth(const Op &op, Tensor condition) {
  if (auto assumed = op.conversion.assumed.find(condition.value); assumed != op.conversion.assumed.end())
    return assumed->second;
  if (std::optional<HostTensor> host = contentsOf(condition, op.conversion.evaluations))
    return host->size() == 1 ? std::optional(host->integerAt(0) != 0) : std::nullopt;
  if (condition.element != ElementType::Bool)
    return std::nullopt;
  SmallVector<int64_t> first(condition.rank(), 0);
  return truthOf(op, elementOf(op.b, op.loc, condition.value, first, op.conversion.evaluations));
}

Holds either(const Tensors &t, Holds a, Holds b) {
  if (a.kind == Holds::Yes || b.kind == Holds::No)
    return a;
  if (b.kind == Holds::Yes || a.kind == Holds::No)
    return b;
  return {Holds::AtRunTime, t.b.createOrFold<arith::OrIOp>(t.loc, a.condition, b.condition)};
}

Holds both(const Tensors &t, Holds a, Holds b) {
  if (a.kind == Holds::No || b.kind == Holds::Yes)
    return a;
  if (b.kind == Holds::No || a.kind == Holds::Yes)
    return b;
  return {Holds::AtRunTime, t.b.createOrFold<arith::AndIOp>(t.loc, a.condition, b.condition)};
}

Holds broadcasts(const Tensors &t, Size a, Size b) {
  Size one = sizeOf(t.b, 1);
  Holds holds = relationHolds(t, "=", a, b);
  holds = either(t, holds, relationHolds(t, "=", a, one));
  return either(t, holds, relationHolds(t, "=", b, one));
}

static bool isArithOrAffine(Operation *op) { return isa<affine::AffineDialect, arith::ArithDialect>(op->getDialect()); }

/// Whether nothing but dims of the inputs decides; `slice` is then what computes it.
static bool followsFromDims(Value value, llvm::SetVector<Operation *> &slice) {
  BackwardSliceOptions options;
  options.inclusive = true;
  getBackwardSlice(value, &slice, options);
  return value.getDefiningOp() && llvm::all_of(slice, [&](Operation *op) {
           return isa<DimOp>(op) || (isArithOrAffine(op) && !llvm::any_of(op->getOperands(), [](Value operand) {
                                       return isa<BlockArgument>(operand);
                                     }));
         });
}

static Operation *createRequirement(const Tensors &t, Value condition, StringRef why) {
  OpBuilder::InsertionGuard guard(t.b);
  llvm::SetVector<Operation *> slice;
  Block *block = t.b.getInsertionBlock();
  bool isPassedAlways = isa_and_nonnull<func::FuncOp>(block->getParentOp());
  if (isPassedAlways && followsFromDims(condition, slice)) {
    Operation *last = nullptr;
    for (Operation &op : *block) {
      if (!isa<DimOp>(op))
        break;
      last = &op;
    }
    if (last) {
      t.b.setInsertionPointAfter(last);
      IRMapping mapping;
      for (Operation *op : slice)
        if (!isa<DimOp>(op))
          t.b.clone(*op, mapping);
      return t.b.create<cf::AssertOp>(t.loc, mapping.lookupOrDefault(condition), why);
    }
  }
  return t.b.create<cf::AssertOp>(t.loc, condition, why);
}

void require(const Tensors &t, Value condition, StringRef why) { createRequirement(t, condition, why); }

/// Moves an op, and the arithmetic that it needs, up in its block as far as they can go.
static void moveUp(Operation *op) {
  Operation *last = nullptr;
  for (Value operand : op->getOperands()) {
    Operation *maker = operand.getDefiningOp();
    if (!maker || maker->getBlock() != op->getBlock())
      continue;
    if (isArithOrAffine(maker))
      moveUp(maker);
    if (!last || last->isBeforeInBlock(maker))
      last = maker;
  }
  if (last)
    op->moveAfter(last);
  else
    op->moveBefore(&op->getBlock()->front());
}

void requireEarly(const Tensors &t, Value condition, StringRef why) { moveUp(createRequirement(t, condition, why)); }

LogicalResult mustHold(const Op &op, const Holds &holds, const Twine &problem) {
  if (holds.kind == Holds::No)
    return op.fail(Code::ShapeMismatch, problem);
  if (holds.kind == Holds::AtRunTime)
    require(op, holds.condition, "the operands of " + op.node.getOpType().str() + " fit");
  return success();
}

LogicalResult mustBeEqual(const Op &op, Size a, Size b, const Twine &problem) {
  return mustHold(op, relationHolds(op, "=", a, b), problem);
}

/// Whether what the condition says is that the sizes are equal, or this or that one of them is 1.
static bool saysBroadcasts(Value condition, Value a, Value b) {
  if (auto either = condition.getDefiningOp<arith::OrIOp>())
    return saysBroadcasts(either.getLhs(), a, b) && saysBroadcasts(either.getRhs(), a, b);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return false;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  bool isOfBoth = (lhs == a && rhs == b) || (lhs == b && rhs == a);
  return isOfBoth || ((lhs == a || lhs == b) && matchPattern(rhs, m_One()));
}

/// Whether the builder's place lies behind an assertion of it.
static bool isAsserted(const Tensors &t, Value a, Value b) {
  for (Operation *user : a.getUsers()) {
    SmallVector<Value> conditions;
    if (isa<arith::CmpIOp>(user) && llvm::is_contained(user->getOperands(), b))
      conditions.push_back(user->getResult(0));
    while (!conditions.empty())
      for (Operation *reader : conditions.pop_back_val().getUsers()) {
        if (isa<arith::OrIOp>(reader))
          conditions.push_back(reader->getResult(0));
        else if (auto assertion = dyn_cast<cf::AssertOp>(reader);
                 assertion && assertion->getParentRegion()->isAncestor(t.b.getInsertionBlock()->getParent()) &&
                 saysBroadcasts(assertion.getArg(), a, b))
          return true;
      }
  }
  return false;
}

LogicalResult mustBroadcast(const Op &op, Size a, Size b, const Twine &problem) {
  if (sameSize(a, b))
    return success();
  if (!isa<Value>(a) || !isa<Value>(b))
    return mustHold(op, broadcasts(op, a, b), problem);
  Value x = cast<Value>(a), y = cast<Value>(b);
  Region *region = op.b.getInsertionBlock()->getParent();
  // Users of a size may be many, so that each pair is looked for once.
  if (!op.conversion.broadcasting.insert({x.getAsOpaquePointer(), y.getAsOpaquePointer(), region}).second ||
      isAsserted(op, x, y))
    return success();
  return mustHold(op, broadcasts(op, a, b), problem);
}

} // namespace sinter
