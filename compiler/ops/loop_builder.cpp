// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop_builder.h"

#include "runtime_sizes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace sinter {

FailureOr<Size> LoopBuilder::capacityOf(unsigned output, std::optional<Size> trips) const {
  constexpr int64_t plausible = int64_t(1) << 31;
  auto range = trips ? rangeOf(*trips) : std::nullopt;
  if (std::optional<int64_t> stated = statedBound(op, output))
    return sizeOf(op.b, *stated);
  if (range && range->second < plausible)
    return sizeOf(op.b, range->second);
  auto declared = dyn_cast<RankedTensorType>(op.node.getResult(output).getType());
  if (declared && declared.getRank() > 0 && !declared.isDynamicDim(0))
    return sizeOf(op.b, declared.getDimSize(0));
  return failWithoutBound(op, output,
                          "output " + Twine(output) +
                              " collects as many elements as there are iterations, whose number has no bound");
}

void LoopBuilder::addEmpty(const Collected &collected, Size most, SmallVector<Value> &starts) const {
  Sizes all{most};
  llvm::append_range(all, collected.room);
  starts.push_back(op.empty(all, collected.element).value);
  starts.append(collected.count() - 1, op.b.create<arith::ConstantIndexOp>(op.loc, 0));
}

SmallVector<Value> LoopBuilder::collectInto(OpBuilder &b, Tensor value, ValueRange before, const Collected &collected,
                                            Value index) const {
  Sizes sizes = dimsOf(b, op.loc, value.value);
  SmallVector<Value> result{Value()};
  for (auto [size, most, varies] : llvm::zip_equal(sizes, collected.room, collected.varying)) {
    std::optional<int64_t> fixed = constantOf(most);
    if (!fixed) // the value's own size, as it is before the loop
      size = most;
    else if (!certainlyAtMost(Tensors{b, op.loc}, size, most))
      size = b.create<BoundOp>(op.loc, b.getIndexType(), toValue(b, op.loc, size), 0, *fixed).getResult();
    if (!varies)
      continue;
    // All iterations make one shape.
    Value now = toValue(b, op.loc, size), zero = b.create<arith::ConstantIndexOp>(op.loc, 0);
    auto equal = [&](Value x, Value y) { return b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, x, y); };
    Value fits = b.create<arith::OrIOp>(op.loc, equal(index, zero), equal(now, before[result.size()]));
    b.create<cf::AssertOp>(op.loc, fits, "a collected value has one shape in all iterations");
    result.push_back(now);
  }
  Sizes offsets(sizes.size(), sizeOf(b, 0)), ones(sizes.size() + 1, sizeOf(b, 1));
  sizes.insert(sizes.begin(), sizeOf(b, 1));
  offsets.insert(offsets.begin(), index);
  SmallVector<int64_t> shape = staticShape(ArrayRef(sizes).drop_front());
  Value source = value.value;
  if (ArrayRef(shape) != value.shape())
    source = b.create<tensor::CastOp>(op.loc, RankedTensorType::get(shape, value.type().getElementType()), source);
  result.front() = b.create<tensor::InsertSliceOp>(op.loc, source, before.front(), offsets, sizes, ones);
  return result;
}

SmallVector<Value> LoopBuilder::handOn(OpBuilder &b, const Plan &plan, ArrayRef<Tensor> made, ValueRange state,
                                       Value index) const {
  size_t carriedValues = 0;
  for (const Meeting &meeting : plan.carried)
    carriedValues += meeting.count();
  SmallVector<Value> collected;
  ValueRange collections = state.drop_front(carriedValues);
  for (auto [value, part] : llvm::zip_equal(made.drop_front(1 + carriedCount), plan.collected)) {
    llvm::append_range(collected, collectInto(b, value, collections.take_front(part.count()), part, index));
    collections = collections.drop_front(part.count());
  }
  SmallVector<Value> result;
  ValueRange rest = state;
  for (auto [x, meeting] : llvm::zip(made.slice(1, carriedCount), plan.carried)) {
    llvm::append_range(result, meeting.handOn(b, op.loc, x, rest.front()));
    rest = rest.drop_front(meeting.count());
  }
  llvm::append_range(result, collected);
  return result;
}

void LoopBuilder::finish(const Plan &plan, ValueRange values, llvm::function_ref<Size(unsigned)> count) {
  for (const Meeting &meeting : plan.carried) {
    results.push_back(meeting.load(op.b, op.loc, values.take_front(meeting.count())));
    values = values.drop_front(meeting.count());
  }
  for (auto [k, collected] : llvm::enumerate(plan.collected)) {
    Tensor whole{values.front(), collected.element};
    Size ran = count(k);
    if (!sameSize(ran, op.size(whole, 0)))
      whole = takeFirst(op, whole, ran, 0);
    unsigned next = 1;
    for (auto [d, varies] : llvm::enumerate(collected.varying))
      if (varies)
        whole = takeFirst(op, whole, within(op, values[next++], collected.room[d]), static_cast<int64_t>(d) + 1);
    results.push_back(whole);
    values = values.drop_front(collected.count());
  }
}

