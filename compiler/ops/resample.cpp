// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "resample.h"

#include "runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

Value floorOf(const Scalars &s, Value x) { return s.b.create<math::FloorOp>(s.loc, x); }
Value ceilOf(const Scalars &s, Value x) { return s.b.create<math::CeilOp>(s.loc, x); }

Value sizeAsFloat(const Scalars &s, Size size) {
  if (std::optional<int64_t> fixed = constantOf(size))
    return s.constant(static_cast<double>(*fixed));
  return indexAsFloat(s, toValue(s.b, s.loc, size));
}

Value scaleOf(const Scalars &s, const ResampledAxis &axis) {
  return axis.scale ? s.constant(*axis.scale) : axis.runtimeScale(s);
}

/// A float place as an index into [0, size).
Value clampedPlace(const Scalars &s, Value place, Size size) {
  Value last = s.sub(sizeAsFloat(s, size), s.constant(1));
  Value inside = s.max(s.min(place, last), s.constant(0));
  return s.castTo(ElementType::Int64, inside);
}

/// Weights of cubic interpolation at distance |d| from a tap.
Value cubicWeight(const Scalars &s, Value d, double a) {
  Value near = s.add(s.mul(s.mul(s.sub(s.mul(s.constant(a + 2), d), s.constant(a + 3)), d), d), s.constant(1));
  Value far = s.sub(s.mul(s.add(s.mul(s.sub(s.mul(s.constant(a), d), s.constant(5 * a)), d), s.constant(8 * a)), d),
                    s.constant(4 * a));
  Value beyond = s.select(s.compare(Compare::Less, d, s.constant(2)), far, s.constant(0));
  return s.select(s.compare(Compare::LessOrEqual, d, s.constant(1)), near, beyond);
}

Value linearWeight(const Scalars &s, Value d) { return s.max(s.sub(s.constant(1), d), s.constant(0)); }
} // namespace

/// As the standard has it. Its `length_resized` is the whole size in pytorch_half_pixel and tf_crop_and_resize, as in
/// onnxruntime, and a product with the scale in align_corners, as in the standard's own tests; the reference evaluator
/// takes the product everywhere, and -0.5 where pytorch_half_pixel resizes to one element.
Value originalPosition(const Scalars &s, const Resampling &how, const ResampledAxis &axis, Value o) {
  Value x = indexAsFloat(s, o), scale = scaleOf(s, axis), in = sizeAsFloat(s, axis.in), one = s.constant(1),
        half = s.constant(0.5);
  Value width = s.mul(scale, in), length = sizeAsFloat(s, axis.out);
  auto halfPixel = [&] { return s.sub(s.div(s.add(x, half), scale), half); };
  auto unlessOne = [&](Value size, Value ifOne, Value otherwise) {
    return s.select(s.compare(Compare::Equal, size, one), ifOne, otherwise);
  };
  if (how.coordinates == "align_corners")
    return unlessOne(width, s.constant(0), s.div(s.mul(x, s.sub(in, one)), s.sub(width, one)));
  if (how.coordinates == "asymmetric")
    return s.div(x, scale);
  if (how.coordinates == "tf_half_pixel_for_nn")
    return s.div(s.add(x, half), scale);
  if (how.coordinates == "pytorch_half_pixel")
    return unlessOne(length, s.constant(0), halfPixel());
  if (how.coordinates == "half_pixel_symmetric") {
    Value adjustment = s.div(sizeAsFloat(s, axis.out), width);
    Value offset = s.mul(s.div(in, s.constant(2)), s.sub(one, adjustment));
    return s.add(offset, halfPixel());
  }
  if (how.coordinates == "tf_crop_and_resize" && axis.roi) {
    auto [start, end] = *axis.roi;
    // In the type of the corners, in this order, as in the reference evaluator and in onnxruntime: 0.1f of 5 elements
    // is the place 0.5, a tie, which wider numbers would break.
    ElementType own = start.getType().isF64() ? ElementType::Double : ElementType::Float;
    Scalars c{s.b, s.loc, own};
    auto asCorner = [&](Value v) { return s.castTo(own, v); };
    Value last = asCorner(s.sub(in, one)), span = c.sub(end, start);
    Value isOne = s.compare(Compare::Equal, length, one);
    Value position = c.div(c.mul(c.mul(asCorner(x), span), last), asCorner(s.sub(length, one)));
    position = c.select(isOne, c.div(c.mul(span, last), c.constant(2)), position);
    return c.castTo(ElementType::Double, c.add(position, c.mul(start, last)));
  }
  return halfPixel();
}

Tensor nearestPlaces(const Tensors &t, const Resampling &how, const ResampledAxis &axis) {
  return t.generate({axis.out}, ElementType::Int64, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, t.loc, ElementType::Double};
    Value x = originalPosition(s, how, axis, at[0]), place;
    if (how.nearest == "floor")
      place = floorOf(s, x);
    else if (how.nearest == "ceil")
      place = ceilOf(s, x);
    else if (how.nearest == "round_prefer_ceil")
      place = floorOf(s, s.add(x, s.constant(0.5)));
    else
      place = ceilOf(s, s.sub(x, s.constant(0.5)));
    return clampedPlace(s, place, axis.in);
  });
}

Tensor outsidePlaces(const Tensors &t, const Resampling &how, const ResampledAxis &axis) {
  return t.generate({axis.out}, ElementType::Bool, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, t.loc, ElementType::Double};
    Value x = originalPosition(s, how, axis, at[0]), last = s.sub(sizeAsFloat(s, axis.in), s.constant(1));
    Value before = s.compare(Compare::Less, x, s.constant(0)), behind = s.compare(Compare::Greater, x, last);
    return nb.create<arith::OrIOp>(t.loc, before, behind);
  });
}

