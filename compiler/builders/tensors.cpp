// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop nests: elementwise with broadcasting, generate, reduce. Shape operations: shapes.cpp.
#include "tensors.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace sinter {

using utils::IteratorType;

Tensor Tensors::empty(ArrayRef<Size> sizes, ElementType element) const {
  return {b.create<tensor::EmptyOp>(loc, sizes, storageType(element, b.getContext())), element};
}

Tensor Tensors::filled(ArrayRef<Size> sizes, ElementType element, Value scalar) const {
  return {b.create<linalg::FillOp>(loc, scalar, empty(sizes, element).value).getResult(0), element};
}

Tensor Tensors::scalar(ElementType element, double value) const {
  Value stored = narrow(b, loc, element, Scalars{b, loc, element}.constant(value));
  return filled({}, element, stored);
}

Tensor Tensors::integers(ArrayRef<int64_t> values) const {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, b.getI64Type());
  return {b.create<arith::ConstantOp>(loc, DenseIntElementsAttr::get(type, values)), ElementType::Int64};
}

Tensor Tensors::fromElements(ElementType element, ArrayRef<Value> scalars) const {
  auto type = RankedTensorType::get({static_cast<int64_t>(scalars.size())}, storageType(element, b.getContext()));
  return {b.create<tensor::FromElementsOp>(loc, type, scalars), element};
}

Tensor Tensors::fromSizes(ArrayRef<Size> sizes) const {
  if (llvm::all_of(sizes, [](Size s) { return constantOf(s).has_value(); }))
    return integers(llvm::map_to_vector(sizes, [](Size s) { return *constantOf(s); }));
  SmallVector<Value> scalars;
  for (Size size : sizes)
    scalars.push_back(b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), toValue(b, loc, size)));
  return fromElements(ElementType::Int64, scalars);
}

/// What two run-time sizes make that are equal, or one of them is 1: the larger one, unless the other is 0.
static Size eitherSize(OpBuilder &b, Location loc, Size x, Size y) {
  auto isPositive = [](Size size) {
    auto range = rangeOf(size);
    return range && range->first > 0;
  };
  if (isPositive(x) && isPositive(y))
    return maximum(b, loc, x, y);
  Value one = b.create<arith::ConstantIndexOp>(loc, 1), first = toValue(b, loc, x);
  Value isOne = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, first, one);
  return b.createOrFold<arith::SelectOp>(loc, isOne, toValue(b, loc, y), first);
}

std::optional<Sizes> Tensors::broadcastSizes(ArrayRef<Tensor> inputs) const {
  int64_t rank = 0;
  for (Tensor x : inputs)
    rank = std::max(rank, x.rank());
  Sizes result(rank, sizeOf(b, 1));
  for (Tensor x : inputs)
    for (int64_t i = 0; i < x.rank(); ++i) {
      Size &out = result[rank - x.rank() + i];
      Size in = size(x, i);
      std::optional<int64_t> fixedIn = constantOf(in), fixedOut = constantOf(out);
      if (sameSize(in, out) || fixedIn == 1)
        continue;
      if (fixedOut == 1 || (fixedIn && !fixedOut)) {
        out = in; // a run-time size meeting a number is that number, or 1
        continue;
      }
      if (fixedIn && fixedOut)
        return std::nullopt;
      if (!fixedIn && !fixedOut)
        out = eitherSize(b, loc, in, out);
    }
  return result;
}

namespace {
/// True if dim `in` of an operand may be 1 where the result's `out` is not, only known at run time.
bool mayBroadcast(Size in, Size out) {
  if (sameSize(in, out) || constantOf(in))
    return false;
  auto range = rangeOf(in);
  return !range || range->first <= 1;
}
} // namespace

/// Operands that do not broadcast, though that was asked for: their sizes, once run-time ones, have turned out to be
/// numbers since. No call gets here; check-assertions refuses the model.
Tensor Tensors::contradiction(ArrayRef<Tensor> inputs, ElementType out) const {
  b.create<cf::AssertOp>(loc, b.create<arith::ConstantIntOp>(loc, 0, 1), "the operands fit each other");
  const Tensor *widest = llvm::max_element(inputs, [](Tensor x, Tensor y) { return x.rank() < y.rank(); });
  return empty(sizes(*widest), out);
}

