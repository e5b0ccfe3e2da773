// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scan: scf.for over an axis of the scan inputs; states are carried, scan outputs collected and turned to their axes.
// Version 8 has a batch dim in front of everything, and its entries run one after another.
#include "ops/loop_builder.h"
#include "ops/size_relation.h"
#include "ops/subgraphs.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

struct Scan {
  Region *body;
  unsigned states;
  SmallVector<int64_t> inputAxes, outputAxes, inputDirections, outputDirections; ///< directions: 1 is backward
};

/// Shapes do not change from one iteration to the next: what the body declares of its inputs must hold.
LogicalResult checkArguments(Op &op, Region &body, ArrayRef<Converted> arguments) {
  for (auto [argument, given] : llvm::zip(body.front().getArguments(), arguments)) {
    auto declared = dyn_cast<RankedTensorType>(argument.getType());
    if (declared && failed(verifyCompatibleShape(declared.getShape(), given.tensor.type().getShape())))
      return op.fail(Code::ShapeMismatch, "input " + Twine(argument.getArgNumber()) +
                                              " of the body is declared with another shape than what it is given");
  }
  return success();
}

FailureOr<SmallVector<Tensor>> run(Op &op, const Scan &scan, ArrayRef<Tensor> states, ArrayRef<Tensor> inputs) {
  SmallVector<int64_t> axes;
  for (auto [input, axis] : llvm::zip(inputs, scan.inputAxes)) {
    FailureOr<int64_t> one = op.axis(axis, input.rank());
    if (failed(one))
      return failure();
    axes.push_back(*one);
  }
  Size trips = op.size(inputs.front(), axes.front());
  for (auto [k, input] : llvm::enumerate(inputs))
    if (failed(mustBeEqual(op, op.size(input, axes[k]), trips, "the scan inputs differ in length")))
      return failure();
  LoopBuilder loop(op, states.size());
  loop.initial.assign(states.begin(), states.end());
  loop.body = [&](OpBuilder &b, Value index, Value, ArrayRef<Tensor> values) -> FailureOr<SmallVector<Tensor>> {
    SmallVector<Converted> arguments;
    for (Tensor value : values)
      arguments.push_back({value, {}, false, false});
    for (size_t k = 0; k < inputs.size(); ++k) {
      Size place = index;
      if (scan.inputDirections[k])
        place = sub(b, op.loc, sub(b, op.loc, trips, sizeOf(b, 1)), index);
      arguments.push_back({entryOf({b, op.loc}, inputs[k], axes[k], place), {}, false, false});
    }
    if (failed(checkArguments(op, *scan.body, arguments)))
      return failure();
    auto made = op.conversion.convertRegion(*scan.body, arguments, b);
    if (failed(made))
      return failure();
    SmallVector<Tensor> tensors{
        rankZero(b, op.loc, ElementType::Bool, b.create<arith::ConstantOp>(op.loc, b.getBoolAttr(true)))};
    for (const Converted &value : *made) {
      if (!value.tensor)
        return op.unsupported("a Scan whose body makes sequences or optionals");
      tensors.push_back(value.tensor);
    }
    for (auto [i, before] : llvm::enumerate(values)) {
      if (failed(checkSameElement(op, "state " + Twine(i), before, tensors[1 + i])))
        return failure();
      if (failed(verifyCompatibleShape(before.type(), tensors[1 + i].type())))
        return op.fail(Code::ShapeMismatch, "state " + Twine(i) + " changes its shape from iteration to iteration");
    }
    return tensors;
  };
  FailureOr<bool> built = loop.buildFor(trips);
  if (failed(built))
    return failure();
  for (size_t k = states.size(); k < loop.results.size(); ++k) {
    Tensor &result = loop.results[k];
    size_t output = k - states.size();
    if (scan.outputDirections[output])
      result = op.flip(result, {0});
    FailureOr<int64_t> axis = op.axis(scan.outputAxes[output], result.rank());
    if (failed(axis))
      return failure();
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(1, result.rank()));
    permutation.insert(permutation.begin() + *axis, 0);
    result = op.transpose(result, permutation);
  }
  return loop.results;
}

