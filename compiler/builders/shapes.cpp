// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape operations of Tensors: views (reshape, slice) and data movement (transpose, concat, pad, flip).
#include "tensors.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;

namespace sinter {
namespace {

RankedTensorType withSizes(RankedTensorType type, ArrayRef<Size> sizes) {
  return RankedTensorType::get(staticShape(sizes), type.getElementType());
}

/// All dims as one group: how a tensor becomes a vector and back.
SmallVector<ReassociationIndices> oneGroup(int64_t rank) {
  if (rank == 0)
    return {};
  return {llvm::to_vector_of<int64_t>(llvm::seq<int64_t>(0, rank))};
}

/// Groups of consecutive dims of `fine` that multiply to each dim of `coarse`, sizes compared as values; nothing if
/// there are none.
std::optional<SmallVector<ReassociationIndices>> groupsOf(OpBuilder &b, Location loc, ArrayRef<Size> coarse,
                                                          ArrayRef<Size> fine) {
  SmallVector<ReassociationIndices> groups;
  size_t next = 0;
  if (coarse.empty() || coarse.size() >= fine.size())
    return std::nullopt;
  for (size_t c = 0; c < coarse.size(); ++c) {
    ReassociationIndices group;
    Size have = sizeOf(b, 1);
    while (next < fine.size() && (group.empty() || !sameSize(have, coarse[c]))) {
      group.push_back(next);
      have = mul(b, loc, have, fine[next++]);
    }
    // 0 is a product of 0 and of sizes known at run time too, which types of groups cannot say.
    bool isMixed = constantOf(coarse[c]) && llvm::any_of(group, [&](int64_t d) { return !constantOf(fine[d]); });
    if (group.empty() || isMixed || !sameSize(have, coarse[c]))
      return std::nullopt;
    groups.push_back(group);
  }
  while (next < fine.size() && constantOf(fine[next]) == 1)
    groups.back().push_back(next++);
  return next == fine.size() ? std::optional(groups) : std::nullopt;
}

/// For an expand_shape that only puts in dims of size 1: each result dim's source dim, -1 for those put in.
std::optional<SmallVector<int64_t>> unitExpansion(tensor::ExpandShapeOp expand) {
  SmallVector<int64_t> sources;
  ArrayRef<int64_t> shape = expand.getType().getShape();
  for (auto [source, group] : llvm::enumerate(expand.getReassociationIndices())) {
    int64_t others = llvm::count_if(group, [&](int64_t d) { return shape[d] != 1; });
    if (others > 1)
      return std::nullopt;
    bool taken = false;
    for (int64_t d : group) {
      bool isSource = !taken && (shape[d] != 1 || (others == 0 && d == group.back()));
      taken |= isSource;
      sources.push_back(isSource ? static_cast<int64_t>(source) : -1);
    }
  }
  return static_cast<int64_t>(sources.size()) == expand.getType().getRank() ? std::optional(sources) : std::nullopt;
}

/// The order of a collapsed tensor's own dims where its groups move as `permutation` says.
SmallVector<int64_t> orderOfGroups(tensor::CollapseShapeOp joined, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> order;
  SmallVector<ReassociationIndices> groups = joined.getReassociationIndices();
  for (int64_t p : permutation)
    llvm::append_range(order, groups[p]);
  return order;
}

template <class T>
SmallVector<T> permuted(ArrayRef<T> list, ArrayRef<int64_t> permutation) {
  SmallVector<T> result;
  for (int64_t p : permutation)
    result.push_back(list[p]);
  return result;
}

Value castToType(OpBuilder &b, Location loc, Value value, RankedTensorType type) {
  return value.getType() == type ? value : b.create<tensor::CastOp>(loc, type, value).getResult();
}

/// Of x, a transpose of collapsed groups of dims: x reshaped, as a transpose of the dims themselves, where the new
/// sizes tell the groups apart again.
std::optional<Tensor> groupsApart(const Tensors &t, Tensor x, ArrayRef<Size> newSizes) {
  auto moved = x.value.getDefiningOp<linalg::TransposeOp>();
  auto joined = moved ? moved.getInput().getDefiningOp<tensor::CollapseShapeOp>() : nullptr;
  if (!joined || static_cast<int64_t>(newSizes.size()) <= x.rank())
    return std::nullopt;
  Tensor apart{joined.getSrc(), x.element};
  SmallVector<int64_t> order = orderOfGroups(joined, moved.getPermutation());
  Sizes fine = permuted<Size>(t.sizes(apart), order);
  bool isSame = fine.size() == newSizes.size() && llvm::all_of(llvm::zip(fine, newSizes), [](auto p) {
                  return sameSize(std::get<0>(p), std::get<1>(p));
                });
  if (!isSame && !groupsOf(t.b, t.loc, newSizes, fine))
    return std::nullopt;
  return t.reshape(t.transpose(apart, order), newSizes);
}
} // namespace

Tensor Tensors::reshape(Tensor x, ArrayRef<Size> newSizes) const {
  // A reshape of a reshape is one of what came first, which may be the answer.
  while (Operation *op = x.value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    x.value = op->getOperand(0);
  }
  Sizes old = sizes(x);
  if (old.size() == newSizes.size() &&
      llvm::all_of(llvm::zip(old, newSizes), [](auto p) { return sameSize(std::get<0>(p), std::get<1>(p)); }))
    return x;
  if (std::optional<Tensor> apart = groupsApart(*this, x, newSizes))
    return *apart;
  RankedTensorType type = withSizes(x.type(), newSizes);
  if (auto groups = groupsOf(b, loc, old, newSizes))
    return {b.create<tensor::ExpandShapeOp>(loc, type, x.value, *groups, newSizes), x.element};
  if (auto groups = groupsOf(b, loc, newSizes, old)) {
    Value collapsed = b.create<tensor::CollapseShapeOp>(loc, x.value, *groups);
    return {castToType(b, loc, collapsed, type), x.element};
  }
  Value flat = x.rank() == 1 ? x.value : nullptr;
  Size total = product(b, loc, newSizes);
  auto flatType = RankedTensorType::get(
      type.hasStaticShape() ? staticShape({total}) : SmallVector<int64_t>{ShapedType::kDynamic}, type.getElementType());
  if (x.rank() == 0)
    flat = b.create<tensor::ExpandShapeOp>(loc, RankedTensorType::get({1}, type.getElementType()), x.value, oneGroup(0),
                                           ArrayRef<Size>{sizeOf(b, 1)});
  else if (!flat)
    flat = b.create<tensor::CollapseShapeOp>(loc, x.value, oneGroup(x.rank()));
  if (newSizes.size() == 1)
    return {castToType(b, loc, flat, type), x.element};
  if (newSizes.empty()) {
    auto one = RankedTensorType::get({1}, type.getElementType());
    return {b.create<tensor::CollapseShapeOp>(loc, type, castToType(b, loc, flat, one), oneGroup(0)), x.element};
  }
  flat = castToType(b, loc, flat, flatType);
  return {b.create<tensor::ExpandShapeOp>(loc, type, flat, oneGroup(newSizes.size()), newSizes), x.element};
}

Tensor Tensors::transpose(Tensor x, ArrayRef<int64_t> permutation) const {
  if (auto inner = x.value.getDefiningOp<linalg::TransposeOp>())
    return transpose({inner.getInput(), x.element}, permuted(inner.getPermutation(), permutation));
  // Groups that go back to where another transpose took them from.
  if (auto joined = x.value.getDefiningOp<tensor::CollapseShapeOp>())
    if (auto inner = joined.getSrc().getDefiningOp<linalg::TransposeOp>()) {
      SmallVector<int64_t> whole = permuted(inner.getPermutation(), orderOfGroups(joined, permutation));
      if (llvm::equal(whole, llvm::seq<int64_t>(0, whole.size())))
        return reshape({inner.getInput(), x.element}, permuted<Size>(sizes(x), permutation));
    }
  // Through dims of size 1 that a reshape put in: the order of the others is all that moves.
  if (auto expand = x.value.getDefiningOp<tensor::ExpandShapeOp>())
    if (std::optional<SmallVector<int64_t>> sources = unitExpansion(expand)) {
      Sizes all = sizes(x), moved;
      SmallVector<int64_t> order;
      for (int64_t p : permutation) {
        moved.push_back(all[p]);
        if ((*sources)[p] >= 0)
          order.push_back((*sources)[p]);
      }
      return reshape(transpose({expand.getSrc(), x.element}, order), moved);
    }
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, x.rank())))
    return x;
  Sizes old = sizes(x), moved;
  for (int64_t p : permutation)
    moved.push_back(old[p]);
  // Moving only dims of size 1 moves no data.
  SmallVector<int64_t> real;
  for (int64_t p : permutation)
    if (constantOf(old[p]) != 1)
      real.push_back(p);
  if (llvm::is_sorted(real))
    return reshape(x, moved);
  Tensor init = empty(moved, x.element);
  return {b.create<linalg::TransposeOp>(loc, x.value, init.value, permutation).getResult()[0], x.element};
}

