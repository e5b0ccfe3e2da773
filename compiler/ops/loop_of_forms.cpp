// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop_of_forms.h"

#include "loop_builder.h"
#include "runtime_sizes.h"
#include "size_relation.h"
#include "subgraphs.h"

using namespace mlir;

namespace sinter {
namespace {

/// A loop in memory: its values as tensors, of which a form says what they are.
class LoopOfForms {
public:
  /// `mayChangeRank`: of tensors; else it is a problem. `done`: iterations that came before.
  LoopOfForms(Op &op, Region &body, ArrayRef<Converted> carried, bool mayChangeRank, int64_t done)
      : op(op), body(body), carried(carried), isStructured(mayChangeRank), done(done) {}

  LoopValues lower(std::optional<Size> trips, Tensor condition) {
    std::optional<bool> first = knownTruth(op, condition);
    for (const Converted &value : carried) {
      forms.push_back(formOf(op, value));
      isStructured |= forms.back().kind != Form::OneTensor || forms.back().isOptional;
    }
    collected.resize(op.outputCount() - carried.size());
    wider = forms;
    areCapped.assign(carried.size(), false);
    most = trips ? rangeOf(*trips) : std::nullopt;
    std::optional<LoopBuilder> loop(build());
    // What the body makes of a value may ask for a wider form, with which it is looked at again.
    constexpr int mostRounds = 16; // each dim of an element may change, one after the other
    constexpr size_t mostRanks = 8;
    for (int round = 0; isStructured; ++round) {
      hasGrown = false;
      wider = forms;
      widerCollected = collected;
      if (failed(loop->tryBody(trips)))
        return failure();
      if (!hasGrown)
        break;
      bool haveManyRanks = llvm::any_of(
          wider, [](const Form &form) { return form.kind == Form::OneOf && form.elements.size() > mostRanks; });
      if (round == mostRounds || haveManyRanks)
        return op.unsupported(
            "a loop that carries a value which grows from iteration to iteration: elements of a sequence, or dims");
      forms = wider;
      collected = widerCollected;
      loop.emplace(build());
      // Each round tells what one iteration more may make: after as many as there are, forms hold for all of them.
      areRanksKnown = most && round + 1 >= most->second;
    }
    // With a condition that starts true and stays true only the trip count decides.
    bool isDone = false;
    if (trips && first == true) {
      FailureOr<bool> done = loop->buildFor(*trips);
      if (failed(done))
        return failure();
      isDone = *done;
    }
    if (!isDone && failed(loop->buildWhile(trips, onlyElement(op.b, op.loc, condition))))
      return failure();
    if (hasGrown)
      return op.unsupported("a loop that carries a tensor which its body may leave out");
    ArrayRef<Tensor> rest = loop->results;
    SmallVector<Converted> values;
    for (const Form &form : forms)
      values.push_back(rebuilt(form, rest));
    for (const Form &form : collected)
      values.push_back(collectedIn(form, rest));
    return values;
  }

private:
  LoopBuilder build() {
    SmallVector<Tensor> initial;
    SmallVector<unsigned> outputs;
    for (auto [i, value] : llvm::enumerate(carried)) {
      flatten(inForm(op, value, forms[i]), initial);
      outputs.resize(initial.size(), i);
    }
    for (auto [k, form] : llvm::enumerate(collected))
      outputs.append(form.kind == Form::OneOf ? 2 * form.elements.size() - 1 : 1, carried.size() + k);
    LoopBuilder loop(op, initial.size());
    loop.initial = initial;
    loop.outputs = outputs;
    loop.body = [this](OpBuilder &b, Value index, Value condition, ArrayRef<Tensor> values) {
      return iterate(b, index, condition, values);
    };
    return loop;
  }

