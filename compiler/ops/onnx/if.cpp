// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If: only the branch that runs where the condition is constant; otherwise scf.if, whose branches write their results
// where they meet.
#include "ops/meeting.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult bindAll(Op &op, ArrayRef<Converted> values) {
  for (auto [output, value] : llvm::zip(op.node.getOutputs(), values))
    op.conversion.bind(output, value);
  return success();
}

/// Tensors of a value, sequences in order.
void flatten(const Converted &value, SmallVector<Tensor> &tensors) {
  if (value.tensor)
    tensors.push_back(value.tensor);
  for (const Converted &element : value.elements)
    flatten(element, tensors);
}

bool sameStructure(const Converted &x, const Converted &y) {
  return x.isAbsent == y.isAbsent && x.isSequence == y.isSequence && !x.tensor == !y.tensor &&
         x.elements.size() == y.elements.size() && llvm::all_of(llvm::zip(x.elements, y.elements), [](auto pair) {
           return sameStructure(std::get<0>(pair), std::get<1>(pair));
         });
}

void replaceTensors(Converted &value, ArrayRef<Tensor> &tensors) {
  if (value.tensor) {
    value.tensor = tensors.front();
    tensors = tensors.drop_front();
  }
  for (Converted &element : value.elements)
    replaceTensors(element, tensors);
}

LogicalResult branch(Op &op, Region &thenGraph, Region &elseGraph) {
  OpBuilder &b = op.b;
  auto probe = b.create<scf::IfOp>(op.loc, TypeRange(), onlyElement(b, op.loc, op.input(0)), /*withElseRegion=*/true);
  OpBuilder inThen = probe.getThenBodyBuilder(), inElse = probe.getElseBodyBuilder();
  auto thenValues = op.conversion.convertRegion(thenGraph, {}, inThen),
       elseValues = op.conversion.convertRegion(elseGraph, {}, inElse);
  if (failed(thenValues) || failed(elseValues))
    return failure();
  SmallVector<Tensor> fromThen, fromElse;
  SmallVector<unsigned> outputs;
  for (auto [i, pair] : llvm::enumerate(llvm::zip(*thenValues, *elseValues))) {
    if (!sameStructure(std::get<0>(pair), std::get<1>(pair)))
      return op.unsupported("output " + Twine(i) + " is a sequence or optional that differs between the branches",
                            "make the condition constant");
    flatten(std::get<0>(pair), fromThen);
    flatten(std::get<1>(pair), fromElse);
    outputs.resize(fromThen.size(), i);
  }
  OpBuilder before(probe);
  SmallVector<Meeting> meetings;
  SmallVector<Value> thenYield, elseYield;
  SmallVector<Type> types;
  for (auto [x, y, output] : llvm::zip(fromThen, fromElse, outputs)) {
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
  ArrayRef<Tensor> rest = tensors;
  for (Converted &value : *thenValues)
    replaceTensors(value, rest);
  return bindAll(op, *thenValues);
}

LogicalResult lower(Op &op) {
  Region *thenGraph = subgraph(op, "then_branch"), *elseGraph = subgraph(op, "else_branch");
  if (!thenGraph || !elseGraph)
    return op.fail(Code::UnsupportedForm, "a branch is missing");
  std::optional<SmallVector<int64_t>> condition = op.constantIntegers(0);
  if (!condition)
    return branch(op, *thenGraph, *elseGraph);
  auto values =
      op.conversion.convertRegion(!condition->empty() && condition->front() ? *thenGraph : *elseGraph, {}, op.b);
  return failed(values) ? failure() : bindAll(op, *values);
}
} // namespace

void register_if(Registry &registry) { registry.onOp("If", {1, 11, 13, 16, 19, 21, 23, 24, 25}, lower); }

} // namespace sinter
