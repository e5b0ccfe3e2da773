// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime_sizes.h"

#include "builders/scalars.h"
#include "conversion.h"
#include "ir/dim_bounds.h"
#include "missing_bounds.h"
#include "size_relation.h"

using namespace mlir;

namespace sinter {

Size within(const Tensors &t, Size size, Size most) {
  auto range = rangeOf(size);
  if (range && range->first >= 0)
    return size;
  auto limit = rangeOf(most);
  return t.b.create<BoundOp>(t.loc, t.b.getIndexType(), toValue(t.b, t.loc, size), 0, limit ? limit->second : 0)
      .getResult();
}

std::optional<int64_t> statedBound(const Op &op, unsigned output) {
  std::string key = placeOf(op.node).node + ":" + std::to_string(output);
  auto found = op.conversion.bounds.find(key);
  if (found == op.conversion.bounds.end())
    return std::nullopt;
  found->second.isUsed = true;
  return found->second.most;
}

LogicalResult failWithoutBound(const Op &op, unsigned output, const Twine &what) {
  std::string hint = "--bound " + placeOf(op.node).node + ":" + std::to_string(output) + "=N";
  if (lacksBound(op.conversion.diagnostics, hint))
    return failure();
  return op.fail(Code::SizeWithoutBound, what, hint);
}

bool dependsOnData(Size size) {
  SmallVector<Value> worklist;
  if (auto value = dyn_cast<Value>(size))
    worklist.push_back(value);
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op)
      return true;
    if (!seen.insert(op).second || isa<DimOp>(op))
      continue;
    if (!isa<affine::AffineDialect, arith::ArithDialect>(op->getDialect()))
      return true;
    llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

Tensor heldToStatedBound(const Op &op, Tensor y, unsigned output) {
  Sizes sizes = op.sizes(y);
  std::optional<int64_t> stated;
  bool changes = false;
  for (Size &size : sizes) {
    if (!dependsOnData(size))
      continue;
    if (!stated) {
      op.conversion.boundable.push_back(placeOf(op.node).node + ":" + std::to_string(output));
      stated = statedBound(op, output);
    }
    auto range = rangeOf(size);
    if (!stated || (range && range->second <= *stated))
      continue;
    size = op.b.create<BoundOp>(op.loc, op.b.getIndexType(), toValue(op.b, op.loc, size), 0, *stated).getResult();
    changes = true;
  }
  SmallVector<Size> zeros(sizes.size(), sizeOf(op.b, 0)), ones(sizes.size(), sizeOf(op.b, 1));
  return changes ? op.slice(y, zeros, sizes, ones) : y;
}

FailureOr<Sizes> boundedSizes(const Op &op, ArrayRef<Size> sizes, unsigned output) {
  Sizes result(sizes);
  for (auto [i, size] : llvm::enumerate(result)) {
    auto range = rangeOf(size);
    if (range && range->first >= 0)
      continue;
    if (std::optional<int64_t> fixed = constantOf(size))
      return op.fail(Code::ShapeMismatch, "size " + Twine(*fixed) + " of dim " + Twine(i) + " is negative");
    std::optional<int64_t> stated = statedBound(op, output);
    auto declared =
        output < op.outputCount() ? dyn_cast<RankedTensorType>(op.node.getResult(output).getType()) : nullptr;
    if (!stated && declared && declared.getRank() == static_cast<int64_t>(result.size()) && !declared.isDynamicDim(i))
      stated = declared.getDimSize(i);
    if (!stated && range) { // an expression of dims that may become negative
      size =
          op.b.create<BoundOp>(op.loc, op.b.getIndexType(), toValue(op.b, op.loc, size), 0, range->second).getResult();
      continue;
    }
    if (!stated)
      (void)failWithoutBound(
          op, output, "dim " + Twine(i) + " of output " + Twine(output) + " depends on run-time data and has no bound");
    stated = stated.value_or(assumedBound);
    size = op.b.create<BoundOp>(op.loc, op.b.getIndexType(), toValue(op.b, op.loc, size), 0, *stated).getResult();
  }
  return result;
}

std::optional<Sizes> declaredSizes(const Op &op, unsigned output) {
  auto declared = dyn_cast<RankedTensorType>(op.node.getResult(output).getType());
  if (!declared || !declared.hasStaticShape())
    return std::nullopt;
  return sizesOf(op.b, declared.getShape());
}

std::optional<Tensor> reshapedAsDeclared(const Op &op, Tensor x, unsigned axes) {
  if (!op.has(axes) || op.constantIntegers(axes))
    return std::nullopt;
  if (std::optional<Sizes> declared = declaredSizes(op)) {
    Holds fits = relationHolds(op, "=", product(op.b, op.loc, op.sizes(x)), product(op.b, op.loc, *declared));
    if (fits.kind == Holds::AtRunTime)
      require(op, fits.condition, "the declared shape fits");
    if (fits.kind != Holds::No)
      return op.reshape(x, *declared);
  }
  return std::nullopt;
}

Size chosen(const Tensors &t, Value condition, Size x, Size y) {
  return t.b.createOrFold<arith::SelectOp>(t.loc, condition, toValue(t.b, t.loc, x), toValue(t.b, t.loc, y));
}

Size valueForAxis(const Tensors &t, ArrayRef<Size> values, ArrayRef<Size> axes, int64_t dim, int64_t rank,
                  Size fallback) {
  Size result = fallback;
  for (auto [value, axis] : llvm::zip(values, axes)) {
    if (std::optional<int64_t> fixed = constantOf(axis)) {
      result = *fixed == dim || *fixed + rank == dim ? value : result;
      continue;
    }
    Value a = toValue(t.b, t.loc, axis), same, sameFromEnd;
    same =
        t.b.create<arith::CmpIOp>(t.loc, arith::CmpIPredicate::eq, a, t.b.create<arith::ConstantIndexOp>(t.loc, dim));
    sameFromEnd = t.b.create<arith::CmpIOp>(t.loc, arith::CmpIPredicate::eq, a,
                                            t.b.create<arith::ConstantIndexOp>(t.loc, dim - rank));
    result = chosen(t, t.b.create<arith::OrIOp>(t.loc, same, sameFromEnd), value, result);
  }
  return result;
}

Size countSize(const Tensors &t, Tensor count, Size capacity) {
  Value read = t.b.create<tensor::ExtractOp>(t.loc, count.value, ValueRange());
  Value index = t.b.create<arith::IndexCastOp>(t.loc, t.b.getIndexType(), read);
  return within(t, index, capacity);
}

Tensor takeFirst(const Tensors &t, Tensor atCapacity, Size count, int64_t axis) {
  Sizes sizes = t.sizes(atCapacity);
  sizes[axis] = count;
  SmallVector<Size> zeros(sizes.size(), sizeOf(t.b, 0)), ones(sizes.size(), sizeOf(t.b, 1));
  return t.slice(atCapacity, zeros, sizes, ones);
}

Tensor takeCount(const Tensors &t, Tensor atCapacity, Tensor count, int64_t axis) {
  return takeFirst(t, atCapacity, countSize(t, count, t.size(atCapacity, axis)), axis);
}

bool certainlyNonNegative(Size x) {
  auto range = rangeOf(x);
  return range && range->first >= 0;
}

bool certainlyAtMost(const Tensors &t, Size x, Size y) {
  if (sameSize(x, y))
    return true;
  return DimBounds().ofDifference(y, x).low >= 0;
}

Size clampedIndex(const Tensors &t, Size index, Size size, int64_t low, int64_t high) {
  Size top = add(t.b, t.loc, size, sizeOf(t.b, high)), bottom = sizeOf(t.b, low);
  std::optional<int64_t> fixed = constantOf(index);
  // Starts and ends such as INT64_MAX would overflow in index arithmetic; no dim is that large.
  constexpr int64_t far = int64_t(1) << 48;
  if (fixed && *fixed >= far)
    return top;
  if (fixed && *fixed <= -far)
    return bottom;
  auto range = rangeOf(index);
  if (range && range->second < 0) {
    index = add(t.b, t.loc, index, size);
  } else if (!range || range->first < 0) {
    Value i = toValue(t.b, t.loc, index), zero = t.b.create<arith::ConstantIndexOp>(t.loc, 0);
    Value negative = t.b.create<arith::CmpIOp>(t.loc, arith::CmpIPredicate::slt, i, zero);
    Value shifted = t.b.create<arith::AddIOp>(t.loc, i, toValue(t.b, t.loc, size));
    index = t.b.create<arith::SelectOp>(t.loc, negative, shifted, i).getResult();
  }
  if (!certainlyAtMost(t, index, top))
    index = minimum(t.b, t.loc, index, top);
  if (!certainlyAtMost(t, bottom, index))
    index = maximum(t.b, t.loc, index, bottom);
  return index;
}

Tensor neverEmpty(const Tensors &t, Tensor x, ArrayRef<int64_t> dims) {
  Sizes sizes = t.sizes(x), none(x.rank(), sizeOf(t.b, 0)), one = none;
  bool mayBeEmpty = false;
  for (int64_t d : dims)
    if (auto range = rangeOf(sizes[d]); !range || range->first <= 0) {
      one[d] = sizeOf(t.b, 1);
      mayBeEmpty = true;
    }
  if (!mayBeEmpty)
    return x;
  return t.pad(x, none, one, narrow(t.b, t.loc, x.element, Scalars{t.b, t.loc, x.element}.constant(0)));
}

Tensor neverEmpty(const Tensors &t, Tensor x) {
  return neverEmpty(t, x, llvm::to_vector(llvm::seq<int64_t>(0, x.rank())));
}

} // namespace sinter