FailureOr<bool> LoopBuilder::buildFor(Size trips) {
  if (!probed && failed(probe(trips)))
    return failure();
  if (!probed->plan.alwaysTrue)
    return false;
  const Plan plan = probed->plan;
  OpBuilder &b = op.b;
  SmallVector<Value> starts;
  for (auto [meeting, x] : llvm::zip(plan.carried, initial))
    llvm::append_range(starts, meeting.handOn(b, op.loc, x, meeting.buffer(b, op.loc).value));
  for (auto [k, collected] : llvm::enumerate(plan.collected)) {
    FailureOr<Size> capacity = capacityOf(outputOf(carriedCount + k), trips);
    if (failed(capacity))
      return failure();
    auto range = rangeOf(trips);
    bool bounded = range && range->first >= 0 && range->second <= *constantOf(*capacity);
    if (!bounded) // the call fails before the buffer would overflow
      trips =
          b.create<BoundOp>(op.loc, b.getIndexType(), toValue(b, op.loc, trips), 0, *constantOf(*capacity)).getResult();
    addEmpty(collected, trips, starts);
  }
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  auto loop = b.create<scf::ForOp>(op.loc, zero, toValue(b, op.loc, trips), one, starts);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  ValueRange state = loop.getRegionIterArgs();
  Value truth = inside.create<arith::ConstantOp>(op.loc, inside.getBoolAttr(true));
  auto made = iteration(inside, loop.getInductionVar(), truth, plan, state);
  if (failed(made))
    return failure();
  SmallVector<Value> yields = handOn(inside, plan, *made, state, loop.getInductionVar());
  if (loop.getBody()->mightHaveTerminator() && !loop.getBody()->empty() && isa<scf::YieldOp>(loop.getBody()->back()))
    loop.getBody()->back().setOperands(yields);
  else
    inside.create<scf::YieldOp>(op.loc, yields);
  finish(plan, loop.getResults(), [&](unsigned) { return trips; });
  return true;
}

LogicalResult LoopBuilder::buildWhile(std::optional<Size> trips, Value condition) {
  if (!probed && failed(probe(trips)))
    return failure();
  const Plan plan = probed->plan;
  OpBuilder &b = op.b;
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  // Carried: iterations done, condition, values, collections.
  SmallVector<Value> starts{zero, condition};
  for (auto [meeting, x] : llvm::zip(plan.carried, initial))
    llvm::append_range(starts, meeting.handOn(b, op.loc, x, meeting.buffer(b, op.loc).value));
  std::optional<int64_t> room;
  for (auto [k, collected] : llvm::enumerate(plan.collected)) {
    FailureOr<Size> capacity = capacityOf(outputOf(carriedCount + k), trips);
    if (failed(capacity))
      return failure();
    room = room ? std::min(*room, *constantOf(*capacity)) : *constantOf(*capacity);
    addEmpty(collected, *capacity, starts);
  }
  SmallVector<Type> types(ValueRange(starts).getTypes());
  auto loop = b.create<scf::WhileOp>(op.loc, types, starts);
  SmallVector<Location> locations(types.size(), op.loc);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locations),
        *after = b.createBlock(&loop.getAfter(), {}, types, locations);
  b.setInsertionPointAfter(loop);

  OpBuilder head = OpBuilder::atBlockBegin(before);
  auto less = [&](OpBuilder &nb, Value x, Value y) -> Value {
    return nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, x, y);
  };
  auto goesOn = [&](OpBuilder &nb, Value index, Value truth) -> Value {
    return trips ? nb.create<arith::AndIOp>(op.loc, truth, less(nb, index, toValue(nb, op.loc, *trips))).getResult()
                 : truth;
  };
  Value go = goesOn(head, before->getArgument(0), before->getArgument(1));
  if (room)
    go = head.create<arith::AndIOp>(
        op.loc, go, less(head, before->getArgument(0), head.create<arith::ConstantIndexOp>(op.loc, *room)));
  head.create<scf::ConditionOp>(op.loc, go, before->getArguments());

  OpBuilder inside = OpBuilder::atBlockBegin(after);
  Value index = after->getArgument(0);
  ValueRange state = ValueRange(after->getArguments()).drop_front(2);
  auto made = iteration(inside, index, after->getArgument(1), plan, state);
  if (failed(made))
    return failure();
  SmallVector<Value> yields{inside.create<arith::AddIOp>(op.loc, index, one),
                            onlyElement(inside, op.loc, made->front())};
  llvm::append_range(yields, handOn(inside, plan, *made, state, index));
  inside.create<scf::YieldOp>(op.loc, yields);

  // Where it stopped for lack of room, one more iteration than there is room for makes the call fail.
  Value ran = loop.getResult(0);
  Value cut = goesOn(b, ran, loop.getResult(1));
  finish(plan, loop.getResults().drop_front(2), [&](unsigned k) -> Size {
    Value more = b.create<arith::AddIOp>(op.loc, ran, one);
    Value count = b.create<arith::SelectOp>(op.loc, cut, more, ran);
    return b.create<BoundOp>(op.loc, b.getIndexType(), count, 0, *room).getResult();
  });
  return success();
}

} // namespace sinter
