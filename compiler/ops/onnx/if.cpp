// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If: only the branch that runs where the condition is constant; otherwise scf.if, whose branches write their results
// where they meet.
#include "ops/forms.h"
#include "ops/meeting.h"
#include "ops/size_relation.h"
#include "ops/subgraphs.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult bindAll(Op &op, ArrayRef<Converted> values) {
  for (auto [output, value] : llvm::zip(op.node.getOutputs(), values))
    op.conversion.bind(output, value);
  return success();
}

/// Problems from `first` on say that shapes contradict each other (what follows from that names no reason of its own).
bool areContradictions(const Diagnostics &diagnostics, size_t first) {
  ArrayRef<Problem> added = ArrayRef(diagnostics.all()).drop_front(first);
  return !added.empty() && added.front().code == Code::ShapeMismatch &&
         llvm::all_of(added, [](const Problem &p) { return p.code == Code::ShapeMismatch || p.hint.empty(); });
}

/// A branch that cannot run, because its shapes contradict the sizes that the user gave: running it ends the call with
/// status 4. The values have the other branch's sizes and are never looked at.
FailureOr<SmallVector<Converted>> impossibleBranch(Op &op, scf::IfOp choice, OpBuilder &inside,
                                                   ArrayRef<Converted> others) {
  Block *block = inside.getInsertionBlock();
  while (block->getOperations().size() > 1)
    std::prev(block->end(), 2)->erase();
  op.conversion.evaluations.clear();
  // 1 where this branch runs, known only then: made outside, where nothing says which branch it is.
  OpBuilder before(choice);
  bool isThen = block == choice.thenBlock();
  Value chosen = choice.getCondition();
  if (!isThen)
    chosen = before.create<arith::XOrIOp>(op.loc, chosen,
                                          before.create<arith::ConstantOp>(op.loc, before.getBoolAttr(true)));
  Value one = before.create<arith::IndexCastUIOp>(op.loc, before.getIndexType(), chosen);
  Value never = inside.create<BoundOp>(op.loc, inside.getIndexType(), one, 0, 0);
  Value number = inside.create<arith::IndexCastOp>(op.loc, inside.getI64Type(), never);
  SmallVector<Converted> values;
  for (const Converted &other : others) {
    if (!other.tensor || isComplex(other.tensor.element) || other.tensor.element == ElementType::String)
      return failure();
    Sizes sizes;
    OpBuilder there(op.b.getContext());
    there.setInsertionPointAfterValue(other.tensor.value);
    for (Size size : dimsOf(there, op.loc, other.tensor.value)) {
      std::optional<Size> outside = hoisted(size, choice);
      if (!outside)
        return failure();
      sizes.push_back(*outside);
    }
    ElementType element = other.tensor.element;
    Value scalar = Scalars{inside, op.loc, ElementType::Int64}.castTo(element, number);
    values.push_back(
        {Tensors{inside, op.loc}.filled(sizes, element, narrow(inside, op.loc, element, scalar)), {}, false, false});
  }
  return values;
}

