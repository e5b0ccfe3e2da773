// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TopK: k is an attribute before version 10, an operand since; at most as many as there are.
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerTopk(Op &op) {
  Tensor x = op.input(0);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", -1), x.rank());
  if (failed(axis))
    return failure();
  Size k = sizeOf(op.b, op.integer("k", 0)), length = op.size(x, *axis);
  if (op.since >= 10) {
    FailureOr<Sizes> given = op.elements(1, "K");
    if (failed(given) || given->size() != 1)
      return failed(given) ? failure() : op.fail(Code::ShapeMismatch, "'K' is not one number");
    k = given->front();
  }
  std::optional<int64_t> fixed = constantOf(k), all = constantOf(length);
  if (fixed && (*fixed < 0 || (all && *fixed > *all)))
    return op.fail(Code::ShapeMismatch, "K is " + Twine(*fixed) + " for a dim of size " + Twine(all.value_or(0)));
  if (!certainlyAtMost(op, k, length))
    k = minimum(op.b, op.loc, k, length);
  if (!certainlyNonNegative(k))
    k = within(op, maximum(op.b, op.loc, k, sizeOf(op.b, 0)), length);
  Sizes sizes = op.sizes(x);
  sizes[*axis] = k;
  SmallVector<Tensor> made =
      op.kernel("topk", {x}, {{sizes, x.element}, {sizes, ElementType::Int64}, {{length}, ElementType::Int64}},
                {op.param("axis", *axis), op.param("largest", op.integer("largest", 1) != 0)});
  made.pop_back(); // scratch
  return op.results(made);
}
} // namespace

void register_topk(Registry &registry) {
  registry.onOp("TopK", {1, 10, 11, 24},
                "X[_+] K[1] axis@X 0<=k<=dim(X,axis) 0<=value(K)<=dim(X,axis) largest=0|1 sorted=0|1", lowerTopk);
}

} // namespace sinter
