// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pad: constant, reflect, edge and wrap; negative pads crop. Constant padding copies x into a filled tensor; the other
// modes, and pads from run-time data, read x at mapped indices.
#include "ops/attribute_or_operand.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

struct Pads {
  Sizes low, high;
};

FailureOr<Pads> padsOf(Op &op, int64_t rank) {
  auto given = sizesFrom(op, op.since == 1 ? "paddings" : "pads", 1);
  auto axes = sizesFrom(op, "axes", 3);
  if (failed(given) || failed(axes))
    return failure();
  if (!*given)
    return op.fail(Code::ShapeMismatch, "'pads' is missing");
  Sizes dims = *axes ? **axes : sizesOf(op.b, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  size_t count = dims.size();
  if ((*given)->size() != 2 * count)
    return op.fail(Code::ShapeMismatch,
                   "'pads' has " + Twine((*given)->size()) + " values for " + Twine(count) + " dims");
  for (Size dim : dims)
    if (std::optional<int64_t> fixed = constantOf(dim); fixed && failed(op.axis(*fixed, rank)))
      return failure();
  Pads pads;
  for (int64_t d = 0; d < rank; ++d) {
    pads.low.push_back(valueForAxis(op, ArrayRef(**given).take_front(count), dims, d, rank, sizeOf(op.b, 0)));
    pads.high.push_back(valueForAxis(op, ArrayRef(**given).drop_front(count), dims, d, rank, sizeOf(op.b, 0)));
  }
  return pads;
}

Value padValue(Op &op, ElementType element) {
  if (op.since < 11)
    return narrow(op.b, op.loc, element, Scalars{op.b, op.loc, element}.constant(op.real("value", 0)));
  if (!op.has(2))
    return narrow(op.b, op.loc, element, Scalars{op.b, op.loc, element}.constant(0));
  Value value = op.input(2).value;
  SmallVector<Value> first(op.input(2).rank(), nullptr);
  for (Value &zero : first)
    zero = op.b.create<arith::ConstantIndexOp>(op.loc, 0);
  return op.b.create<tensor::ExtractOp>(op.loc, value, first);
}

/// Negative pads crop first; what is left of them is 0.
Tensor cropped(Op &op, Tensor x, Pads &pads) {
  Sizes own = op.sizes(x), offsets(x.rank(), sizeOf(op.b, 0)), ones(x.rank(), sizeOf(op.b, 1));
  Size zero = sizeOf(op.b, 0);
  bool crops = false;
  for (int64_t i = 0; i < x.rank(); ++i) {
    for (Size *pad : {&pads.low[i], &pads.high[i]}) {
      if (certainlyNonNegative(*pad))
        continue;
      crops = true;
      Size cut = minimum(op.b, op.loc, maximum(op.b, op.loc, sub(op.b, op.loc, zero, *pad), zero), own[i]);
      own[i] = within(op, sub(op.b, op.loc, own[i], cut), own[i]);
      if (pad == &pads.low[i])
        offsets[i] = cut;
      *pad = maximum(op.b, op.loc, *pad, zero);
    }
  }
  return crops ? op.slice(x, offsets, own, ones) : x;
}

/// Where position k of a dim of `size` (both index values, k may be outside) is read from.
Value source(const Op &op, OpBuilder &nb, StringRef mode, Value k, Value size) {
  auto index = [&](int64_t v) -> Value { return nb.create<arith::ConstantIndexOp>(op.loc, v); };
  auto minus = [&](Value x, Value y) -> Value { return nb.create<arith::SubIOp>(op.loc, x, y); };
  auto smaller = [&](Value x, Value y) -> Value { return nb.create<arith::MinSIOp>(op.loc, x, y); };
  auto larger = [&](Value x, Value y) -> Value { return nb.create<arith::MaxSIOp>(op.loc, x, y); };
  auto modulo = [&](Value x, Value y) -> Value { // floored
    Value rest = nb.create<arith::RemSIOp>(op.loc, x, y);
    Value negative = nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, rest, index(0));
    return nb.create<arith::SelectOp>(op.loc, negative, nb.create<arith::AddIOp>(op.loc, rest, y), rest);
  };
  Value last = minus(size, index(1));
  if (mode == "edge")
    return larger(smaller(k, last), index(0));
  if (mode == "wrap")
    return modulo(k, larger(size, index(1)));
  Value period = larger(nb.create<arith::MulIOp>(op.loc, last, index(2)), index(1));
  Value within = modulo(k, period);
  return larger(smaller(within, minus(period, within)), index(0));
}

LogicalResult lower(Op &op) {
  Tensor x = op.input(0);
  StringRef mode = op.string("mode", "constant");
  FailureOr<Pads> pads = padsOf(op, x.rank());
  if (failed(pads))
    return failure();
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return op.unsupported("mode '" + mode + "' of Pad", "constant, reflect, edge and wrap are supported");
  auto known = [](Size pad) { return rangeOf(pad).has_value(); };
  if (mode == "constant" && llvm::all_of(pads->low, known) && llvm::all_of(pads->high, known)) {
    Tensor inner = cropped(op, x, *pads);
    return op.result(op.pad(inner, pads->low, pads->high, padValue(op, x.element)));
  }
  Sizes own = op.sizes(x), sizes;
  for (int64_t i = 0; i < x.rank(); ++i)
    sizes.push_back(add(op.b, op.loc, add(op.b, op.loc, own[i], pads->low[i]), pads->high[i]));
  FailureOr<Sizes> bounded = boundedSizes(op, sizes);
  if (failed(bounded))
    return failure();
  Value fill = mode == "constant" ? padValue(op, x.element) : nullptr;
  return op.result(op.generate(*bounded, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> from(at);
    Value inside;
    for (int64_t i = 0; i < x.rank(); ++i) {
      if (constantOf(pads->low[i]) == 0 && constantOf(pads->high[i]) == 0)
        continue;
      Value k = nb.create<arith::SubIOp>(op.loc, at[i], toValue(nb, op.loc, pads->low[i]));
      from[i] = source(op, nb, mode == "constant" ? "edge" : mode, k, toValue(nb, op.loc, own[i]));
      if (!fill)
        continue;
      Value here = nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, k, from[i]);
      inside = inside ? nb.create<arith::AndIOp>(op.loc, inside, here).getResult() : here;
    }
    Value element = nb.create<tensor::ExtractOp>(op.loc, x.value, from);
    return inside ? nb.create<arith::SelectOp>(op.loc, inside, element, fill).getResult() : element;
  }));
}
} // namespace

void register_pad(Registry &registry) { registry.onOp("Pad", {1, 2, 11, 13, 18, 19, 21, 23, 24, 25}, lower); }

} // namespace sinter
