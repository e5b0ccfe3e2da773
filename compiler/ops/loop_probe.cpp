// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iteration makes, seen before the loop is there: the body is built in a loop of one iteration, of values of
// which no more is known than what holds in all iterations. Where the room is what was thought, this is the body of the
// loop, too: one that was built again would build the loops in it twice, and those in them four times.
#include "loop_builder.h"

#include "runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

/// Bufferization asks each of them for the types of those around it, which takes twice as long for one more.
constexpr int64_t mostNestedLoops = 16;

/// Sizes of a tensor made inside of `loop` as they are before it; nothing for those that change.
Meeting::PathSizes sizesBefore(OpBuilder &b, Location loc, Tensor x, Operation *loop) {
  Meeting::PathSizes result;
  for (Size size : dimsOf(b, loc, x.value))
    result.push_back(hoisted(size, loop));
  return result;
}

/// Something of `type` that an iteration gets, of which no more is known: also not that it is the same in all of them.
Value standInFor(OpBuilder &b, Location loc, Type type, scf::ForOp loop) {
  return b.create<UnrealizedConversionCastOp>(loc, type, loop.getInductionVar()).getResult(0);
}

/// The number of an iteration, of which no more is known than how many there may be.
Value anyIndex(OpBuilder &b, Location loc, scf::ForOp loop, std::optional<Size> trips) {
  Value any = standInFor(b, loc, b.getIndexType(), loop);
  auto range = trips ? rangeOf(*trips) : std::nullopt;
  if (!range || range->second < 1)
    return any;
  return b.create<BoundOp>(loc, b.getIndexType(), any, 0, range->second - 1);
}
} // namespace

LoopBuilder::StandIn LoopBuilder::carriedLike(OpBuilder &b, unsigned i, ArrayRef<bool> unknown, scf::ForOp loop) const {
  Tensor x = initial[i];
  StandIn like;
  Sizes sizes = dimsOf(b, op.loc, x.value), room = sizes;
  like.values.emplace_back();
  for (auto [d, isUnknown] : llvm::enumerate(unknown)) {
    if (!isUnknown)
      continue;
    auto range = rangeOf(sizes[d]);
    std::optional<int64_t> most = statedCapacity(op, outputOf(i), d, x.rank());
    if (!most && range)
      most = range->second;
    like.values.push_back(standInFor(b, op.loc, b.getIndexType(), loop));
    sizes[d] = b.create<BoundOp>(op.loc, b.getIndexType(), like.values.back(), 0, most.value_or(0)).getResult();
    room[d] = most ? sizeOf(b, *most) : sizes[d];
  }
  auto type = RankedTensorType::get(staticShape(room), x.type().getElementType());
  like.values.front() = standInFor(b, op.loc, type, loop);
  like.tensor = {like.values.front(), x.element};
  if (type.hasStaticShape() && !llvm::is_contained(unknown, true))
    return like;
  SmallVector<Size> zeros(sizes.size(), sizeOf(b, 0)), ones(sizes.size(), sizeOf(b, 1));
  like.tensor = Tensors{b, op.loc}.slice(like.tensor, zeros, sizes, ones);
  return like;
}

void LoopBuilder::discard() {
  if (!probed)
    return;
  probed->loop.erase();
  probed.reset();
  op.conversion.forgetErased();
}

LogicalResult LoopBuilder::probe(std::optional<Size> trips) {
  discard();
  int64_t depth = 1;
  for (Operation *around = op.b.getInsertionBlock()->getParentOp(); around; around = around->getParentOp())
    depth += isa<LoopLikeOpInterface>(around);
  if (depth > mostNestedLoops)
    return op.fail(Code::TooDeep, "loops nest more than " + Twine(mostNestedLoops) + " deep");
  std::vector<SmallVector<bool>> unknown;
  for (Tensor x : initial)
    unknown.emplace_back(x.rank(), false);
  // A dim that changes makes others change: as often as there are dims at most.
  while (true) {
    FailureOr<bool> changed = probeWith(unknown, trips);
    if (failed(changed) || !*changed)
      return success(succeeded(changed));
    discard();
  }
}