LogicalResult branch(Op &op, Region &thenGraph, Region &elseGraph) {
  OpBuilder &b = op.b;
  auto probe = b.create<scf::IfOp>(op.loc, TypeRange(), onlyElement(b, op.loc, op.input(0)), /*withElseRegion=*/true);
  OpBuilder inThen = probe.getThenBodyBuilder(), inElse = probe.getElseBodyBuilder();
  Diagnostics &diagnostics = op.conversion.diagnostics;
  Diagnostics atFirst = diagnostics; // what a branch reports is forgotten where the branch cannot run
  auto thenValues = op.conversion.convertRegion(thenGraph, {}, inThen);
  Diagnostics betweenBranches = diagnostics;
  auto elseValues = op.conversion.convertRegion(elseGraph, {}, inElse);
  if (succeeded(thenValues) && failed(elseValues) && areContradictions(diagnostics, betweenBranches.all().size())) {
    elseValues = impossibleBranch(op, probe, inElse, *thenValues);
    if (succeeded(elseValues))
      diagnostics = betweenBranches;
  } else if (failed(thenValues) && succeeded(elseValues) && areContradictions(diagnostics, atFirst.all().size())) {
    thenValues = impossibleBranch(op, probe, inThen, *elseValues);
    if (succeeded(thenValues))
      diagnostics = atFirst;
  }
  if (failed(thenValues) || failed(elseValues))
    return failure();
  SmallVector<Tensor> fromThen, fromElse;
  SmallVector<unsigned> outputs;
  std::vector<Form> forms;
  Tensors thenTensors{inThen, op.loc}, elseTensors{inElse, op.loc};
  for (auto [i, pair] : llvm::enumerate(llvm::zip(*thenValues, *elseValues))) {
    auto &[x, y] = pair;
    FailureOr<Form> form = joined(op, formOf(thenTensors, x), formOf(elseTensors, y), i);
    if (failed(form))
      return failure();
    flatten(inForm(thenTensors, x, *form), fromThen);
    flatten(inForm(elseTensors, y, *form), fromElse);
    outputs.resize(fromThen.size(), i);
    forms.push_back(*form);
  }
  OpBuilder before(probe);
  SmallVector<Meeting> meetings;
  SmallVector<Value> thenYield, elseYield;
  SmallVector<Type> types;
  for (auto [x, y, output] : llvm::zip(fromThen, fromElse, outputs)) {
    if (failed(checkSameElement(op, "output " + Twine(output), x, y)))
      return failure();
    Meeting::PathSizes sizes[2];
    for (Size size : dimsOf(inThen, op.loc, x.value))
      sizes[0].push_back(hoisted(size, probe));
    for (Size size : dimsOf(inElse, op.loc, y.value))
      sizes[1].push_back(hoisted(size, probe));
    FailureOr<Meeting> meeting = Meeting::of(op, output, sizes, {x, y});
    if (failed(meeting))
      return failure();
    Value buffer = meeting->buffer(before, op.loc).value;
    llvm::append_range(thenYield, meeting->store(inThen, op.loc, x, buffer));
    llvm::append_range(elseYield, meeting->store(inElse, op.loc, y, buffer));
    llvm::append_range(types, meeting->types());
    meetings.push_back(*meeting);
  }
  probe.thenYield()->setOperands(thenYield);
  probe.elseYield()->setOperands(elseYield);
  auto made = b.create<scf::IfOp>(op.loc, types, probe.getCondition(), /*addThenBlock=*/false, /*addElseBlock=*/false);
  made.getThenRegion().takeBody(probe.getThenRegion());
  made.getElseRegion().takeBody(probe.getElseRegion());
  probe.erase();
  SmallVector<Tensor> tensors;
  ValueRange results = made.getResults();
  for (const Meeting &meeting : meetings) {
    tensors.push_back(meeting.load(b, op.loc, results.take_front(meeting.count())));
    results = results.drop_front(meeting.count());
  }
  // What one branch's tensors were dequantized from says nothing about the tensors where branches meet.
  ArrayRef<Tensor> rest = tensors;
  for (auto [output, form] : llvm::zip(op.node.getOutputs(), forms))
    op.conversion.bind(output, rebuilt(form, rest));
  return success();
}

LogicalResult lower(Op &op) {
  auto thenGraph = subgraphOf(op, "then_branch", 0, op.outputCount()),
       elseGraph = subgraphOf(op, "else_branch", 0, op.outputCount());
  if (failed(thenGraph) || failed(elseGraph))
    return failure();
  std::optional<bool> condition = knownTruth(op, op.input(0));
  if (!condition)
    return branch(op, **thenGraph, **elseGraph);
  auto values = op.conversion.convertRegion(*condition ? **thenGraph : **elseGraph, {}, op.b);
  return failed(values) ? failure() : bindAll(op, *values);
}
} // namespace

void register_if(Registry &registry) {
  registry.onOp("If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, "cond[S*] product(S)=1", lower);
}

} // namespace sinter