Tensor Tensors::mapped(ArrayRef<Tensor> inputs, ElementType out, bool widened, BodyFn body) const {
  std::optional<Sizes> common = broadcastSizes(inputs);
  if (!common)
    return contradiction(inputs, out);
  Sizes sizes = *common;
  int64_t rank = sizes.size();
  Tensor init = empty(sizes, out);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  // An operand whose size may turn out to be 1 is read by tensor.extract with its index held at 0 there.
  SmallVector<bool> extracted;
  for (Tensor x : inputs) {
    bool unsure = false;
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < x.rank(); ++i) {
      int64_t o = rank - x.rank() + i;
      Size in = size(x, i);
      unsure |= mayBroadcast(in, sizes[o]);
      bool one = constantOf(in) == 1 && constantOf(sizes[o]) != 1;
      exprs.push_back(one ? b.getAffineConstantExpr(0) : b.getAffineDimExpr(o));
    }
    extracted.push_back(unsure);
    if (unsure)
      continue;
    operands.push_back(x.value);
    maps.push_back(AffineMap::get(rank, 0, exprs, b.getContext()));
  }
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<Sizes> extractedSizes;
  for (auto [x, isExtracted] : llvm::zip(inputs, extracted))
    extractedSizes.push_back(isExtracted ? this->sizes(x) : Sizes());
  SmallVector<IteratorType> iterators(rank, IteratorType::parallel);
  auto generic = b.create<linalg::GenericOp>(
      loc, init.type(), operands, init.value, maps, iterators, [&](OpBuilder &nb, Location nl, ValueRange args) {
        SmallVector<Value> values;
        unsigned next = 0;
        for (auto [i, x] : llvm::enumerate(inputs)) {
          Value v;
          if (!extracted[i]) {
            v = args[next++];
          } else {
            SmallVector<Value> at;
            for (int64_t d = 0; d < x.rank(); ++d) {
              Value zero = nb.create<arith::ConstantIndexOp>(nl, 0), one = nb.create<arith::ConstantIndexOp>(nl, 1);
              Value size = toValue(nb, nl, extractedSizes[i][d]);
              Value isOne = nb.create<arith::CmpIOp>(nl, arith::CmpIPredicate::eq, size, one);
              Value index = nb.create<linalg::IndexOp>(nl, rank - x.rank() + d);
              at.push_back(nb.create<arith::SelectOp>(nl, isOne, zero, index));
            }
            v = nb.create<tensor::ExtractOp>(nl, x.value, at);
          }
          values.push_back(widened ? widen(nb, nl, x.element, v) : v);
        }
        Value y = body(Scalars{nb, nl, inputs.empty() ? out : inputs.front().element}, values);
        nb.create<linalg::YieldOp>(nl, widened ? narrow(nb, nl, out, y) : y);
      });
  return {generic.getResult(0), out};
}

Tensor Tensors::elementwise(ArrayRef<Tensor> inputs, ElementType out, BodyFn body) const {
  return mapped(inputs, out, true, body);
}

Tensor Tensors::elementwiseRaw(ArrayRef<Tensor> inputs, ElementType out, BodyFn body) const {
  return mapped(inputs, out, false, body);
}

Tensor Tensors::generate(ArrayRef<Size> sizes, ElementType out,
                         llvm::function_ref<Value(OpBuilder &, ValueRange)> body) const {
  int64_t rank = sizes.size();
  Tensor init = empty(sizes, out);
  SmallVector<IteratorType> iterators(rank, IteratorType::parallel);
  auto generic = b.create<linalg::GenericOp>(loc, init.type(), ValueRange(), init.value,
                                             ArrayRef<AffineMap>{b.getMultiDimIdentityMap(rank)}, iterators,
                                             [&](OpBuilder &nb, Location nl, ValueRange) {
                                               SmallVector<Value> at;
                                               for (int64_t d = 0; d < rank; ++d)
                                                 at.push_back(nb.create<linalg::IndexOp>(nl, d));
                                               nb.create<linalg::YieldOp>(nl, body(nb, at));
                                             });
  return {generic.getResult(0), out};
}

Tensor Tensors::reduce(Tensor x, ArrayRef<int64_t> axes, bool keep, ElementType accumulator,
                       llvm::function_ref<Value(const Scalars &)> initial,
                       llvm::function_ref<Value(const Scalars &, Value, Value)> combine) const {
  int64_t rank = x.rank();
  Sizes all = sizes(x), kept, outer;
  SmallVector<AffineExpr> exprs;
  SmallVector<IteratorType> iterators;
  for (int64_t d = 0; d < rank; ++d) {
    bool reduced = llvm::is_contained(axes, d);
    iterators.push_back(reduced ? IteratorType::reduction : IteratorType::parallel);
    if (!reduced) {
      exprs.push_back(b.getAffineDimExpr(d));
      outer.push_back(all[d]);
    }
    if (!reduced || keep)
      kept.push_back(reduced ? sizeOf(b, 1) : all[d]);
  }
  Scalars scalars{b, loc, accumulator};
  Tensor init = filled(outer, accumulator, narrow(b, loc, accumulator, initial(scalars)));
  AffineMap maps[] = {b.getMultiDimIdentityMap(rank), AffineMap::get(rank, 0, exprs, b.getContext())};
  auto generic = b.create<linalg::GenericOp>(
      loc, init.type(), x.value, init.value, maps, iterators, [&](OpBuilder &nb, Location nl, ValueRange args) {
        Value element = Scalars{nb, nl, x.element}.castTo(accumulator, widen(nb, nl, x.element, args[0]));
        Value acc = widen(nb, nl, accumulator, args[1]);
        Value combined = combine(Scalars{nb, nl, accumulator}, acc, element);
        nb.create<linalg::YieldOp>(nl, narrow(nb, nl, accumulator, combined));
      });
  Tensor result{generic.getResult(0), accumulator};
  return keep ? reshape(result, kept) : result;
}

Tensor Tensors::cast(Tensor x, ElementType to, bool saturate) const {
  if (x.element == to)
    return x;
  if (isFloat8Or4(to) && !saturate)
    return elementwiseRaw({x}, to, [&](const Scalars &s, ValueRange v) {
      Value wide = Scalars{s.b, s.loc, x.element}.castTo(to, widen(s.b, s.loc, x.element, v[0]));
      return narrow(s.b, s.loc, to, wide, false);
    });
  return elementwise({x}, to, [&](const Scalars &s, ValueRange v) { return s.castTo(to, v[0]); });
}

} // namespace sinter