LogicalResult lowerScan(Op &op) {
  SmallVector<Tensor> all = op.inputs();
  int64_t scanned = op.integer("num_scan_inputs", 1);
  if (scanned < 1 || scanned > static_cast<int64_t>(all.size()) || all.size() - scanned > op.outputCount())
    return op.fail(Code::ShapeMismatch, "'num_scan_inputs' does not fit the inputs and outputs");
  auto body = subgraphOf(op, "body", all.size(), op.outputCount());
  if (failed(body))
    return failure();
  Scan scan{*body, 0, {}, {}, {}, {}};
  bool batched = op.since == 8;
  if (batched && op.has(0))
    return op.unsupported("Scan of version 8 with sequence_lens", "convert the model to opset 9 or later");
  scan.states = all.size() - scanned;
  size_t outputs = op.outputCount() - scan.states;
  SmallVector<int64_t> zeros(std::max<size_t>(scanned, outputs), 0);
  scan.inputAxes = op.integers("scan_input_axes", ArrayRef(zeros).take_front(scanned));
  scan.outputAxes = op.integers("scan_output_axes", ArrayRef(zeros).take_front(outputs));
  scan.inputDirections =
      op.integers(batched ? "directions" : "scan_input_directions", ArrayRef(zeros).take_front(scanned));
  scan.outputDirections = op.integers("scan_output_directions", ArrayRef(zeros).take_front(outputs));
  if (scan.inputAxes.size() != static_cast<size_t>(scanned) ||
      scan.inputDirections.size() != static_cast<size_t>(scanned) || scan.outputAxes.size() != outputs ||
      scan.outputDirections.size() != outputs)
    return op.fail(Code::ShapeMismatch, "axes or directions do not have one entry per scan input or output");
  auto isDirection = [](int64_t direction) { return direction == 0 || direction == 1; };
  if (!llvm::all_of(scan.inputDirections, isDirection) || !llvm::all_of(scan.outputDirections, isDirection))
    return op.fail(Code::ShapeMismatch, "a direction is neither 0 (forward) nor 1 (backward)");
  ArrayRef<Tensor> states = ArrayRef(all).take_front(scan.states), inputs = ArrayRef(all).drop_front(scan.states);
  if (!batched) {
    auto results = run(op, scan, states, inputs);
    return failed(results) ? failure() : op.results(*results);
  }
  for (Tensor x : all)
    if (x.rank() < 1 || failed(mustBeEqual(op, op.size(x, 0), op.size(all.front(), 0), "the operands differ in batch")))
      return x.rank() < 1 ? op.fail(Code::ShapeMismatch, "an operand has no batch dim") : failure();
  std::optional<int64_t> batch = constantOf(op.size(all.front(), 0));
  constexpr int64_t mostBatches = 64;
  if (!batch || *batch < 1 || *batch > mostBatches)
    return op.fail(Code::ShapeNotConstant, "the batch of a Scan of version 8 is not a small known number",
                   "give it: --dim NAME=N");
  std::vector<SmallVector<Tensor>> parts(op.outputCount());
  for (int64_t i = 0; i < *batch; ++i) {
    auto entry = [&](Tensor x) { return entryOf(op, x, 0, sizeOf(op.b, i)); };
    auto results = run(op, scan, llvm::map_to_vector(states, entry), llvm::map_to_vector(inputs, entry));
    if (failed(results))
      return failure();
    for (auto [list, result] : llvm::zip(parts, *results))
      list.push_back(op.unsqueeze(result, {0}));
  }
  SmallVector<Tensor> joined;
  for (ArrayRef<Tensor> list : parts)
    joined.push_back(op.concat(list, 0));
  return op.results(joined);
}
} // namespace

void register_scan(Registry &registry) {
  registry.onOp("Scan", {8, 9, 11, 16, 19, 21, 23, 24, 25},
                "sequence_lens[_] initial_state_and_scan_inputs[_*] num_scan_inputs>=1", lowerScan);
}

} // namespace sinter