FailureOr<bool> LoopBuilder::probeWith(MutableArrayRef<SmallVector<bool>> unknown, std::optional<Size> trips) {
  OpBuilder &b = op.b;
  Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
  auto loop = b.create<scf::ForOp>(op.loc, zero, one, one);
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  probed = Probed{loop, {}, {}, {}, {}};
  SmallVector<Tensor> arguments;
  for (unsigned i = 0; i < carriedCount; ++i) {
    StandIn like = carriedLike(inside, i, unknown[i], loop);
    llvm::append_range(probed->standIns, like.values);
    arguments.push_back(like.tensor);
  }
  probed->index = anyIndex(inside, op.loc, loop, trips);
  // The condition is constant truth: it is only read where it is.
  Value truth = inside.create<arith::ConstantOp>(op.loc, inside.getBoolAttr(true));
  auto made = body(inside, probed->index, truth, arguments);
  if (failed(made))
    return failure();
  probed->made = *made;
  Plan &plan = probed->plan;
  std::optional<HostTensor> condition = contentsOf(made->front(), op.conversion.evaluations);
  plan.alwaysTrue = condition && condition->size() == 1 && condition->integerAt(0) != 0;
  bool changed = false;
  SmallVector<std::pair<Meeting::PathSizes, Meeting::PathSizes>> paths;
  for (unsigned i = 0; i < carriedCount; ++i) {
    Tensor next = (*made)[1 + i];
    Meeting::PathSizes before, after = sizesBefore(inside, op.loc, next, loop);
    for (Size size : op.sizes(initial[i]))
      before.push_back(size);
    assert(before.size() == after.size() && "carried values keep their rank");
    for (size_t d = 0; d < before.size(); ++d)
      if (!unknown[i][d] && (!after[d] || !sameSize(*before[d], *after[d])))
        unknown[i][d] = changed = true;
    paths.emplace_back(before, after);
  }
  if (changed)
    return true;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator()); // sizes of what is made in there
  for (unsigned i = 0; i < carriedCount; ++i) {
    for (auto [size, isUnknown] : llvm::zip(paths[i].second, unknown[i]))
      if (isUnknown)
        size = std::nullopt;
    Tensor next = (*made)[1 + i];
    FailureOr<Meeting> meeting =
        Meeting::of(op, outputOf(i), {paths[i].first, paths[i].second}, {initial[i], next}, /*inductive=*/true);
    if (failed(meeting))
      return failure();
    plan.carried.push_back(*meeting);
  }
  for (unsigned k = 1 + carriedCount; k < made->size(); ++k) {
    Collected &collected = plan.collected.emplace_back();
    collected.element = (*made)[k].element;
    Meeting::PathSizes before = sizesBefore(inside, op.loc, (*made)[k], loop);
    for (auto [d, size] : llvm::enumerate(before)) {
      collected.varying.push_back(!size);
      if (!size)
        if (std::optional<int64_t> stated = statedCapacity(op, outputOf(k - 1), d + 1, before.size() + 1))
          size = sizeOf(b, *stated);
      if (!size)
        return op.unsupported("collected output " + Twine(outputOf(k - 1)) +
                              " changes its shape from iteration to iteration");
      collected.room.push_back(*size);
    }
  }
  return false;
}

FailureOr<SmallVector<Tensor>> LoopBuilder::iteration(OpBuilder &inside, Value index, Value condition, const Plan &plan,
                                                      ValueRange state) {
  SmallVector<Type> types;
  for (const Meeting &meeting : plan.carried)
    llvm::append_range(types, meeting.types());
  bool isTheSame = llvm::equal(types, ValueRange(probed->standIns).getTypes());
  if (!isTheSame) { // there is more room than was thought
    discard();
    SmallVector<Tensor> arguments;
    for (const Meeting &meeting : plan.carried) {
      arguments.push_back(meeting.load(inside, op.loc, state.take_front(meeting.count())));
      state = state.drop_front(meeting.count());
    }
    return body(inside, index, condition, arguments);
  }
  Block &from = *probed->loop.getBody();
  inside.getInsertionBlock()->getOperations().splice(inside.getInsertionPoint(), from.getOperations(), from.begin(),
                                                     std::prev(from.end()));
  SmallVector<Tensor> made = probed->made;
  auto replace = [&](Value standIn, Value by) {
    for (Tensor &tensor : made)
      if (tensor.value == standIn)
        tensor.value = by;
    standIn.replaceAllUsesWith(by);
    for (Operation *maker = standIn.getDefiningOp(); maker && maker->use_empty();) {
      Operation *before = maker->getOperand(0).getDefiningOp(); // a bound of a stand-in
      maker->erase();
      maker = before;
    }
  };
  for (auto [standIn, value] : llvm::zip(probed->standIns, state))
    replace(standIn, value);
  // Of a `for` its trips bound the number. Of a `while` nothing else does, and the body relies on it.
  auto bound = probed->index.getDefiningOp<BoundOp>();
  bool isKnown = isa<scf::ForOp>(inside.getInsertionBlock()->getParentOp());
  replace(bound && !isKnown ? bound.getOperand() : probed->index, index);
  discard();
  return made;
}

} // namespace sinter
