// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GridSample: each output element is a weighted sum of the input elements around a position that the grid gives, over
// any number of dims: one, two or four taps per dim for nearest, linear and cubic.
//
// With cubic taps and the padding `border` positions stay where they are, and taps outside read the border, as in
// PyTorch, where this operator comes from, and onnxruntime; ONNX's reference implementation moves positions to the
// border first, which gives other weights.
#include "ops/norms.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

struct Sampling {
  StringRef mode, padding;
  bool alignCorners;
};

struct Tap {
  Value place;  ///< index, inside the dim
  Value weight; ///< or null: 1
  Value inside; ///< i1, or null: always
};

Value gridSizeAsFloat(const Scalars &s, Size size) { return indexAsFloat(s, toValue(s.b, s.loc, size)); }

/// x folded into [low, high] as between two mirrors.
Value reflected(const Scalars &s, Value x, Value low, Value high) {
  Value range = s.sub(high, low), period = s.add(range, range), distance = s.abs(s.sub(x, low));
  Value rounds = s.b.create<math::FloorOp>(s.loc, s.div(distance, period));
  Value rest = s.sub(distance, s.mul(rounds, period));
  Value back = s.select(s.compare(Compare::Greater, rest, range), s.sub(period, rest), rest);
  return s.select(s.compare(Compare::Greater, range, s.constant(0)), s.add(low, back), low);
}

/// Keys' cubic weights with a = -0.75 at distance d >= 0, below 2.
Value gridCubicWeight(const Scalars &s, Value d) {
  constexpr double a = -0.75;
  Value near = s.add(s.mul(s.mul(s.sub(s.mul(s.constant(a + 2), d), s.constant(a + 3)), d), d), s.constant(1));
  Value far = s.sub(s.mul(s.add(s.mul(s.sub(s.mul(s.constant(a), d), s.constant(5 * a)), d), s.constant(8 * a)), d),
                    s.constant(4 * a));
  return s.select(s.compare(Compare::LessOrEqual, d, s.constant(1)), near, far);
}

/// A tap at integer position `at` (a float): where it is read, and whether it counts.
Tap tapAt(const Scalars &s, const Sampling &how, Value at, Value low, Value high, Size size) {
  Value last = s.sub(gridSizeAsFloat(s, size), s.constant(1)), zero = s.constant(0);
  Tap tap{};
  if (how.padding == "zeros")
    tap.inside = s.b.create<arith::AndIOp>(s.loc, s.compare(Compare::GreaterOrEqual, at, zero),
                                           s.compare(Compare::LessOrEqual, at, last));
  if (how.padding == "reflection") {
    Value outside =
        s.b.create<arith::OrIOp>(s.loc, s.compare(Compare::Less, at, low), s.compare(Compare::Greater, at, high));
    at = s.select(outside, reflected(s, at, low, high), at);
  }
  Value limited = s.castTo(ElementType::Int64, s.max(s.min(at, last), zero));
  tap.place = s.b.create<arith::IndexCastOp>(s.loc, s.b.getIndexType(), limited);
  return tap;
}

SmallVector<Tap> tapsOf(const Scalars &s, const Sampling &how, Value normalized, Size size) {
  Value length = gridSizeAsFloat(s, size), one = s.constant(1), half = s.constant(0.5), zero = s.constant(0);
  Value shifted = s.add(normalized, one), last = s.sub(length, one);
  Value x = how.alignCorners ? s.mul(s.mul(shifted, half), last) : s.mul(s.sub(s.mul(shifted, length), one), half);
  Value low = how.alignCorners ? zero : s.constant(-0.5), high = how.alignCorners ? last : s.sub(length, half);
  if (how.mode == "nearest")
    x = s.b.create<math::RoundEvenOp>(s.loc, x);
  bool cubic = how.mode == "cubic";
  if (how.padding == "reflection" || (how.padding == "border" && !cubic)) {
    Value outside =
        s.b.create<arith::OrIOp>(s.loc, s.compare(Compare::Less, x, low), s.compare(Compare::Greater, x, high));
    Value inner = how.padding == "border" ? s.max(s.min(x, last), zero) : reflected(s, x, low, high);
    x = s.select(outside, inner, x);
  }
  if (how.mode == "nearest") {
    Value whole = s.b.create<math::TruncOp>(s.loc, x);
    return {tapAt(s, how, whole, low, high, size)};
  }
  Value floor = s.b.create<math::FloorOp>(s.loc, x), beyond = s.sub(x, floor);
  SmallVector<Tap> taps;
  for (int64_t k = cubic ? -1 : 0; k <= (cubic ? 2 : 1); ++k) {
    Value step = s.constant(static_cast<double>(k)), at = s.add(floor, step), distance = s.abs(s.sub(beyond, step));
    Tap tap = tapAt(s, how, at, low, high, size);
    tap.weight = cubic ? gridCubicWeight(s, distance) : s.sub(one, distance);
    taps.push_back(tap);
  }
  return taps;
}

