// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split: sizes from `split` (an attribute, then an operand), or equal parts; since 18 the last of `num_outputs` parts
// may be smaller. Without either, which 18 does not allow, parts are equal as before, in onnxruntime too.
#include "ops/attribute_or_operand.h"
#include "ops/lenient.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerSplit(Op &op) {
  Tensor x = op.input(0);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), x.rank());
  auto given = sizesFrom(op, "split", 1);
  if (failed(axis) || failed(given))
    return failure();
  Size length = op.size(x, *axis), offset = sizeOf(op.b, 0);
  int64_t outputs = op.outputCount(), count = op.integer("num_outputs", outputs); // trailing ones may be left out
  if (*given && static_cast<int64_t>((*given)->size()) != count)
    return op.fail(Code::ShapeMismatch,
                   "'split' has " + Twine((*given)->size()) + " sizes for " + Twine(count) + " outputs");
  if (count < outputs)
    return op.fail(Code::ShapeMismatch,
                   "num_outputs is " + Twine(count) + ", the node has " + Twine(outputs) + " outputs");
  if (!*given && op.since >= 18 && !op.hasAttribute("num_outputs") &&
      failed(lenient(op, "Split of opset 18 has neither 'split' nor 'num_outputs'",
                     "parts are equal, as many as the node has outputs", "give one of them, or export again")))
    return failure();
  if (!*given && !op.hasAttribute("num_outputs") &&
      failed(mustBeEqual(op, mul(op.b, op.loc, ceilDiv(op.b, op.loc, length, count), sizeOf(op.b, count)), length,
                         "dim " + Twine(*axis) + " does not split into " + Twine(count) + " equal parts")))
    return failure();
  Sizes sizes = op.sizes(x);
  SmallVector<Size> offsets(x.rank(), sizeOf(op.b, 0)), ones(x.rank(), sizeOf(op.b, 1));
  SmallVector<Tensor> parts;
  Size left = length;
  for (int64_t i = 0; i < (*given ? count : outputs); ++i) {
    // What is asked for, but never more than there is: the sizes may come from run-time data.
    Size part = *given ? (**given)[i] : ceilDiv(op.b, op.loc, length, count);
    std::optional<int64_t> fixedPart = constantOf(part), fixedLeft = constantOf(left);
    if (*given && fixedPart && fixedLeft && (*fixedPart < 0 || *fixedPart > *fixedLeft))
      return op.fail(Code::ShapeMismatch, "'split' asks for more than dim " + Twine(*axis) + " has");
    if (!certainlyNonNegative(part))
      part = maximum(op.b, op.loc, part, sizeOf(op.b, 0));
    if (!certainlyAtMost(op, part, left))
      part = within(op, minimum(op.b, op.loc, part, left), length);
    sizes[*axis] = part;
    offsets[*axis] = offset;
    parts.push_back(op.slice(x, offsets, sizes, ones));
    offset = add(op.b, op.loc, offset, part);
    left = sub(op.b, op.loc, left, part);
  }
  return op.results(parts);
}
} // namespace

void register_split(Registry &registry) {
  constexpr llvm::StringLiteral rule = "input[_*] split[_] axis@input split>=0 sum(split)=dim(input,or(axis,0)) "
                                       "value(split)>=0 sum(value(split))=dim(input,or(axis,0))";
  registry.onOp("Split", {1, 2, 11, 13}, rule, lowerSplit);
  registry.onOp("Split", {18}, (rule + " has(split)+has(num_outputs)<=1").str(), lowerSplit);
}

} // namespace sinter
