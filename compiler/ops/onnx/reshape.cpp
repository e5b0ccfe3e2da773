// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshape: 0 keeps the dim of x (unless allowzero), -1 is what is left. Where sizes come from run-time data the shape
// that the model declares counts; without one the last of them is what is left, so that the result never has more
// elements than x. Either way the call ends with status 3 where the data asks for another shape.
#include "builders/polynomial_sizes.h"
#include "ops/attribute_or_operand.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

/// What `known` leaves of `total`.
Size sizeQuotient(const Op &op, Size total, Size known) {
  if (constantOf(total) == 0 || constantOf(known) == 0)
    return sizeOf(op.b, 0);
  if (std::optional<Size> exact = exactQuotient(op.b, op.loc, total, known))
    return *exact;
  // A run-time size of 0 must not divide.
  if (!certainlyAtMost(op, sizeOf(op.b, 1), known))
    known = maximum(op.b, op.loc, known, sizeOf(op.b, 1));
  return within(op, divide(op.b, op.loc, total, known), total);
}

Value isEqual(const Op &op, Size size, int64_t number) {
  return op.b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, toValue(op.b, op.loc, size),
                                    toValue(op.b, op.loc, sizeOf(op.b, number)));
}

/// The entries of a shape, of which run-time data gives some: -1 may be any of these.
struct Entries {
  Sizes sizes;
  SmallVector<int64_t> data;
  int64_t inferred = -1; ///< the place of what is left
};

FailureOr<Entries> entriesOf(Op &op, Sizes given) {
  Sizes own = op.sizes(op.input(0));
  bool copiesZero = !op.integer("allowzero", 0);
  Entries entries{std::move(given), {}};
  for (auto [i, size] : llvm::enumerate(entries.sizes)) {
    std::optional<int64_t> fixed = constantOf(size);
    auto range = rangeOf(size);
    if (fixed == -1) {
      if (entries.inferred >= 0)
        return op.fail(Code::ShapeMismatch, "more than one -1 in the shape");
      entries.inferred = i;
    } else if (fixed && *fixed < 0) {
      return op.fail(Code::ShapeMismatch, "size " + Twine(*fixed) + " in the shape is negative");
    } else if (fixed == 0 && copiesZero) {
      if (i >= own.size())
        return op.fail(Code::ShapeMismatch,
                       "dim " + Twine(i) + " of the shape is 0, but the input has rank " + Twine(own.size()));
      size = own[i];
    } else if (!range || range->first < 0) {
      entries.data.push_back(i);
      if (copiesZero && i < own.size())
        size = chosen(op, isEqual(op, size, 0), own[i], size);
    }
  }
  return entries;
}

/// An entry of run-time data that is -1 is what the others leave of `total`.
Sizes inferredFromData(const Op &op, const Entries &entries, Size total) {
  Sizes known = entries.sizes, result = entries.sizes;
  for (int64_t i : entries.data)
    known[i] = within(op, chosen(op, isEqual(op, known[i], -1), sizeOf(op.b, 1), known[i]), total);
  Size left = sizeQuotient(op, total, product(op.b, op.loc, known));
  for (int64_t i : entries.data)
    result[i] = chosen(op, isEqual(op, result[i], -1), left, result[i]);
  return result;
}

LogicalResult lowerReshape(Op &op) {
  Tensor x = op.input(0);
  auto given = sizesFrom(op, "shape", 1);
  FailureOr<Entries> entries = failed(given) ? FailureOr<Entries>() : entriesOf(op, given->value_or(Sizes()));
  if (failed(entries))
    return failure();
  Sizes own = op.sizes(x), shape = entries->sizes;
  Size total = product(op.b, op.loc, own);
  int64_t inferred = entries->inferred;
  if (std::optional<Sizes> declared = declaredSizes(op); declared && !entries->data.empty())
    shape = *declared;
  else if (inferred < 0 && !entries->data.empty()) {
    inferred = entries->data.back();
    if (entries->data.size() > 1)
      shape = inferredFromData(op, *entries, total);
  }
  SmallVector<Size> known;
  for (auto [i, size] : llvm::enumerate(shape))
    if (static_cast<int64_t>(i) != inferred) {
      size = within(op, size, total);
      known.push_back(size);
    }
  if (entries->inferred >= 0 && constantOf(product(op.b, op.loc, known)) == 0)
    return op.fail(Code::ShapeMismatch, "beside a size of 0 in the shape, -1 may be any size");
  if (inferred >= 0)
    shape[inferred] = sizeQuotient(op, total, product(op.b, op.loc, known));
  std::optional<int64_t> have = constantOf(total), want = constantOf(product(op.b, op.loc, shape));
  if (have && want && *have != *want)
    return op.fail(Code::ShapeMismatch,
                   "a tensor of " + Twine(*have) + " elements cannot take a shape of " + Twine(*want));
  if (failed(mustBeEqual(op, total, product(op.b, op.loc, shape), "the input cannot take the shape")))
    return failure();
  for (int64_t i : entries->data) {
    Holds isLeft = relationHolds(op, "=", entries->sizes[i], sizeOf(op.b, -1));
    Holds fits = either(op, isLeft, relationHolds(op, "=", entries->sizes[i], shape[i]));
    if (failed(mustHold(op, fits, "the input cannot take the shape")))
      return failure();
  }
  return op.result(op.reshape(x, shape));
}
} // namespace

void register_reshape(Registry &registry) {
  registry.onOp("Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25}, "data[_*] shape[_] allowzero=0|1", lowerReshape);
}

} // namespace sinter