Tensor Tensors::broadcastTo(Tensor x, ArrayRef<Size> target) const {
  // An empty tensor of the target's shape gives the index space; only x is read.
  Sizes own = sizes(x);
  if (own.size() == target.size() &&
      llvm::all_of(llvm::zip(own, target), [](auto p) { return sameSize(std::get<0>(p), std::get<1>(p)); }))
    return x;
  int64_t rank = target.size();
  return generate(target, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> index;
    for (int64_t i = 0; i < x.rank(); ++i) {
      Value coordinate = at[rank - x.rank() + i];
      Value zero = nb.create<arith::ConstantIndexOp>(loc, 0);
      if (constantOf(own[i]) == 1) {
        coordinate = zero;
      } else if (!sameSize(own[i], target[rank - x.rank() + i]) && !constantOf(own[i])) {
        Value one = nb.create<arith::ConstantIndexOp>(loc, 1);
        Value isOne = nb.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, toValue(nb, loc, own[i]), one);
        coordinate = nb.create<arith::SelectOp>(loc, isOne, zero, coordinate);
      }
      index.push_back(coordinate);
    }
    return nb.create<tensor::ExtractOp>(loc, x.value, index);
  });
}

Tensor Tensors::slice(Tensor x, ArrayRef<Size> offsets, ArrayRef<Size> newSizes, ArrayRef<Size> strides) const {
  auto type = withSizes(x.type(), newSizes);
  return {b.create<tensor::ExtractSliceOp>(loc, type, x.value, offsets, newSizes, strides), x.element};
}

