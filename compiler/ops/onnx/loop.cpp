// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop: scf.for where the condition never changes, scf.while elsewhere; unrolled where it carries sequences of which
// all is known and runs a few times. Carried values live in one buffer each; scan outputs in a buffer at capacity, of
// which the iterations that ran are the result.
#include "ops/forms.h"
#include "ops/loop_builder.h"
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

/// Iterations one after another: for few of them, and for values whose structure changes.
LogicalResult unroll(Op &op, Region &body, int64_t trips, Converted condition, SmallVector<Converted> carried) {
  size_t scans = op.outputCount() - carried.size();
  std::vector<SmallVector<Tensor>> collected(scans);
  for (int64_t i = 0; i < trips; ++i) {
    std::optional<bool> goesOn = knownTruth(op, condition.tensor);
    if (!goesOn)
      return op.unsupported("a loop that carries sequences and whose condition depends on run-time data",
                            "make the condition constant");
    if (!*goesOn)
      break;
    Value index = op.b.create<arith::ConstantOp>(op.loc, op.b.getI64IntegerAttr(i));
    SmallVector<Converted> arguments{{rankZero(op.b, op.loc, ElementType::Int64, index), {}, false, false}, condition};
    llvm::append_range(arguments, carried);
    auto values = op.conversion.convertRegion(body, arguments, op.b);
    if (failed(values))
      return failure();
    for (const Converted &value : ArrayRef(*values).drop_front(1 + carried.size()))
      if (!value.tensor)
        return op.unsupported("a loop that collects sequences or optionals");
    condition = values->front();
    if (condition.tensor.element != ElementType::Bool)
      return op.fail(Code::WrongOperandType, "the condition that the loop's body makes is no tensor(bool)");
    carried.assign(values->begin() + 1, values->begin() + 1 + carried.size());
    for (size_t k = 0; k < scans; ++k)
      collected[k].push_back(op.unsqueeze((*values)[1 + carried.size() + k].tensor, {0}));
  }
  for (auto [output, value] : llvm::zip(op.node.getOutputs(), carried))
    op.conversion.bind(output, value);
  for (size_t k = 0; k < scans; ++k) {
    if (collected[k].empty())
      return op.unsupported("a loop without iterations that has scan outputs");
    auto joined = op.call("Concat", 13, collected[k], op.param("axis", int64_t(0)));
    if (failed(joined))
      return failure();
    op.conversion.bind(op.node.getResult(carried.size() + k), {joined->front(), {}, false, false});
  }
  return success();
}

/// A loop in memory: its values as tensors, of which a form says what they are.
class LoopOfForms {
public:
  LoopOfForms(Op &op, Region &body, ArrayRef<Converted> carried) : op(op), body(body), carried(carried) {}

  LogicalResult lower(std::optional<Size> trips, std::optional<bool> first) {
    bool isStructured = false;
    for (const Converted &value : carried) {
      forms.push_back(formOf(op, value));
      isStructured |= forms.back().kind != Form::OneTensor || forms.back().isOptional;
    }
    wider = forms;
    areCapped.assign(carried.size(), false);
    most = trips ? rangeOf(*trips) : std::nullopt;
    std::optional<LoopBuilder> loop(build());
    // What the body makes of a value may ask for a wider form, with which it is looked at again.
    constexpr int mostRounds = 16; // each dim of an element may change, one after the other
    for (int round = 0; isStructured; ++round) {
      hasGrown = false;
      wider = forms;
      if (failed(loop->tryBody(trips)))
        return failure();
      if (!hasGrown)
        break;
      if (round == mostRounds)
        return op.unsupported("a loop that carries a sequence whose elements grow from iteration to iteration");
      forms = wider;
      loop.emplace(build());
    }
    // With a condition that starts true and stays true only the trip count decides.
    bool isDone = false;
    if (trips && first == true) {
      FailureOr<bool> done = loop->buildFor(*trips);
      if (failed(done))
        return failure();
      isDone = *done;
    }
    Value start = op.has(1) ? onlyElement(op.b, op.loc, op.input(1))
                            : op.b.create<arith::ConstantOp>(op.loc, op.b.getBoolAttr(true)).getResult();
    if (!isDone && failed(loop->buildWhile(trips, start)))
      return failure();
    if (hasGrown)
      return op.unsupported("a loop that carries a tensor which its body may leave out");
    ArrayRef<Tensor> rest = loop->results;
    for (auto [output, form] : llvm::zip(op.node.getOutputs(), forms))
      op.conversion.bind(output, rebuilt(form, rest));
    for (auto [output, collected] : llvm::zip(op.node.getOutputs().drop_front(forms.size()), rest))
      op.conversion.bind(output, {collected, {}, false, false});
    return success();
  }

private:
  LoopBuilder build() {
    SmallVector<Tensor> initial;
    SmallVector<unsigned> outputs;
    for (auto [i, value] : llvm::enumerate(carried)) {
      flatten(inForm(op, value, forms[i]), initial);
      outputs.resize(initial.size(), i);
    }
    for (unsigned i = carried.size(); i < op.outputCount(); ++i)
      outputs.push_back(i);
    LoopBuilder loop(op, initial.size());
    loop.initial = initial;
    loop.outputs = outputs;
    loop.body = [this](OpBuilder &b, Value index, Value condition, ArrayRef<Tensor> values) {
      return iterate(b, index, condition, values);
    };
    return loop;
  }

