// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that move elements or pick among them, on the integers behind dequantized operands. Precondition: all
// elements of the result come from operands of one scale and zero point, or are 0, and order among them is kept.
#include "quantization.h"

using namespace mlir;

namespace sinter {

namespace {
enum class MovedOperands {
  Nothing,
  First, ///< operand 0; others are indices and sizes
  Each,  ///< all operands
};

MovedOperands whatMoves(const Op &op) {
  if (!op.node.getDomain().empty())
    return MovedOperands::Nothing;
  StringRef name = op.node.getOpType();
  if (name == "Concat" || name == "Max" || name == "Min")
    return MovedOperands::Each;
  if (name == "MaxPool" || name == "Dropout")
    return op.wants(1) ? MovedOperands::Nothing : MovedOperands::First;
  if (name == "Resize" || name == "Upsample")
    return op.string("mode", "nearest") == "nearest" &&
                   op.string("coordinate_transformation_mode") != "tf_crop_and_resize"
               ? MovedOperands::First
               : MovedOperands::Nothing;
  bool isFirst = llvm::is_contained({"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Split",
                                     "Gather", "GatherElements", "GatherND", "Expand", "Tile", "DepthToSpace",
                                     "SpaceToDepth", "ReduceMax", "ReduceMin", "GlobalMaxPool", "Pad", "Relu"},
                                    name);
  return isFirst ? MovedOperands::First : MovedOperands::Nothing;
}

/// Where a channel's parameters run along after a transpose.
std::optional<int64_t> transposedAxis(const Op &op, int64_t axis) {
  int64_t rank = op.input(0).rank();
  SmallVector<int64_t> reversed = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  SmallVector<int64_t> permutation = op.integers("perm", reversed);
  auto found = llvm::find(permutation, axis);
  return found == permutation.end() ? std::nullopt : std::optional<int64_t>(found - permutation.begin());
}

/// What the operands that move have in common.
std::optional<Dequantized> commonQuantization(Op &op, ArrayRef<unsigned> moving) {
  const Dequantized *first = op.dequantized(0);
  bool isTranspose = op.node.getOpType() == "Transpose";
  if (!first || (first->axis && !isTranspose))
    return std::nullopt;
  for (unsigned i : moving.drop_front()) {
    const Dequantized *other = op.dequantized(i);
    if (!other || !areAlike(op, *first, *other))
      return std::nullopt;
  }
  Dequantized result = *first;
  if (first->axis && !(result.axis = transposedAxis(op, *first->axis)))
    return std::nullopt;
  return result;
}

Tensor zeroPointOf(const Op &op, const Dequantized &q) {
  return q.zero ? op.reshape(q.zero, {}) : op.scalar(q.x.element, 0);
}

/// Zeros around x are its zero point; another value need not be one of the integers'.
bool padsWithZero(const Op &op) {
  if (op.string("mode", "constant") != "constant")
    return true;
  if (op.since < 11)
    return op.real("value", 0) == 0;
  std::optional<SmallVector<double>> value = op.has(2) ? op.constantReals(2) : SmallVector<double>{0};
  return value && llvm::all_of(*value, [](double v) { return v == 0; });
}

LogicalResult padWithZero(const Op &op, const Dequantized &q) {
  Tensor pads = op.since == 1   ? op.integers(op.integers("paddings"))
                : op.since < 11 ? op.integers(op.integers("pads"))
                                : op.input(1);
  SmallVector<NamedAttribute> attributes{op.b.getNamedAttr("mode", op.b.getStringAttr(op.string("mode", "constant")))};
  Tensor axes = op.inputOrNone(3);
  auto y = op.call("Pad", 21, {q.x, pads, zeroPointOf(op, q), axes}, attributes);
  return failed(y) ? failure() : op.result((*y)[0]);
}

/// A clamp from below at 0.
LogicalResult clampAtZero(const Op &op, const Dequantized &q) {
  return op.result(op.elementwise({q.x, zeroPointOf(op, q)}, q.x.element,
                                  [](const Scalars &s, ValueRange v) { return s.max(v[0], v[1]); }));
}
} // namespace

std::optional<LogicalResult> moveQuantized(Op &op, const Lowering &lowering) {
  MovedOperands moves = whatMoves(op);
  if (moves == MovedOperands::Nothing || !op.dequantized(0))
    return std::nullopt;
  SmallVector<unsigned> moving{0};
  for (unsigned i = 1; moves == MovedOperands::Each && i < op.inputCount(); ++i)
    moving.push_back(i);
  StringRef name = op.node.getOpType();
  std::optional<Dequantized> source = commonQuantization(op, moving);
  if (!source || (name == "Pad" && !padsWithZero(op)))
    return std::nullopt;

  // The node's operands stand for integers for as long as its lowering takes.
  ElementType element = op.input(0).element;
  SmallVector<Converted> before;
  for (unsigned i : moving)
    before.push_back(*op.conversion.find(op.node.getInputs()[i]));
  for (unsigned i : moving)
    op.conversion.bind(op.node.getInputs()[i], {before[i].dequantized->x, {}, false, false});
  LogicalResult done = name == "Pad" && op.string("mode", "constant") == "constant" ? padWithZero(op, *source)
                       : name == "Relu"                                             ? clampAtZero(op, *source)
                                                                                    : lowering(op);
  for (unsigned i : moving)
    op.conversion.bind(op.node.getInputs()[i], before[i]);
  if (failed(done))
    return done;

  SmallVector<Tensor> made;
  SmallVector<Dequantized> sources;
  for (OpResult result : op.node.getResults()) {
    const Converted *converted = op.conversion.find(result);
    if (!converted) { // nobody asked for it
      made.push_back({});
      sources.push_back({});
      continue;
    }
    Dequantized own = *source;
    own.x = converted->tensor;
    auto lined = lineUp(op, own.x, own.scale, own.zero, own.axis.value_or(0), 0);
    if (failed(lined))
      return LogicalResult(failure());
    made.push_back(dequantized(op, *lined, element));
    sources.push_back(own);
  }
  if (failed(op.results(made)))
    return LogicalResult(failure());
  for (auto [i, own] : llvm::enumerate(sources))
    if (own.x)
      op.noteDequantized(i, own);
  return success();
}

} // namespace sinter
