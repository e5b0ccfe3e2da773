// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop: scf.for where the condition never changes, scf.while elsewhere; unrolled where it carries sequences of which
// all is known and runs a few times. Carried values live in one buffer each; scan outputs in a buffer at capacity, of
// which the iterations that ran are the result. Where a carried tensor changes its rank, or its sizes without a bound,
// the first iteration is done on its own, or all of them are; a rank that still differs is one that only a call knows
// (ops/choices.h).
#include "ops/counted_loop.h"
#include "ops/loop_of_forms.h"
#include "ops/meeting.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"
#include "ops/subgraphs.h"

using namespace mlir;

namespace sinter {
namespace {

Converted truth(Op &op, bool value) {
  Value stored = op.b.create<arith::ConstantOp>(op.loc, op.b.getBoolAttr(value));
  return {rankZero(op.b, op.loc, ElementType::Bool, stored), {}, false, false};
}

/// What an iteration makes of carried values: the condition to go on, carried values, collected tensors along a new
/// dim.
LoopValues iterateOnce(Op &op, Region &body, int64_t i, const Converted &condition, ArrayRef<Converted> carried) {
  Value index = op.b.create<arith::ConstantOp>(op.loc, op.b.getI64IntegerAttr(i));
  SmallVector<Converted> arguments{bodyScalar(op, op.b, body, 0, ElementType::Int64, index), condition};
  llvm::append_range(arguments, carried);
  auto values = op.conversion.convertRegion(body, arguments, op.b);
  if (failed(values))
    return failure();
  for (Converted &value : MutableArrayRef(*values).drop_front(1 + carried.size())) {
    if (!value.tensor)
      return op.unsupported("a loop that collects sequences or optionals");
    value = {op.unsqueeze(value.tensor, {0}), {}, false, false};
  }
  if (values->front().tensor.element != ElementType::Bool || !values->front().tensor)
    return op.fail(Code::WrongOperandType, "the condition that the loop's body makes is no tensor(bool)");
  return values;
}

FailureOr<Tensor> collected(Op &op, ArrayRef<Tensor> parts) {
  auto joined = op.call("Concat", 13, parts, op.param("axis", int64_t(0)));
  return failed(joined) ? FailureOr<Tensor>(failure()) : joined->front();
}

/// Iterations one after another: for few of them, and for values whose structure changes.
LoopValues unroll(Op &op, Region &body, int64_t trips, Converted condition, SmallVector<Converted> carried) {
  std::vector<SmallVector<Tensor>> parts(op.outputCount() - carried.size());
  for (int64_t i = 0; i < trips; ++i) {
    std::optional<bool> goesOn = knownTruth(op, condition.tensor);
    if (!goesOn)
      return op.unsupported("a loop that carries sequences and whose condition depends on run-time data",
                            "make the condition constant");
    if (!*goesOn)
      break;
    LoopValues values = iterateOnce(op, body, i, condition, carried);
    if (failed(values))
      return failure();
    condition = values->front();
    ArrayRef<Converted> rest = ArrayRef(*values).drop_front();
    carried.assign(rest.begin(), rest.begin() + carried.size());
    for (auto [list, value] : llvm::zip(parts, rest.drop_front(carried.size())))
      list.push_back(value.tensor);
  }
  for (ArrayRef<Tensor> list : parts) {
    if (list.empty())
      return op.unsupported("a loop without iterations that has scan outputs");
    FailureOr<Tensor> joined = collected(op, list);
    if (failed(joined))
      return failure();
    carried.push_back({*joined, {}, false, false});
  }
  return carried;
}

/// Ways to lower a loop, one after the other until one holds. What those before made is taken back; if none holds, what
/// the first had against it is the problem.
class Attempts {
public:
  Attempts(Op &op) : op(op), atFirst(op.conversion.diagnostics) {
    if (Block::iterator place = op.b.getInsertionPoint(); place != op.b.getInsertionBlock()->begin())
      last = &*std::prev(place);
  }

  void run(llvm::function_ref<LoopValues()> way) {
    TextBuffers &text = op.conversion.text;
    int64_t wanted = text.wanted;
    op.conversion.diagnostics = atFirst;
    values = way();
    if (succeeded(values))
      return;
    if (!problems)
      problems = op.conversion.diagnostics;
    op.conversion.diagnostics = *problems;
    text.wanted = wanted;
    Block *block = op.b.getInsertionBlock();
    for (Block::iterator place = op.b.getInsertionPoint(); place != block->begin() && &*std::prev(place) != last;)
      std::prev(place)->erase();
    op.conversion.forgetErased();
  }

  /// Whether another way may do: it is this loop's values that have no bound, or no one rank.
  bool areOpen() const {
    if (succeeded(values))
      return false;
    std::string name = placeOf(op.node).node;
    ArrayRef<Problem> added = ArrayRef(problems->all()).drop_front(atFirst.all().size());
    return llvm::all_of(added, [&](const Problem &problem) {
      return problem.place.node == name &&
             (problem.code == Code::SizeWithoutBound || problem.code == Code::UnsupportedForm);
    });
  }