  FailureOr<SmallVector<Tensor>> iterate(OpBuilder &b, Value index, Value condition, ArrayRef<Tensor> values) {
    Size place = add(b, op.loc, index, sizeOf(b, done));
    Value number = b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), toValue(b, op.loc, place));
    SmallVector<Converted> arguments{bodyScalar(op, b, body, 0, ElementType::Int64, number),
                                     bodyScalar(op, b, body, 1, ElementType::Bool, condition)};
    ArrayRef<Tensor> rest = values;
    for (const Form &form : forms)
      arguments.push_back(rebuilt(form, rest));
    auto made = op.conversion.convertRegion(body, arguments, b);
    if (failed(made))
      return failure();
    Tensor goesOn = made->front().tensor;
    if (!goesOn || goesOn.element != ElementType::Bool)
      return op.fail(Code::WrongOperandType,
                     "the condition that the loop's body makes is " +
                         (goesOn ? "a tensor(" + elementTypeName(goesOn.element) + ")" : Twine("no tensor")));
    if (failed(mustBeEqual(op, product(b, op.loc, dimsOf(b, op.loc, goesOn.value)), sizeOf(b, 1),
                           "the condition that the loop's body makes is not one element")))
      return failure();
    SmallVector<Tensor> tensors{goesOn};
    for (auto [i, value] : llvm::enumerate(ArrayRef(*made).drop_front().take_front(forms.size())))
      if (failed(handOn(i, arguments[2 + i], value, {b, op.loc}, tensors)))
        return failure();
    for (auto [k, value] : llvm::enumerate(ArrayRef(*made).drop_front(1 + forms.size())))
      if (failed(collect(k, value, {b, op.loc}, tensors)))
        return failure();
    return tensors;
  }

  /// What an iteration adds to collected output k.
  LogicalResult collect(size_t k, const Converted &value, const Tensors &t, SmallVector<Tensor> &tensors) {
    bool isTensor = (value.tensor || value.choice) && !value.present;
    if (!isTensor || (value.choice && !isStructured))
      return op.unsupported(isTensor ? "collected output " + Twine(carried.size() + k) + " has several ranks"
                                     : Twine("a loop that collects sequences or optionals"));
    if (!isStructured) {
      tensors.push_back(value.tensor);
      return success();
    }
    Form own = formOf(t, value, t.b.getInsertionBlock()->getParentOp());
    Form &known = collected[k];
    if (known.kind == Form::Nothing) // one tensor, until there are more
      known = widerCollected[k] = own.kind == Form::OneOf ? own.elements.front() : own;
    FailureOr<Form> form = joined(op, known, own, carried.size() + k);
    if (failed(form))
      return failure();
    bool isComplete = areRanksKnown || form->isSame(known);
    flatten(isComplete ? inForm(t, value, known) : unreadValue(t, known), tensors);
    widerCollected[k] = *form;
    hasGrown |= !isComplete;
    return success();
  }