  FailureOr<SmallVector<Tensor>> iterate(OpBuilder &b, Value index, Value condition, ArrayRef<Tensor> values) {
    Value number = b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), index);
    SmallVector<Converted> arguments{{rankZero(b, op.loc, ElementType::Int64, number), {}, false, false},
                                     {rankZero(b, op.loc, ElementType::Bool, condition), {}, false, false}};
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
    for (const Converted &value : ArrayRef(*made).drop_front(1 + forms.size())) {
      if (!value.tensor || value.present)
        return op.unsupported("a loop that collects sequences or optionals");
      tensors.push_back(value.tensor);
    }
    return tensors;
  }

  /// Carried value i, which was `before` in this iteration, as the next one gets it.
  LogicalResult handOn(size_t i, const Converted &before, const Converted &value, const Tensors &t,
                       SmallVector<Tensor> &tensors) {
    if (before.tensor && value.tensor &&
        failed(checkSameElement(op, "carried value " + Twine(i), before.tensor, value.tensor)))
      return failure();
    FailureOr<Form> form = joined(op, forms[i], formOf(t, value), i);
    if (failed(form) || failed(capped(i, *form)))
      return failure();
    if (form->isSame(forms[i])) {
      flatten(inForm(t, value, forms[i]), tensors);
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
  std::vector<Form> forms, wider; ///< as they are, and as the body asks for
  std::vector<bool> areCapped;    ///< of sequences that grow: the capacity is as large as it gets
  std::optional<std::pair<int64_t, int64_t>> most;
  bool hasGrown = false;
};

LogicalResult lower(Op &op) {
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
  bool hasLimit = op.has(0), hasCondition = op.has(1);
  std::optional<SmallVector<int64_t>> limit = hasLimit ? op.constantIntegers(0) : std::nullopt;
  std::optional<bool> first = hasCondition ? knownTruth(op, op.input(1)) : std::optional(true);
  constexpr int64_t mostUnrolled = 256;
  bool few = limit && limit->size() == 1 && limit->front() <= mostUnrolled && first == true;
  if ((isStructured && few) || first == false)
    return unroll(op, *body, first == false ? 0 : limit->front(),
                  hasCondition ? *op.conversion.find(op.node.getInputs()[1]) : truth(op, true), carried);
  std::optional<Size> trips;
  if (hasLimit && limit)
    trips = sizeOf(op.b, std::max<int64_t>(limit->front(), 0));
  else if (hasLimit) {
    FailureOr<Sizes> given = op.elements(0, "M");
    if (failed(given))
      return failure();
    trips = given->front();
  }
  return LoopOfForms(op, *body, carried).lower(trips, first);
}
} // namespace

void register_loop(Registry &registry) {
  registry.onOp("Loop", {1, 11, 13, 16, 19, 21, 23, 24, 25}, "M[S*] product(S)=1 cond[T*] product(T)=1 v_initial[_*]",
                lower);
}

} // namespace sinter