  LoopValues values = failure();

private:
  Op &op;
  Diagnostics atFirst;
  std::optional<Diagnostics> problems;
  Operation *last = nullptr;
};

/// The first iteration on its own, and a loop of the others: for values that have another rank or other sizes before it
/// than behind it.
LoopValues peel(Op &op, Region &body, Size trips, const Converted &condition, ArrayRef<Converted> carried) {
  LoopValues first = iterateOnce(op, body, 0, condition, carried);
  if (failed(first))
    return failure();
  SmallVector<Converted> next(ArrayRef(*first).drop_front().take_front(carried.size()));
  LoopValues rest = lowerInMemory(op, body, next, sub(op.b, op.loc, trips, sizeOf(op.b, 1)), first->front().tensor,
                                  /*mayChangeRank=*/false, /*done=*/1);
  if (failed(rest))
    return failure();
  for (size_t k = carried.size(); k < rest->size(); ++k) {
    FailureOr<Tensor> all = collected(op, {(*first)[1 + k].tensor, (*rest)[k].tensor});
    if (failed(all))
      return failure();
    (*rest)[k].tensor = *all;
  }
  return rest;
}

LogicalResult bindAll(Op &op, const LoopValues &values) {
  if (failed(values))
    return failure();
  for (auto [output, value] : llvm::zip(op.node.getOutputs(), *values))
    op.conversion.bind(output, value);
  return success();
}

/// Loops around the node.
unsigned loopDepthOf(NodeOp node) {
  unsigned depth = 0;
  for (Operation *around = node->getParentOp(); around; around = around->getParentOp())
    if (auto outer = dyn_cast<NodeOp>(around))
      depth += outer.getOpType() == "Loop";
  return depth;
}

LogicalResult lowerLoop(Op &op) {
  auto found = subgraphOf(op, "body", op.inputCount(), 1 + op.outputCount());
  if (failed(found))
    return failure();
  Region *body = *found;
  if (op.inputCount() > 2 + op.outputCount())
    return op.fail(Code::WrongOperandCount, "the loop carries " + Twine(op.inputCount() - 2) + " values and has " +
                                                Twine(op.outputCount()) + " outputs");
  SmallVector<Converted> carried;
  bool isStructured = false; // sequences and optionals of which all is known
  for (unsigned i = 2; i < op.inputCount(); ++i) {
    carried.push_back(*op.conversion.find(op.node.getInputs()[i]));
    isStructured |= !carried.back().tensor && !carried.back().stacked;
  }
  bool hasLimit = op.has(0);
  Converted condition = op.has(1) ? *op.conversion.find(op.node.getInputs()[1]) : truth(op, true);
  std::optional<SmallVector<int64_t>> limit = hasLimit ? op.constantIntegers(0) : std::nullopt;
  std::optional<bool> first = knownTruth(op, condition.tensor);
  std::optional<Size> counted = tripsOfCount(op, *body, carried);
  std::optional<int64_t> most = counted ? constantOf(*counted) : std::nullopt;
  if (most && (!hasLimit || (limit && limit->size() == 1 && limit->front() > *most)))
    limit = {*most};
  constexpr int64_t mostUnrolled = 256, mostNodes = 4096;
  bool isFew = limit && limit->size() == 1 && limit->front() <= mostUnrolled && first == true;
  auto unrolled = [&] { return unroll(op, *body, first == false ? 0 : limit->front(), condition, carried); };
  if ((isStructured && isFew) || first == false)
    return bindAll(op, unrolled());
  std::optional<Size> trips;
  if (limit)
    trips = sizeOf(op.b, std::max<int64_t>(limit->front(), 0));
  else if (hasLimit) {
    FailureOr<Sizes> given = op.elements(0, "M");
    if (failed(given))
      return failure();
    trips = given->front();
  }
  auto mostCounted = counted ? rangeOf(*counted) : std::nullopt;
  if (counted && (!trips || (limit && mostCounted && mostCounted->second <= limit->front())))
    trips = counted;
  else if (mostCounted && !rangeOf(*trips))
    trips = within(op, minimum(op.b, op.loc, maximum(op.b, op.loc, *trips, sizeOf(op.b, 0)), *counted),
                   sizeOf(op.b, mostCounted->second));
  auto range = trips ? rangeOf(*trips) : std::nullopt;
  auto asLoop = [&](bool mayChangeRank) {
    return lowerInMemory(op, *body, carried, trips, condition.tensor, mayChangeRank, /*done=*/0);
  };
  constexpr unsigned mostTried = 2; // each way to lower a loop lowers those in it in each of theirs
  Attempts attempts(op);
  attempts.run([&] { return asLoop(/*mayChangeRank=*/false); });
  if (loopDepthOf(op.node) >= mostTried)
    return bindAll(op, attempts.values);
  if (attempts.areOpen() && range && range->first >= 1 && first == true)
    attempts.run([&] { return peel(op, *body, *trips, condition, carried); });
  int64_t nodes = body->front().getOperations().size();
  if (attempts.areOpen() && isFew && limit->front() * nodes <= mostNodes)
    attempts.run(unrolled);
  if (attempts.areOpen())
    attempts.run([&] { return asLoop(/*mayChangeRank=*/true); });
  return bindAll(op, attempts.values);
}
} // namespace

void register_loop(Registry &registry) {
  registry.onOp("Loop", {1, 11, 13, 16, 19, 21, 23, 24, 25}, "M[S*] product(S)=1 cond[T*] product(T)=1 v_initial[_*]",
                lowerLoop);
}

} // namespace sinter