/// How many taps lie on each side: those within reach / shrink. A scale that makes an element of `in` is 1 / in at
/// least.
static Size tapsOnOneSide(const Tensors &t, const ResampledAxis &axis, int64_t reach, bool shrinks) {
  if (!shrinks)
    return sizeOf(t.b, reach);
  if (axis.scale)
    return sizeOf(t.b, static_cast<int64_t>(std::ceil(static_cast<double>(reach) / std::min(*axis.scale, 1.0))));
  Scalars s{t.b, t.loc, ElementType::Double};
  Value taps = ceilOf(s, s.div(s.constant(static_cast<double>(reach)), s.min(axis.runtimeScale(s), s.constant(1))));
  Size count =
      t.b.create<arith::IndexCastOp>(t.loc, t.b.getIndexType(), s.castTo(ElementType::Int64, taps)).getResult();
  Size most = add(t.b, t.loc, mul(t.b, t.loc, axis.in, sizeOf(t.b, reach)), sizeOf(t.b, 1));
  return maximum(t.b, t.loc, minimum(t.b, t.loc, count, most), sizeOf(t.b, 1));
}

Taps tapsOf(const Tensors &t, const Resampling &how, const ResampledAxis &axis, ElementType sums) {
  bool cubic = how.mode == "cubic";
  // The taps lie around the place left of x: half of them up to it, half behind it.
  Size half = tapsOnOneSide(t, axis, cubic ? 2 : 1, how.antialias);
  Sizes sizes{axis.out, mul(t.b, t.loc, half, sizeOf(t.b, 2))};
  auto placeOf = [&](const Scalars &s, Value x, Value k) {
    return s.add(s.sub(ceilOf(s, x), sizeAsFloat(s, half)), indexAsFloat(s, k));
  };
  Tensor places = t.generate(sizes, ElementType::Int64, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, t.loc, ElementType::Double};
    return clampedPlace(s, placeOf(s, originalPosition(s, how, axis, at[0]), at[1]), axis.in);
  });
  Tensor weights = t.generate(sizes, ElementType::Double, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, t.loc, ElementType::Double};
    Value x = originalPosition(s, how, axis, at[0]), place = placeOf(s, x, at[1]);
    Value distance = s.sub(place, x);
    if (how.antialias)
      distance = s.mul(distance, s.min(scaleOf(s, axis), s.constant(1)));
    distance = s.abs(distance);
    Value weight = cubic ? cubicWeight(s, distance, how.cubicA) : linearWeight(s, distance);
    if (!how.excludeOutside)
      return weight;
    Value last = s.sub(sizeAsFloat(s, axis.in), s.constant(1));
    Value inside = nb.create<arith::AndIOp>(t.loc, s.compare(Compare::GreaterOrEqual, place, s.constant(0)),
                                            s.compare(Compare::LessOrEqual, place, last));
    return s.select(inside, weight, s.constant(0));
  });
  if (how.antialias || how.excludeOutside) {
    Tensor total = t.reduce(
        weights, {1}, true, ElementType::Double, [](const Scalars &s) { return s.constant(0); },
        [](const Scalars &s, Value acc, Value w) { return s.add(acc, w); });
    weights = t.elementwise({weights, total}, ElementType::Double, [](const Scalars &s, ValueRange v) {
      return s.div(v[0], s.select(s.compare(Compare::Equal, v[1], s.constant(0)), s.constant(1), v[1]));
    });
  }
  return Taps{places, t.cast(weights, sums)};
}

Tensor resampleAxis(const Tensors &t, Tensor x, int64_t axis, const Taps &taps) {
  OpBuilder &b = t.b;
  ElementType sums = taps.weights.element;
  Sizes sizes = t.sizes(x);
  sizes[axis] = t.size(taps.places, 0);
  int64_t rank = x.rank();
  x = neverEmpty(t, x, axis);
  Tensor init = t.filled(sizes, sums, narrow(b, t.loc, sums, Scalars{b, t.loc, sums}.constant(0)));
  SmallVector<AffineExpr> outer;
  for (int64_t d = 0; d < rank; ++d)
    outer.push_back(b.getAffineDimExpr(d));
  AffineMap table = AffineMap::get(rank + 1, 0, {b.getAffineDimExpr(axis), b.getAffineDimExpr(rank)}, b.getContext());
  AffineMap maps[] = {table, table, AffineMap::get(rank + 1, 0, outer, b.getContext())};
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  auto generic = b.create<linalg::GenericOp>(
      t.loc, init.type(), ValueRange{taps.places.value, taps.weights.value}, init.value, maps, iterators,
      [&](OpBuilder &nb, Location nl, ValueRange args) {
        SmallVector<Value> at;
        for (int64_t d = 0; d < rank; ++d)
          at.push_back(d == axis ? nb.create<arith::IndexCastOp>(nl, nb.getIndexType(), args[0]).getResult()
                                 : nb.create<linalg::IndexOp>(nl, d).getResult());
        Value read = nb.create<tensor::ExtractOp>(nl, x.value, at);
        Value element = Scalars{nb, nl, x.element}.castTo(sums, widen(nb, nl, x.element, read));
        Scalars s{nb, nl, sums};
        nb.create<linalg::YieldOp>(nl, s.add(args[2], s.mul(args[1], element)));
      });
  return {generic.getResult(0), sums};
}

} // namespace sinter
