// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generation.h"

#include "loop_builder.h"
#include "runtime_sizes.h"
#include "size_relation.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

/// One turn: `count` tokens there are before it, one more behind it. State: tokens, the choice's, each past.
class Turns {
public:
  Turns(Op &op, const Search &search, TokenModel &model, TokenChoice &choice)
      : op(op), search(search), model(model), choice(choice) {}

  FailureOr<SmallVector<Tensor>> run() {
    OpBuilder &b = op.b;
    FailureOr<Tensor> prompt = model.prompt();
    FailureOr<Step> first = failed(prompt) ? FailureOr<Step>() : model.begin();
    if (failed(first))
      return failure();
    Value pad = Scalars{b, op.loc, ElementType::Int32}.integer(search.pad);
    SmallVector<Tensor> state{
        inserted(op, op.filled({search.rows, search.most}, ElementType::Int32, pad), *prompt, 1, sizeOf(b, 0))};
    llvm::append_range(state, choice.initial(op.size(first->logits, 1)));
    choiceEnd = state.size();
    llvm::append_range(state, model.emptyPasts());
    if (failed(turn(*first, search.length, /*isFirst=*/true, state)))
      return failure();

    LoopBuilder loop(op, state.size());
    loop.initial = state;
    loop.outputs.assign(state.size(), 0);
    loop.body = [&](OpBuilder &inside, Value index, Value, ArrayRef<Tensor> given) {
      return iterate(inside, index, given);
    };
    Size trips = sub(b, op.loc, sub(b, op.loc, search.most, search.length), sizeOf(b, 1));
    if (failed(loop.buildWhile(trips, onlyElement(b, op.loc, choice.goesOn(choiceState(state))))))
      return failure();
    loop.results.resize(choiceEnd);
    return loop.results;
  }

private:
  ArrayRef<Tensor> choiceState(ArrayRef<Tensor> state) const { return state.slice(1, choiceEnd - 1); }

  FailureOr<SmallVector<Tensor>> iterate(OpBuilder &inside, Value index, ArrayRef<Tensor> given) {
    OpBuilder::InsertionGuard guard(op.b);
    op.b.restoreInsertionPoint(inside.saveInsertionPoint());
    // The model has seen all tokens but the last.
    Size seen = within(op, add(op.b, op.loc, search.length, index), search.most);
    Size count = within(op, add(op.b, op.loc, seen, sizeOf(op.b, 1)), search.most);
    SmallVector<Tensor> state(given);
    FailureOr<Step> step = model.next({state[0], count}, seen, index, given.drop_front(choiceEnd));
    if (failed(step) || failed(turn(*step, count, /*isFirst=*/false, state)))
      return failure();
    SmallVector<Tensor> result{choice.goesOn(choiceState(state))};
    llvm::append_range(result, state);
    inside.restoreInsertionPoint(op.b.saveInsertionPoint());
    return result;
  }

  LogicalResult turn(const Step &step, Size count, bool isFirst, SmallVector<Tensor> &state) {
    FailureOr<Chosen> chosen = choice.choose(step.logits, {state[0], count}, isFirst, choiceState(state));
    if (failed(chosen))
      return failure();
    if (chosen->origins) {
      auto moved = op.call("Gather", 13, {state[0], chosen->origins}, op.param("axis", int64_t(0)));
      if (failed(moved))
        return failure();
      state[0] = moved->front();
    }
    state[0] = inserted(op, state[0], op.unsqueeze(chosen->tokens, 1), 1, count);
    auto pasts = model.updated(ArrayRef(state).drop_front(choiceEnd), step, count, chosen->origins);
    if (failed(pasts))
      return failure();
    llvm::copy(chosen->state, state.begin() + 1);
    llvm::copy(*pasts, state.begin() + choiceEnd);
    return success();
  }

  Op &op;
  const Search &search;
  TokenModel &model;
  TokenChoice &choice;
  size_t choiceEnd = 0; ///< where the pasts begin in the state
};
} // namespace

FailureOr<SmallVector<Tensor>> generated(Op &op, const Search &search, TokenModel &model, TokenChoice &choice) {
  return Turns(op, search, model, choice).run();
}

FailureOr<Size> mostTokens(Op &op, ArrayRef<Size> leading, Size length) {
  FailureOr<Sizes> longest = op.elements(1, "max_length");
  if (failed(longest))
    return failure();
  Sizes sizes(leading.begin(), leading.end());
  sizes.push_back((*longest)[0]);
  FailureOr<Sizes> bounded = boundedSizes(op, sizes);
  if (failed(bounded))
    return failure();
  Size most = bounded->back();
  if (failed(mustHold(op, relationHolds(op, "<", length, most), "'max_length' is no more than the prompt has")))
    return failure();
  return most;
}

Tensor repeated(const Op &op, Tensor x, int64_t times) {
  if (times == 1)
    return x;
  Sizes sizes = op.sizes(x), apart = sizes;
  apart.insert(apart.begin() + 1, sizeOf(op.b, times));
  sizes[0] = mul(op.b, op.loc, sizes[0], sizeOf(op.b, times));
  return op.reshape(op.broadcastTo(op.unsqueeze(x, 1), apart), sizes);
}

Tensor inserted(const Op &op, Tensor whole, Tensor part, int64_t axis, Size at) {
  Sizes from(whole.rank(), sizeOf(op.b, 0)), ones(whole.rank(), sizeOf(op.b, 1));
  from[size_t(axis)] = at;
  Value made = op.b.create<tensor::InsertSliceOp>(op.loc, part.value, whole.value, from, op.sizes(part), ones);
  return {made, whole.element};
}

Tensor anyOf(const Op &op, Tensor truths) {
  Tensor any = op.reduce(
      op.cast(truths, ElementType::Int32), 0, false, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value most, Value v) { return s.max(most, v); });
  return op.cast(any, ElementType::Bool);
}

Tensor numberOf(const Op &op, Size size) {
  Value number = op.b.create<arith::IndexCastOp>(op.loc, op.b.getI32Type(), toValue(op.b, op.loc, size));
  return op.filled({sizeOf(op.b, 1)}, ElementType::Int32, number);
}

} // namespace sinter
