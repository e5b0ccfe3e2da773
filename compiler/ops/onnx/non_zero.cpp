// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NonZero, Compress: places found by a kernel; Compress gathers at them.
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

/// [rank, capacity] places of what is not zero, and how many there are.
std::pair<Tensor, Tensor> places(const Op &op, Tensor x) {
  if (x.rank() == 0)
    x = op.unsqueeze(x, {0});
  Size capacity = product(op.b, op.loc, op.sizes(x));
  SmallVector<Tensor> made =
      op.kernel("non_zero", {x}, {{{sizeOf(op.b, x.rank()), capacity}, ElementType::Int64}, {{}, ElementType::Int64}});
  return {made[0], made[1]};
}

LogicalResult lowerNonZero(Op &op) {
  auto [found, count] = places(op, op.input(0));
  return op.result(takeCount(op, found, count, 1));
}

/// Places of a condition that is known, as places() has them, and their number: a size like any other.
std::optional<std::pair<Tensor, Size>> knownPlaces(const Op &op) {
  std::optional<SmallVector<int64_t>> condition = op.constantIntegers(1);
  if (!condition)
    return std::nullopt;
  SmallVector<int64_t> chosen;
  for (auto [i, isChosen] : llvm::enumerate(*condition))
    if (isChosen)
      chosen.push_back(static_cast<int64_t>(i));
  Size count = sizeOf(op.b, static_cast<int64_t>(chosen.size()));
  return std::pair(op.reshape(op.integers(chosen), {sizeOf(op.b, 1), count}), count);
}

LogicalResult lowerCompress(Op &op) {
  Tensor x = op.input(0), condition = op.input(1);
  int64_t axis = 0;
  if (op.hasAttribute("axis")) {
    FailureOr<int64_t> given = op.axis(op.integer("axis"), x.rank());
    if (failed(given))
      return failure();
    axis = *given;
  } else {
    x = op.reshape(x, {product(op.b, op.loc, op.sizes(x))});
  }
  Tensor found, count;
  Size length = op.size(x, axis), taken;
  if (auto known = knownPlaces(op)) {
    std::tie(found, taken) = *known;
  } else {
    std::tie(found, count) = places(op, condition);
    taken = countSize(op, count, op.size(condition, 0));
  }
  Sizes sizes = op.sizes(x);
  sizes[axis] = taken;
  return op.result(op.generate(sizes, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> from(at);
    Value zero = nb.create<arith::ConstantIndexOp>(op.loc, 0);
    Value place = nb.create<tensor::ExtractOp>(op.loc, found.value, ValueRange{zero, at[axis]});
    from[axis] = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), place, toValue(nb, op.loc, length), false);
    return nb.create<tensor::ExtractOp>(op.loc, x.value, from);
  }));
}
} // namespace

void register_non_zero(Registry &registry) {
  registry.onOp("NonZero", {9, 13}, "X[_*]", lowerNonZero);
  registry.onOp("Compress", {9, 11, 28}, "input[_*] condition[_] axis@input", lowerCompress);
}

} // namespace sinter