Tensor Tensors::concat(ArrayRef<Tensor> inputs, int64_t axis) const {
  SmallVector<Value> values;
  for (Tensor x : inputs)
    if (constantOf(size(x, axis)) != 0)
      values.push_back(x.value);
  if (values.empty())
    return inputs.front();
  if (values.size() == 1)
    return {values.front(), inputs.front().element};
  // Every dim but the axis is the same: the most static type wins, so that concat's verifier agrees.
  Sizes common = dimsOf(b, loc, values.front());
  for (Value value : values)
    for (auto [have, other] : llvm::zip(common, dimsOf(b, loc, value)))
      if (!constantOf(have) && constantOf(other))
        have = other;
  Size total = sizeOf(b, 0);
  for (Value &value : values) {
    Sizes own = common;
    own[axis] = dimOf(b, loc, value, axis);
    total = add(b, loc, total, own[axis]);
    value = castToType(b, loc, value, withSizes(inputs.front().type(), own));
  }
  common[axis] = total;
  return {b.create<tensor::ConcatOp>(loc, withSizes(inputs.front().type(), common), axis, values),
          inputs.front().element};
}

Tensor Tensors::pad(Tensor x, ArrayRef<Size> low, ArrayRef<Size> high, Value scalar) const {
  Sizes own = sizes(x), padded;
  for (int64_t i = 0; i < x.rank(); ++i)
    padded.push_back(add(b, loc, add(b, loc, own[i], low[i]), high[i]));
  if (llvm::all_of(llvm::zip(own, padded), [](auto p) { return sameSize(std::get<0>(p), std::get<1>(p)); }))
    return x;
  Tensor background = filled(padded, x.element, scalar);
  SmallVector<Size> ones(x.rank(), sizeOf(b, 1));
  return {b.create<tensor::InsertSliceOp>(loc, x.value, background.value, SmallVector<Size>(low), own, ones),
          x.element};
}

Tensor Tensors::unsqueeze(Tensor x, ArrayRef<int64_t> axes) const {
  Sizes old = sizes(x), result;
  int64_t rank = x.rank() + axes.size(), next = 0;
  for (int64_t i = 0; i < rank; ++i)
    result.push_back(llvm::is_contained(axes, i) ? sizeOf(b, 1) : old[next++]);
  return reshape(x, result);
}

Tensor Tensors::squeeze(Tensor x, ArrayRef<int64_t> axes) const {
  Sizes result;
  for (auto [i, size] : llvm::enumerate(sizes(x)))
    if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
      result.push_back(size);
  return reshape(x, result);
}

Tensor Tensors::flip(Tensor x, ArrayRef<int64_t> axes) const {
  Sizes own = sizes(x);
  return generate(own, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> index(at);
    for (int64_t axis : axes) {
      Value last = toValue(nb, loc, sub(nb, loc, own[axis], sizeOf(nb, 1)));
      index[axis] = nb.create<arith::SubIOp>(loc, last, at[axis]);
    }
    return nb.create<tensor::ExtractOp>(loc, x.value, index);
  });
}

} // namespace sinter
