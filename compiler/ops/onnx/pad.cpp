// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pad: constant, reflect, edge and wrap. Constant padding copies x into a filled tensor; the other modes, and pads from
// run-time data, read x at mapped indices. The standard does not say what negative pads mean beside others: as in
// onnxruntime they crop first, and the other modes repeat what is left (wrap of [1, 2, 3] with pads [-1, 1] is [2, 3,
// 2]); sizes are always the sum of the dim and its pads.
#include "frontend/limits.h"
#include "ops/attribute_or_operand.h"
#include "ops/crop.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

struct Pads {
  Sizes low, high;
};

/// Rows of so many elements are worth a loop of their own, which copies them, and others for what is before and behind.
constexpr int64_t leastKept = 16;

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
  for (Size pad : **given)
    if (std::optional<int64_t> fixed = constantOf(pad); fixed && (*fixed > mostElements || *fixed < -mostElements))
      return op.fail(Code::TooManyElements, "a pad of " + Twine(*fixed) + " elements");
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

/// Whether all positions of the dim lie less than its size outside of it: no element is repeated twice on a side.
bool isNear(const Crop &crop) {
  std::optional<int64_t> low = constantOf(crop.low), high = constantOf(crop.high);
  auto range = rangeOf(crop.kept);
  return low && high && range && std::max(*low, *high) < range->first;
}

/// Where position k of a dim of `size` (both index values, k may be outside) is read from.
Value source(const Op &op, OpBuilder &nb, StringRef mode, Value k, Value size, bool near) {
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
  auto below = [&](Value x, Value y) -> Value {
    return nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, x, y);
  };
  if (near && mode == "wrap") {
    Value fromBelow =
        nb.create<arith::SelectOp>(op.loc, below(k, index(0)), nb.create<arith::AddIOp>(op.loc, k, size), k);
    return nb.create<arith::SelectOp>(op.loc, below(k, size), fromBelow, minus(k, size));
  }
  if (near) { // reflect
    Value distance = larger(k, minus(index(0), k));
    return smaller(distance, minus(nb.create<arith::AddIOp>(op.loc, last, last), distance));
  }
  if (mode == "wrap")
    return modulo(k, larger(size, index(1)));
  Value period = larger(nb.create<arith::MulIOp>(op.loc, last, index(2)), index(1));
  Value within = modulo(k, period);
  return larger(smaller(within, minus(period, within)), index(0));
}

/// Where position `at` of a dim is read from in each part of it: before, of, and behind what is kept. Empty where a
/// part would be read more than once, or it is not known.
using PadPart = std::function<Value(OpBuilder &, Value at)>;
SmallVector<std::pair<Size, PadPart>, 3> partsOf(const Op &op, StringRef mode, const Crop &crop) {
  if (!isNear(crop) || rangeOf(crop.kept)->first < leastKept)
    return {};
  std::optional<int64_t> low = constantOf(crop.low), high = constantOf(crop.high);
  if (*low + *high == 0)
    return {};
  auto plus = [&op](OpBuilder &nb, Value at, Size size) -> Value {
    return nb.create<arith::AddIOp>(op.loc, at, toValue(nb, op.loc, size));
  };
  auto minus = [&op](OpBuilder &nb, Size size, Value at) -> Value {
    return nb.create<arith::SubIOp>(op.loc, toValue(nb, op.loc, size), at);
  };
  Size first = crop.first, behind = add(op.b, op.loc, first, crop.kept);
  auto from = [&](Size start) -> PadPart { return [=](OpBuilder &nb, Value at) { return plus(nb, at, start); }; };
  auto downFrom = [&](Size start) -> PadPart { return [=](OpBuilder &nb, Value at) { return minus(nb, start, at); }; };
  auto always = [&](Size place) -> PadPart { return [=](OpBuilder &nb, Value) { return toValue(nb, op.loc, place); }; };
  auto less = [&](Size size, int64_t n) { return sub(op.b, op.loc, size, sizeOf(op.b, n)); };
  SmallVector<std::pair<Size, PadPart>, 3> parts;
  if (*low)
    parts.emplace_back(crop.low, mode == "edge"   ? always(first)
                                 : mode == "wrap" ? from(less(behind, *low))
                                                  : downFrom(add(op.b, op.loc, first, crop.low)));
  parts.emplace_back(crop.kept, from(first));
  if (*high)
    parts.emplace_back(crop.high, mode == "edge"   ? always(less(behind, 1))
                                  : mode == "wrap" ? from(first)
                                                   : downFrom(less(behind, 2)));
  return parts;
}