  /// A collected output of what the loop left. All that is collected has the rank of the first.
  Converted collectedIn(const Form &form, ArrayRef<Tensor> &rest) {
    if (form.kind != Form::OneOf) {
      Converted one{rest.front(), {}, false, false};
      rest = rest.drop_front();
      return one;
    }
    OpBuilder &b = op.b;
    Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
    SmallVector<Tensor> flags, tensors;
    for (size_t i = 0; i < form.elements.size(); ++i) {
      if (i + 1 < form.elements.size()) {
        Tensor all = neverEmpty(op, rest.front());
        Value first = b.create<tensor::ExtractOp>(op.loc, all.value, ValueRange{zero});
        auto each = b.create<scf::ForOp>(op.loc, zero, toValue(b, op.loc, op.size(rest.front(), 0)), one);
        OpBuilder inside = OpBuilder::atBlockBegin(each.getBody());
        Value other = inside.create<tensor::ExtractOp>(op.loc, all.value, ValueRange{each.getInductionVar()});
        require({inside, op.loc}, inside.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, first, other),
                "tensors that a loop collects have one rank");
        flags.push_back(rankZero(b, op.loc, ElementType::Bool, first));
        rest = rest.drop_front();
      }
      tensors.push_back(rest.front());
      rest = rest.drop_front();
    }
    return choiceOf(flags, tensors);
  }

  /// Carried value i, which was `before` in this iteration, as the next one gets it.
  LogicalResult handOn(size_t i, const Converted &before, const Converted &value, const Tensors &t,
                       SmallVector<Tensor> &tensors) {
    if (before.tensor && value.tensor &&
        failed(checkSameElement(op, "carried value " + Twine(i), before.tensor, value.tensor)))
      return failure();
    bool isTensor = forms[i].kind == Form::OneTensor && !value.isSequence && !value.isAbsent;
    if (!isStructured && isTensor && !(value.tensor && value.tensor.rank() == before.tensor.rank()))
      return op.unsupported("carried value " + Twine(i) + " changes its rank from iteration to iteration",
                            "reshape the value to one rank; or let it be known that there are at most 7 iterations "
                            "(by a constant, bounds of dims: --dim NAME=LOW..HIGH, or Min of it and 7)");
    FailureOr<Form> form = joined(op, forms[i], formOf(t, value, t.b.getInsertionBlock()->getParentOp()), i);
    if (failed(form) || failed(capped(i, *form)))
      return failure();
    if (form->isSame(forms[i])) {
      flatten(inForm(t, value, forms[i]), tensors);
      return success();
    }
    if (areRanksKnown && isOfTensors(*form) && form->isOptional == forms[i].isOptional) {
      flatten(inForm(t, value, forms[i]), tensors); // another rank than these is what no iteration makes
      return success();
    }
    hasGrown = true; // nobody reads what this round makes
    flatten(unreadValue(t, forms[i]), tensors);
    wider[i] = *form;
    return success();
  }

  /// A sequence to which each iteration adds has as many elements more as there are iterations, or as the user states.
  LogicalResult capped(size_t i, Form &form) {
    if (form.kind != Form::Stack)
      return success();
    int64_t &capacity = form.sequence->capacity;
    int64_t before = forms[i].sequence ? forms[i].sequence->capacity : 0, added = capacity - before;
    if (forms[i].kind == Form::Nothing || added <= 0)
      return success();
    if (areCapped[i]) {
      capacity = before;
      return success();
    }
    constexpr int64_t plausible = int64_t(1) << 20;
    if (std::optional<int64_t> stated = statedBound(op, i))
      capacity = *stated;
    else if (most && most->second >= 0 && most->second <= plausible && added <= plausible)
      capacity = before + added * most->second;
    else
      return failWithoutBound(
          op, i,
          "output " + Twine(i) +
              " is a sequence that grows as often as there are iterations, whose number has no bound");
    areCapped[i] = true;
    return success();
  }

  Op &op;
  Region &body;
  ArrayRef<Converted> carried;
  std::vector<Form> forms, wider;              ///< as they are, and as the body asks for
  std::vector<Form> collected, widerCollected; ///< of what an iteration adds
  std::vector<bool> areCapped;                 ///< of sequences that grow: the capacity is as large as it gets
  std::optional<std::pair<int64_t, int64_t>> most;
  bool isStructured; ///< something else than tensors of fixed ranks
  bool hasGrown = false;
  bool areRanksKnown = false; ///< all that there are, by the number of iterations
  int64_t done;
};

} // namespace

Converted bodyScalar(const Op &op, OpBuilder &b, Region &body, unsigned i, ElementType element, Value stored) {
  auto stated = dyn_cast<RankedTensorType>(body.front().getArgument(i).getType());
  SmallVector<int64_t, 1> shape(stated && stated.getRank() == 1 ? 1 : 0, 1);
  auto type = RankedTensorType::get(shape, storageType(element, b.getContext()));
  return {{b.create<tensor::FromElementsOp>(op.loc, type, stored), element}, {}, false, false};
}

LoopValues lowerInMemory(Op &op, Region &body, ArrayRef<Converted> carried, std::optional<Size> trips, Tensor condition,
                         bool mayChangeRank, int64_t done) {
  return LoopOfForms(op, body, carried, mayChangeRank, done).lower(trips, condition);
}

} // namespace sinter
