// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "meeting.h"

#include "runtime_sizes.h"

using namespace mlir;

namespace sinter {

std::optional<Size> hoisted(Size size, Operation *op) {
  if (constantOf(size))
    return size;
  SmallVector<Operation *> chain;
  llvm::SmallDenseSet<Operation *> seen;
  // Post-order over the ops inside `op` that make the value.
  std::function<bool(Value)> visit = [&](Value value) {
    Operation *maker = value.getDefiningOp();
    Operation *owner = maker ? maker : value.getParentBlock()->getParentOp();
    if (!op->isAncestor(owner) || (maker && maker == op))
      return maker != op;
    if (!maker || maker->getNumRegions() || !isPure(maker) || isa<tensor::ExtractOp, tensor::DimOp>(maker))
      return false;
    if (!seen.insert(maker).second)
      return true;
    if (!llvm::all_of(maker->getOperands(), visit))
      return false;
    chain.push_back(maker);
    return true;
  };
  if (!visit(cast<Value>(size)))
    return std::nullopt;
  for (Operation *maker : chain)
    maker->moveBefore(op);
  return size;
}

std::optional<int64_t> statedCapacity(const Op &op, unsigned output, int64_t d, int64_t rank) {
  if (std::optional<int64_t> stated = statedBound(op, output))
    return stated;
  auto declared = dyn_cast<RankedTensorType>(op.node.getResult(output).getType());
  if (declared && declared.getRank() == rank && !declared.isDynamicDim(d))
    return declared.getDimSize(d);
  return std::nullopt;
}

FailureOr<Meeting> Meeting::of(const Op &op, unsigned output, ArrayRef<PathSizes> paths, ArrayRef<Tensor> tensors,
                               bool inductive) {
  Meeting meeting;
  meeting.element = tensors.front().element;
  meeting.stored = tensors.front().type().getElementType();
  size_t rank = paths.front().size();
  for (auto [sizes, tensor] : llvm::zip(paths, tensors)) {
    assert(sizes.size() == rank && "a form has one rank");
    if (tensor.element != meeting.element)
      return op.fail(Code::ShapeMismatch,
                     "output " + Twine(output) + " has different element types on different paths");
  }
  for (size_t d = 0; d < rank; ++d) {
    bool same = llvm::all_of(paths, [&](const PathSizes &sizes) {
      return sizes[d] && paths.front()[d] && sameSize(*sizes[d], *paths.front()[d]);
    });
    meeting.varying.push_back(!same);
    if (same) {
      meeting.capacity.push_back(*paths.front()[d]);
      continue;
    }
    int64_t most = 0, first = 0;
    bool known = true;
    for (auto [k, tensor] : llvm::enumerate(tensors)) {
      auto range = rangeOf(op.size(tensor, d));
      known &= range.has_value();
      most = std::max(most, range ? range->second : 0);
      first = k == 0 ? most : first;
    }
    known &= !inductive || most == first;
    std::optional<int64_t> stated = statedCapacity(op, output, d, rank);
    if (stated && (!known || *stated < most))
      most = *stated;
    else if (!known)
      return failWithoutBound(
          op, output, "dim " + Twine(d) + " of output " + Twine(output) + " changes at run time and has no bound");
    meeting.capacity.push_back(sizeOf(op.b, most));
  }
  return meeting;
}

SmallVector<Type> Meeting::types() const {
  SmallVector<Type> result{RankedTensorType::get(staticShape(capacity), stored)};
  result.append(llvm::count(varying, true), IndexType::get(stored.getContext()));
  return result;
}

Tensor Meeting::buffer(OpBuilder &b, Location loc) const { return Tensors{b, loc}.empty(capacity, element); }

SmallVector<Value> Meeting::store(OpBuilder &b, Location loc, Tensor value, Value into) const {
  if (!varies()) {
    Value same = handOn(b, loc, value, into).front();
    return {b.create<bufferization::MaterializeInDestinationOp>(loc, same, into).getResult()};
  }
  return handOn(b, loc, value, into);
}

SmallVector<Value> Meeting::handOn(OpBuilder &b, Location loc, Tensor value, Value into) const {
  Tensors t{b, loc};
  if (!varies())
    return {asType(b, loc, value.value, types().front())};
  Sizes sizes = t.sizes(value), zeros(sizes.size(), sizeOf(b, 0)), ones(sizes.size(), sizeOf(b, 1));
  for (auto [size, most, varied] : llvm::zip(sizes, capacity, varying))
    if (varied && !certainlyAtMost(t, size, most))
      size = b.create<BoundOp>(loc, b.getIndexType(), toValue(b, loc, size), 0, *constantOf(most)).getResult();
  Value narrowed = t.slice(value, zeros, sizes, ones).value;
  SmallVector<Value> result{b.create<tensor::InsertSliceOp>(loc, narrowed, into, zeros, sizes, ones)};
  for (auto [size, varied] : llvm::zip(sizes, varying))
    if (varied)
      result.push_back(toValue(b, loc, size));
  return result;
}

Tensor Meeting::load(OpBuilder &b, Location loc, ValueRange values) const {
  Tensor whole{values.front(), element};
  bool isStatic = llvm::all_of(capacity, [](Size s) { return constantOf(s).has_value(); });
  if (!varies() && isStatic)
    return whole;
  Sizes sizes = capacity;
  unsigned next = 1;
  for (auto [size, varied] : llvm::zip(sizes, varying))
    if (varied)
      size = b.create<BoundOp>(loc, b.getIndexType(), values[next++], 0, *constantOf(size)).getResult();
  SmallVector<Size> zeros(sizes.size(), sizeOf(b, 0)), ones(sizes.size(), sizeOf(b, 1));
  return Tensors{b, loc}.slice(whole, zeros, sizes, ones);
}

Region *subgraph(const Op &op, StringRef name) {
  if (std::optional<ArrayAttr> graphs = op.node.getGraphs())
    for (auto [i, graph] : llvm::enumerate(*graphs))
      if (cast<StringAttr>(graph) == name)
        return &op.node.getBodies()[i];
  return nullptr;
}

Value onlyElement(OpBuilder &b, Location loc, Tensor x) {
  SmallVector<Value> zeros;
  for (int64_t i = 0; i < x.rank(); ++i)
    zeros.push_back(b.create<arith::ConstantIndexOp>(loc, 0));
  return b.create<tensor::ExtractOp>(loc, x.value, zeros);
}

Value asType(OpBuilder &b, Location loc, Value tensor, Type type) {
  return tensor.getType() == type ? tensor : b.create<tensor::CastOp>(loc, type, tensor).getResult();
}

Tensor rankZero(OpBuilder &b, Location loc, ElementType element, Value scalar) {
  auto type = RankedTensorType::get({}, storageType(element, b.getContext()));
  return {b.create<tensor::FromElementsOp>(loc, type, scalar), element};
}

} // namespace sinter