LogicalResult lowerPad(Op &op) {
  Tensor x = op.input(0);
  StringRef mode = op.string("mode", "constant");
  FailureOr<Pads> pads = padsOf(op, x.rank());
  if (failed(pads))
    return failure();
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return op.unsupported("mode '" + mode + "' of Pad", "constant, reflect, edge and wrap are supported");
  Sizes own = op.sizes(x), sizes;
  for (int64_t i = 0; i < x.rank(); ++i)
    sizes.push_back(add(op.b, op.loc, add(op.b, op.loc, own[i], pads->low[i]), pads->high[i]));
  for (Size size : sizes)
    if (auto range = rangeOf(size); range && range->first > mostElements)
      return op.fail(Code::TooManyElements, "a dim of more than " + Twine(mostElements) + " elements");
  FailureOr<Sizes> bounded = boundedSizes(op, sizes);
  if (failed(bounded))
    return failure();
  SmallVector<Crop> crops;
  for (int64_t i = 0; i < x.rank(); ++i) {
    crops.push_back(cropOf(op, own[i], pads->low[i], pads->high[i]));
    bool isPadded = constantOf(pads->low[i]) != 0 || constantOf(pads->high[i]) != 0;
    Size none = sizeOf(op.b, 0);
    if (mode != "constant" && isPadded &&
        failed(mustHold(op,
                        either(op, relationHolds(op, ">", crops[i].kept, none), relationHolds(op, "=", sizes[i], none)),
                        "mode '" + mode + "' has nothing to repeat: no element of dim " + Twine(i) + " is left")))
      return failure();
  }
  auto known = [](Size pad) { return rangeOf(pad).has_value(); };
  if (mode == "constant" && llvm::all_of(pads->low, known) && llvm::all_of(pads->high, known))
    return op.result(padCropped(op, x, crops, padValue(op, x.element)));
  Value fill = mode == "constant" ? padValue(op, x.element) : nullptr;
  Tensor readable = neverEmpty(op, x);
  const int64_t innermost = x.rank() - 1;
  // Elements of whose innermost dim those in `part` are made, at its positions; null: all of them.
  auto made = [&](const Sizes &of, const PadPart &part) {
    return op.generate(of, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
      SmallVector<Value> from(at);
      Value inside;
      for (int64_t i = 0; i < x.rank(); ++i) {
        if (part && i == innermost) {
          from[i] = part(nb, at[i]);
          continue;
        }
        if (constantOf(pads->low[i]) == 0 && constantOf(pads->high[i]) == 0)
          continue;
        auto value = [&](Size size) { return toValue(nb, op.loc, size); };
        if (fill) { // the element of x that would stand here, whether there is one or not
          Value k = nb.create<arith::SubIOp>(op.loc, at[i], value(pads->low[i]));
          Value here = nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::ult, k, value(own[i]));
          inside = inside ? nb.create<arith::AndIOp>(op.loc, inside, here).getResult() : here;
          from[i] = source(op, nb, "edge", k, value(own[i]), false);
          continue;
        }
        const Crop &crop = crops[i];
        Value k = nb.create<arith::SubIOp>(op.loc, at[i], value(crop.low));
        from[i] = source(op, nb, mode, k, value(crop.kept), isNear(crop));
        if (constantOf(crop.first) != 0) {
          from[i] = nb.create<arith::AddIOp>(op.loc, from[i], value(crop.first));
          from[i] = source(op, nb, "edge", from[i], value(own[i]), false); // where nothing is kept
        }
      }
      Value element = nb.create<tensor::ExtractOp>(op.loc, readable.value, from);
      return inside ? nb.create<arith::SelectOp>(op.loc, inside, element, fill).getResult() : element;
    });
  };
  SmallVector<std::pair<Size, PadPart>, 3> parts;
  if (!fill && x.rank() > 0)
    parts = partsOf(op, mode, crops[innermost]);
  if (parts.empty())
    return op.result(made(*bounded, nullptr));
  SmallVector<Tensor> pieces;
  for (auto &[size, part] : parts) {
    Sizes of = *bounded;
    of[innermost] = size;
    pieces.push_back(made(of, part));
  }
  return op.result(op.concat(pieces, innermost));
}
} // namespace

void register_pad(Registry &registry) {
  registry.onOp("Pad", {1, 2, 11, 13, 18, 19, 21, 23, 24, 25},
                "data[_*] pads[_] paddings[_] constant_value[V*] product(V)=1 axes[_] mode=constant|reflect|edge|wrap",
                lowerPad);
}

} // namespace sinter