LogicalResult lowerGridSample(Op &op) {
  Tensor x = op.input(0), grid = op.input(1);
  int64_t rank = x.rank() - 2;
  Sampling how{op.string("mode", "linear"), op.string("padding_mode", "zeros"), op.integer("align_corners", 0) != 0};
  how.mode = how.mode == "bilinear" ? "linear" : how.mode == "bicubic" ? "cubic" : how.mode;
  if (rank < 1 || grid.rank() != x.rank() || constantOf(op.size(grid, grid.rank() - 1)).value_or(rank) != rank)
    return op.fail(Code::ShapeMismatch, "the grid does not have a coordinate per spatial dim");
  if (x.element == ElementType::String && how.mode != "nearest")
    return op.unsupported("an interpolation of strings", "the mode 'nearest' moves them");
  if (rank > 3)
    return op.unsupported("GridSample over " + Twine(rank) + " spatial dims", "one to three are supported");
  Sizes own = op.sizes(x), sizes{own[0], own[1]};
  for (int64_t d = 0; d < rank; ++d)
    sizes.push_back(op.size(grid, d + 1));
  x = neverEmpty(op, x, llvm::to_vector(llvm::seq<int64_t>(2, x.rank())));
  ElementType sums = x.element == ElementType::Double ? ElementType::Double : ElementType::Float,
              positions = computedAs(grid.element);
  return op.result(op.generate(sizes, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars p{nb, op.loc, positions}, s{nb, op.loc, sums}, element{nb, op.loc, x.element};
    std::vector<SmallVector<Tap>> taps;
    for (int64_t d = 0; d < rank; ++d) {
      SmallVector<Value> place{at[0]};
      llvm::append_range(place, at.drop_front(2));
      place.push_back(nb.create<arith::ConstantIndexOp>(op.loc, rank - 1 - d)); // the grid names the last dim first
      Value position = widen(nb, op.loc, grid.element, nb.create<tensor::ExtractOp>(op.loc, grid.value, place));
      taps.push_back(tapsOf(p, how, position, own[d + 2]));
    }
    // All combinations of taps, the last dim's first.
    std::function<Value(int64_t, SmallVector<Value>, Value)> over = [&](int64_t d, SmallVector<Value> place,
                                                                        Value inside) -> Value {
      if (d == rank) {
        Value read = nb.create<tensor::ExtractOp>(op.loc, x.value, place);
        Value zero = narrow(nb, op.loc, x.element, element.constant(0));
        read = inside ? nb.create<arith::SelectOp>(op.loc, inside, read, zero).getResult() : read;
        return how.mode == "nearest" ? read : element.castTo(sums, widen(nb, op.loc, x.element, read));
      }
      Value sum;
      for (const Tap &tap : taps[d]) {
        SmallVector<Value> next = place;
        next.push_back(tap.place);
        Value both = !tap.inside ? inside
                     : inside    ? nb.create<arith::AndIOp>(op.loc, inside, tap.inside).getResult()
                                 : tap.inside;
        Value value = over(d + 1, next, both);
        if (tap.weight)
          value = s.mul(p.castTo(sums, tap.weight), value);
        sum = sum ? s.add(sum, value) : value;
      }
      return sum;
    };
    Value y = over(0, {at[0], at[1]}, nullptr);
    return how.mode == "nearest" ? y : narrow(nb, op.loc, x.element, s.castTo(x.element, y));
  }));
}
} // namespace

void register_grid_sample(Registry &registry) {
  registry.onOp(
      "GridSample", {16, 20, 22},
      "X[N,C,D+] grid[N,P*,#D] #P=#D mode=linear|bilinear|nearest|cubic|bicubic padding_mode=zeros|border|reflection "
      "align_corners=0|1",
      lowerGridSample);
}

} // namespace sinter
