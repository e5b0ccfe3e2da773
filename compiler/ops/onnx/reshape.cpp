// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshape: 0 keeps the dim of x (unless allowzero), -1 is what is left. Where sizes come from run-time data the shape
// that the model declares counts; without one the last of them is what is left, so that the result never has more
// elements than x.
#include "ops/attribute_or_operand.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

/// total / known where both are products: equal factors cancel, so that symbolic dims stay themselves.
Size quotient(const Op &op, SmallVector<Size> total, SmallVector<Size> known) {
  int64_t upper = 1, lower = 1;
  auto takeConstants = [](SmallVector<Size> &factors, int64_t &constant) {
    llvm::erase_if(factors, [&](Size s) {
      std::optional<int64_t> c = constantOf(s);
      constant *= c.value_or(1);
      return c.has_value();
    });
  };
  takeConstants(total, upper);
  takeConstants(known, lower);
  llvm::erase_if(known, [&](Size s) {
    auto *found = llvm::find_if(total, [&](Size t) { return sameSize(s, t); });
    if (found == total.end())
      return false;
    total.erase(found);
    return true;
  });
  if (upper == 0 || lower == 0)
    return sizeOf(op.b, 0);
  if (upper % lower == 0) {
    upper /= lower;
    lower = 1;
  }
  Size numerator = mul(op.b, op.loc, sizeOf(op.b, upper), product(op.b, op.loc, total));
  if (known.empty() && lower == 1)
    return numerator;
  Size denominator = mul(op.b, op.loc, sizeOf(op.b, lower), product(op.b, op.loc, known));
  // A run-time size of 0 must not divide.
  if (!constantOf(denominator) && !certainlyAtMost(op, sizeOf(op.b, 1), denominator))
    denominator = maximum(op.b, op.loc, denominator, sizeOf(op.b, 1));
  return within(op, divide(op.b, op.loc, numerator, denominator), numerator);
}

LogicalResult lower(Op &op) {
  Tensor x = op.input(0);
  auto given = sizesFrom(op, "shape", 1);
  if (failed(given))
    return failure();
  Sizes own = op.sizes(x), shape = given->value_or(Sizes());
  int64_t inferred = -1, unknown = -1;
  for (auto [i, size] : llvm::enumerate(shape)) {
    std::optional<int64_t> fixed = constantOf(size);
    if (fixed == -1) {
      if (inferred >= 0)
        return op.fail(Code::ShapeMismatch, "more than one -1 in the shape");
      inferred = i;
    } else if (fixed && *fixed < 0) {
      return op.fail(Code::ShapeMismatch, "size " + Twine(*fixed) + " in the shape is negative");
    } else if (fixed == 0 && !op.integer("allowzero", 0)) {
      if (i >= own.size())
        return op.fail(Code::ShapeMismatch,
                       "dim " + Twine(i) + " of the shape is 0, but the input has rank " + Twine(own.size()));
      size = own[i];
    } else if (!fixed && !rangeOf(size)) {
      unknown = i;
    }
  }
  if (std::optional<Sizes> declared = declaredSizes(op); declared && unknown >= 0)
    shape = *declared;
  else if (inferred < 0)
    inferred = unknown;
  Size total = product(op.b, op.loc, own);
  SmallVector<Size> known;
  for (auto [i, size] : llvm::enumerate(shape))
    if (static_cast<int64_t>(i) != inferred) {
      size = within(op, size, total);
      known.push_back(size);
    }
  if (inferred >= 0)
    shape[inferred] = quotient(op, own, known);
  std::optional<int64_t> have = constantOf(total), want = constantOf(product(op.b, op.loc, shape));
  if (have && want && *have != *want)
    return op.fail(Code::ShapeMismatch,
                   "a tensor of " + Twine(*have) + " elements cannot take a shape of " + Twine(*want));
  if (failed(mustBeEqual(op, total, product(op.b, op.loc, shape), "the input cannot take the shape")))
    return failure();
  return op.result(op.reshape(x, shape));
}
} // namespace

void register_reshape(Registry &registry) {
  registry.onOp("Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25}, "data[_*] shape[_] allowzero=0|1", lower);
}

} // namespace sinter
