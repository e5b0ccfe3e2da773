// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop: scf.for where the condition never changes, scf.while elsewhere; unrolled where it carries sequences. Carried
// values live in one buffer each; scan outputs in a buffer at capacity, of which the iterations that ran are the
// result.
#include "ops/loop_builder.h"
#include "ops/size_relation.h"
#include "ops/subgraphs.h"

using namespace mlir;

namespace sinter {
namespace {

/// true, false, or nothing when the condition depends on run-time data.
std::optional<bool> constantTruth(Op &op, Tensor condition) {
  std::optional<HostTensor> host = contentsOf(condition, op.conversion.evaluations);
  return host && host->size() == 1 ? std::optional(host->integerAt(0) != 0) : std::nullopt;
}

Converted truth(Op &op, bool value) {
  Value stored = op.b.create<arith::ConstantOp>(op.loc, op.b.getBoolAttr(value));
  return {rankZero(op.b, op.loc, ElementType::Bool, stored), {}, false, false};
}

/// Iterations one after another: for few of them, and for values whose structure changes.
LogicalResult unroll(Op &op, Region &body, int64_t trips, Converted condition, SmallVector<Converted> carried) {
  size_t scans = op.outputCount() - carried.size();
  std::vector<SmallVector<Tensor>> collected(scans);
  for (int64_t i = 0; i < trips; ++i) {
    std::optional<bool> goesOn = constantTruth(op, condition.tensor);
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

LogicalResult lower(Op &op) {
  auto found = subgraphOf(op, "body", op.inputCount(), 1 + op.outputCount());
  if (failed(found))
    return failure();
  Region *body = *found;
  if (op.inputCount() > 2 + op.outputCount())
    return op.fail(Code::WrongOperandCount, "the loop carries " + Twine(op.inputCount() - 2) + " values and has " +
                                                Twine(op.outputCount()) + " outputs");
  SmallVector<Converted> carried;
  bool structured = false;
  for (unsigned i = 2; i < op.inputCount(); ++i) {
    carried.push_back(*op.conversion.find(op.node.getInputs()[i]));
    structured |= !carried.back().tensor;
  }
  bool hasLimit = op.has(0), hasCondition = op.has(1);
  std::optional<SmallVector<int64_t>> limit = hasLimit ? op.constantIntegers(0) : std::nullopt;
  std::optional<bool> first = hasCondition ? constantTruth(op, op.input(1)) : std::optional(true);
  constexpr int64_t mostUnrolled = 256;
  bool few = limit && limit->size() == 1 && limit->front() <= mostUnrolled;
  if (first == false)
    few = true;
  if (structured || first == false) {
    if (!few)
      return op.unsupported("a loop that carries sequences or optionals and whose trip count is not a small constant",
                            "give the dims that the trip count depends on: --dim NAME=N");
    return unroll(op, *body, first == false ? 0 : limit->front(),
                  hasCondition ? *op.conversion.find(op.node.getInputs()[1]) : truth(op, true), carried);
  }
  std::optional<Size> trips;
  if (hasLimit && limit)
    trips = sizeOf(op.b, std::max<int64_t>(limit->front(), 0));
  else if (hasLimit) {
    FailureOr<Sizes> given = op.elements(0, "M");
    if (failed(given))
      return failure();
    trips = given->front();
  }
  LoopBuilder loop(op, carried.size());
  for (const Converted &value : carried)
    loop.initial.push_back(value.tensor);
  loop.body = [&](OpBuilder &b, Value index, Value condition,
                  ArrayRef<Tensor> values) -> FailureOr<SmallVector<Tensor>> {
    Value number = b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), index);
    SmallVector<Converted> arguments{{rankZero(b, op.loc, ElementType::Int64, number), {}, false, false},
                                     {rankZero(b, op.loc, ElementType::Bool, condition), {}, false, false}};
    for (Tensor value : values)
      arguments.push_back({value, {}, false, false});
    auto made = op.conversion.convertRegion(*body, arguments, b);
    if (failed(made))
      return failure();
    SmallVector<Tensor> tensors;
    for (const Converted &value : *made) {
      if (!value.tensor)
        return op.unsupported("a loop body that makes sequences or optionals");
      tensors.push_back(value.tensor);
    }
    if (tensors.front().element != ElementType::Bool)
      return op.fail(Code::WrongOperandType, "the condition that the loop's body makes is a tensor(" +
                                                 elementTypeName(tensors.front().element) + ")");
    if (failed(mustBeEqual(op, product(b, op.loc, dimsOf(b, op.loc, tensors.front().value)), sizeOf(b, 1),
                           "the condition that the loop's body makes is not one element")))
      return failure();
    for (auto [i, before] : llvm::enumerate(values))
      if (failed(checkSameElement(op, "carried value " + Twine(i), before, tensors[1 + i])))
        return failure();
    return tensors;
  };
  // With a condition that starts true and stays true only the trip count decides.
  if (trips && first == true) {
    FailureOr<bool> done = loop.buildFor(*trips);
    if (failed(done))
      return failure();
    if (*done)
      return success();
  }
  Value start = hasCondition ? onlyElement(op.b, op.loc, op.input(1))
                             : op.b.create<arith::ConstantOp>(op.loc, op.b.getBoolAttr(true)).getResult();
  return loop.buildWhile(trips, start);
}
} // namespace

void register_loop(Registry &registry) {
  registry.onOp("Loop", {1, 11, 13, 16, 19, 21, 23, 24, 25}, "M[S*] product(S)=1 cond[T*] product(T)=1 v_initial[_*]",
                lower);
}

} // namespace sinter
