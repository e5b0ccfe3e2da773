// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather, GatherElements, GatherND: elements of data at indices from data, each checked against its dim.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

Value indexAt(const Op &op, OpBuilder &nb, Tensor indices, ValueRange at, Size size) {
  Value index = nb.create<tensor::ExtractOp>(op.loc, indices.value, at);
  return nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), index, toValue(nb, op.loc, size), true);
}

/// Constant indices that count up, so one of them at least, as a slice: a view. None where they do anything else, or
/// may lie outside.
std::optional<Tensor> gatherSlice(const Op &op, Tensor x, int64_t axis, const Sizes &sizes) {
  std::optional<SmallVector<int64_t>> indices = op.constantIntegers(1);
  std::optional<int64_t> size = constantOf(op.size(x, axis));
  if (!indices || indices->empty() || !size)
    return std::nullopt;
  for (int64_t &index : *indices) {
    if (index < -*size || index >= *size)
      return std::nullopt;
    index += index < 0 ? *size : 0;
  }
  for (auto [i, index] : llvm::enumerate(*indices))
    if (index != indices->front() + static_cast<int64_t>(i))
      return std::nullopt;
  Sizes offsets(x.rank(), sizeOf(op.b, 0)), taken = op.sizes(x), steps(x.rank(), sizeOf(op.b, 1));
  offsets[axis] = sizeOf(op.b, indices->front());
  taken[axis] = sizeOf(op.b, static_cast<int64_t>(indices->size()));
  return op.reshape(op.slice(x, offsets, taken, steps), sizes);
}

LogicalResult lowerGather(Op &op) {
  Tensor x = op.input(0), indices = op.input(1);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), x.rank());
  if (failed(axis))
    return failure();
  Sizes own = op.sizes(x), picked = op.sizes(indices), sizes(own.begin(), own.begin() + *axis);
  sizes.append(picked);
  sizes.append(own.begin() + *axis + 1, own.end());
  if (std::optional<Tensor> slice = gatherSlice(op, x, *axis, sizes))
    return op.result(*slice);
  return op.result(op.generate(sizes, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> from(at.take_front(*axis));
    from.push_back(indexAt(op, nb, indices, at.slice(*axis, indices.rank()), own[*axis]));
    llvm::append_range(from, at.drop_front(*axis + indices.rank()));
    return nb.create<tensor::ExtractOp>(op.loc, x.value, from);
  }));
}

LogicalResult lowerGatherElements(Op &op) {
  Tensor x = op.input(0), indices = op.input(1);
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 0), x.rank());
  if (failed(axis))
    return failure();
  if (x.rank() != indices.rank())
    return op.fail(Code::ShapeMismatch, "'data' has rank " + Twine(x.rank()) + ", 'indices' " + Twine(indices.rank()));
  for (int64_t d = 0; d < x.rank(); ++d) {
    std::optional<int64_t> have = constantOf(op.size(x, d)), want = constantOf(op.size(indices, d));
    if (d != *axis && have && want && *want > *have)
      return op.fail(Code::ShapeMismatch, "'indices' is larger than 'data' in dim " + Twine(d));
  }
  Sizes own = op.sizes(x);
  return op.result(op.generate(op.sizes(indices), x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> from(at);
    from[*axis] = indexAt(op, nb, indices, at, own[*axis]);
    return nb.create<tensor::ExtractOp>(op.loc, x.value, from);
  }));
}

LogicalResult lowerGatherND(Op &op) {
  Tensor x = op.input(0), indices = op.input(1);
  int64_t batch = op.integer("batch_dims", 0), outer = indices.rank() - 1;
  std::optional<int64_t> length = outer >= 0 ? constantOf(op.size(indices, outer)) : std::nullopt;
  if (!length)
    return op.fail(Code::ShapeNotConstant, "the last dim of 'indices' is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  if (batch < 0 || batch > outer || batch + *length > x.rank())
    return op.fail(Code::ShapeMismatch,
                   "indices of length " + Twine(*length) + " do not fit data of rank " + Twine(x.rank()));
  Sizes own = op.sizes(x), sizes = op.sizes(indices);
  sizes.pop_back();
  sizes.append(own.begin() + batch + *length, own.end());
  return op.result(op.generate(sizes, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> from(at.take_front(batch)), place(at.take_front(outer));
    place.push_back(nullptr);
    for (int64_t k = 0; k < *length; ++k) {
      place.back() = nb.create<arith::ConstantIndexOp>(op.loc, k);
      from.push_back(indexAt(op, nb, indices, place, own[batch + k]));
    }
    llvm::append_range(from, at.drop_front(outer));
    return nb.create<tensor::ExtractOp>(op.loc, x.value, from);
  }));
}
} // namespace

void register_gather(Registry &registry) {
  registry.onOp("Gather", {1, 11, 13}, "data[_*] indices[I*] axis@data {dim(data,or(axis,0))=0}product(I)=0",
                lowerGather);
  registry.onOp("GatherElements", {11, 13},
                "data[A:or(axis,0),_,B*] indices[P:or(axis,0),J,Q*] rank(indices)=rank(data) P<=A Q<=B "
                "{dim(data,or(axis,0))=0}product(P)*J*product(Q)=0",
                lowerGatherElements);
  registry.onOp("GatherND", {11, 12, 13},
                "batch_dims>=0 data[B:or(batch_dims,0),D*] indices[B:or(batch_dims,0),_*,L] L<=#D", lowerGatherND);
}

} // namespace sinter
