// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resize and Upsample: one axis after another, each a sum over a table of input places and weights, which folds where
// sizes are known. Nearest reads all axes at once.
// Bytes with antialias are rounded once, as in the standard's reference; onnxruntime rounds them between the axes too.
#include "ops/attribute_or_operand.h"
#include "ops/conversion.h"
#include "ops/resample.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

/// The size of an axis of `size` elements: the product is a float, as in ONNX's shape inference and in onnxruntime, and
/// 10 times 0.7f is 7. (The reference evaluator multiplies doubles, which gives 6.)
int64_t scaledSize(int64_t size, double scale) {
  return static_cast<int64_t>(std::floor(static_cast<float>(size) * static_cast<float>(scale)));
}

/// (size * numerator + lift) >> shift is the size of a scaled axis: a float is a numerator over a power of two, and
/// `lift` stands for the roundings up.
struct ScaledSizes {
  int64_t numerator;
  int shift;
  int64_t lift = 0;

  explicit ScaledSizes(double scale) {
    int exponent = 0;
    double mantissa = std::frexp(scale, &exponent); // scale = mantissa * 2^exponent
    numerator = static_cast<int64_t>(std::ldexp(mantissa, 24));
    shift = 24 - exponent;
    for (; shift > 0 && numerator % 2 == 0; --shift)
      numerator /= 2;
    if (shift <= 0 || shift > mostShift)
      return;
    int64_t highest = (int64_t(1) << shift) - 1;
    for (int64_t size = 1; size <= largestSize; ++size) {
      int64_t place = (scaledSize(size, scale) << shift) - size * numerator; // lift is from here to `unit - 1` above
      highest = std::min(highest, place + (int64_t(1) << shift) - 1);
      if (std::max(lift, place) > highest)
        return;
      lift = std::max(lift, place);
    }
  }

  static constexpr int mostShift = 40;                     // of a scale so small that every size gives 0
  static constexpr int64_t largestSize = int64_t(1) << 16; // an axis is hardly longer
};

Size scaledSize(const Op &op, Size size, double scale) {
  if (std::optional<int64_t> known = constantOf(size))
    return sizeOf(op.b, scaledSize(*known, scale));
  ScaledSizes scaled(scale);
  if (scaled.shift > ScaledSizes::mostShift)
    return sizeOf(op.b, 0);
  int64_t factor = scaled.shift < 0 ? scaled.numerator << -scaled.shift : scaled.numerator;
  Size product = mul(op.b, op.loc, size, sizeOf(op.b, factor));
  if (scaled.shift <= 0)
    return product;
  return floorDiv(op.b, op.loc, add(op.b, op.loc, product, sizeOf(op.b, scaled.lift)), int64_t(1) << scaled.shift);
}

struct Request {
  SmallVector<int64_t> axes;
  SmallVector<double> scales;       ///< known ones; or
  Sizes sizes;                      ///< asked for; or
  SmallVector<Value> runtimeScales; ///< floats
};

bool isGiven(const Op &op, unsigned i) {
  return op.has(i) && constantOf(product(op.b, op.loc, op.sizes(op.input(i)))) != 0;
}

LogicalResult readScales(Op &op, unsigned i, Request &request) {
  if (std::optional<SmallVector<double>> known = op.constantReals(i)) {
    if (llvm::any_of(*known, [](double scale) { return !(scale > 0); }))
      return op.fail(Code::ShapeMismatch, "a scale is not above 0");
    request.scales = *known;
    return success();
  }
  FailureOr<SmallVector<Value>> values = op.scalars(i, "scales");
  if (succeeded(values))
    request.runtimeScales = *values;
  return LogicalResult(values);
}

LogicalResult readRequest(Op &op, Request &request) {
  int64_t rank = op.input(0).rank();
  bool upsample = op.node.getOpType() == "Upsample";
  FailureOr<SmallVector<int64_t>> axes =
      op.axes(op.integers("axes", llvm::to_vector(llvm::seq<int64_t>(0, rank))), rank);
  if (failed(axes))
    return failure();
  request.axes = *axes;
  if (upsample && op.since == 1)
    request.scales = {1, 1, op.real("height_scale", 1), op.real("width_scale", 1)};
  else if (upsample && op.since == 7)
    request.scales = op.reals("scales");
  else if (upsample || op.since == 10)
    return readScales(op, 1, request);
  else if (isGiven(op, 2) && isGiven(op, 3))
    return op.fail(Code::ShapeMismatch, "both 'scales' and 'sizes' are given");
  else if (isGiven(op, 2))
    return readScales(op, 2, request);
  else if (isGiven(op, 3)) {
    FailureOr<Sizes> sizes = op.elements(3, "sizes");
    if (failed(sizes))
      return failure();
    request.sizes = *sizes;
  } else
    return op.fail(Code::ShapeMismatch, "neither 'scales' nor 'sizes' is given");
  return success();
}

/// The scale that all axes share (keep_aspect_ratio_policy): a number, or a value of run time.
struct CommonScale {
  std::optional<double> known;
  Value value;
};

/// Replaces the sizes asked for by those of one scale.
CommonScale keepAspect(Op &op, bool isSmallest, ArrayRef<Size> own, Request &request) {
  CommonScale scale;
  bool isKnown = true;
  for (auto [axis, size] : llvm::zip(request.axes, request.sizes))
    isKnown &= constantOf(own[axis]).value_or(0) != 0 && constantOf(size);
  if (isKnown) {
    for (auto [axis, size] : llvm::zip(request.axes, request.sizes)) {
      double one = static_cast<double>(*constantOf(size)) / static_cast<double>(*constantOf(own[axis]));
      scale.known = !scale.known ? one : isSmallest ? std::min(*scale.known, one) : std::max(*scale.known, one);
    }
    for (auto [axis, size] : llvm::zip(request.axes, request.sizes))
      size = sizeOf(op.b, static_cast<int64_t>(*scale.known * static_cast<double>(*constantOf(own[axis])) + 0.5));
    return scale;
  }
  Scalars s{op.b, op.loc, ElementType::Double};
  auto number = [&](Size size) { return indexAsFloat(s, toValue(op.b, op.loc, size)); };
  for (auto [axis, size] : llvm::zip(request.axes, request.sizes)) {
    Value one = s.div(number(size), number(maximum(op.b, op.loc, own[axis], sizeOf(op.b, 1))));
    scale.value = !scale.value ? one : isSmallest ? s.min(scale.value, one) : s.max(scale.value, one);
  }
  for (auto [axis, size] : llvm::zip(request.axes, request.sizes)) {
    Value rounded = s.castTo(ElementType::Int64, s.add(s.mul(scale.value, number(own[axis])), s.constant(0.5)));
    Size scaled = op.b.create<arith::IndexCastOp>(op.loc, op.b.getIndexType(), rounded).getResult();
    size = isSmallest ? minimum(op.b, op.loc, scaled, size) : scaled;
  }
  return scale;
}

/// Of a dim without elements nothing can be made.
LogicalResult mustNotGrowOutOfNothing(Op &op, Size in, Size out) {
  std::optional<std::pair<int64_t, int64_t>> range = rangeOf(in);
  if (constantOf(out) == 0 || (range && range->first > 0))
    return success();
  if (constantOf(in) == 0 && constantOf(out))
    return op.fail(Code::ShapeMismatch, "a dim without elements cannot be resized to " + Twine(*constantOf(out)));
  Value zero = op.b.create<arith::ConstantIndexOp>(op.loc, 0);
  auto isNot0 = [&](Size size) {
    return op.b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::ne, toValue(op.b, op.loc, size), zero);
  };
  Value isNothing = op.b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, toValue(op.b, op.loc, out), zero);
  require({op.b, op.loc}, op.b.create<arith::OrIOp>(op.loc, isNot0(in), isNothing), "the operands of Resize fit");
  return success();
}

FailureOr<SmallVector<ResampledAxis>> resampledAxesOf(Op &op, Sizes &target) {
  Request request;
  if (failed(readRequest(op, request)))
    return failure();
  Sizes own = op.sizes(op.input(0));
  target = own;
  size_t count = request.axes.size();
  if (std::max({request.scales.size(), request.sizes.size(), request.runtimeScales.size()}) != count)
    return op.fail(Code::ShapeMismatch, "'scales' or 'sizes' does not have one entry per axis");
  StringRef policy = op.string("keep_aspect_ratio_policy", "stretch");
  CommonScale common;
  if (!request.sizes.empty() && policy != "stretch")
    common = keepAspect(op, policy == "not_larger", own, request);
  SmallVector<ResampledAxis> result;
  for (size_t i = 0; i < count; ++i) {
    ResampledAxis axis{request.axes[i], own[request.axes[i]], {}, {}, {}, {}};
    std::optional<int64_t> in = constantOf(axis.in);
    if (!request.scales.empty()) {
      axis.scale = request.scales[i];
      axis.out = scaledSize(op, axis.in, *axis.scale);
    } else if (!request.runtimeScales.empty()) {
      Value scale = request.runtimeScales[i];
      Value wide = op.b.create<arith::ExtFOp>(op.loc, op.b.getF64Type(), scale);
      axis.runtimeScale = [wide](const Scalars &) { return wide; };
      Scalars s{op.b, op.loc, ElementType::Float};
      Value scaled = s.castTo(ElementType::Int64, s.mul(scale, indexAsFloat(s, toValue(op.b, op.loc, axis.in))));
      axis.out = op.b.create<arith::IndexCastOp>(op.loc, op.b.getIndexType(), scaled).getResult();
    } else {
      axis.out = request.sizes[i];
      std::optional<int64_t> out = constantOf(axis.out);
      if (failed(mustNotGrowOutOfNothing(op, axis.in, axis.out)))
        return failure();
      if (common.value)
        axis.runtimeScale = [value = common.value](const Scalars &) { return value; };
      else if (common.known)
        axis.scale = common.known;
      else if (in && out && *in)
        axis.scale = static_cast<double>(*out) / static_cast<double>(*in);
    }
    target[axis.axis] = axis.out;
    result.push_back(axis);
  }
  FailureOr<Sizes> bounded = boundedSizes(op, target);
  if (failed(bounded))
    return failure();
  target = *bounded;
  for (ResampledAxis &axis : result) {
    Size in = axis.in, out = axis.out = target[axis.axis];
    if (!axis.scale && !axis.runtimeScale)
      axis.runtimeScale = [in, out](const Scalars &s) {
        return s.div(indexAsFloat(s, toValue(s.b, s.loc, out)), indexAsFloat(s, toValue(s.b, s.loc, in)));
      };
  }
  return result;
}

/// Without a 'roi', of which the text does not speak, all of the map counts, as in onnxruntime.
LogicalResult readRoi(Op &op, SmallVector<ResampledAxis> &axes) {
  if (!op.has(1)) {
    Scalars s{op.b, op.loc, ElementType::Float};
    for (ResampledAxis &axis : axes)
      axis.roi = std::pair(s.constant(0), s.constant(1));
    return success();
  }
  Tensor roi = op.input(1);
  int64_t count = axes.size();
  if (roi.rank() != 1 || constantOf(op.size(roi, 0)) != 2 * count)
    return op.fail(Code::ShapeMismatch, "'roi' does not have two entries per axis");
  auto entry = [&](int64_t k) -> Value {
    Scalars s{op.b, op.loc, roi.element};
    return s.castTo(roi.element == ElementType::Double ? ElementType::Double : ElementType::Float,
                    widen(op.b, op.loc, roi.element, elementOf(op.b, op.loc, roi.value, k, op.conversion.evaluations)));
  };
  int64_t i = 0;
  for (ResampledAxis &axis : axes) {
    axis.roi = std::pair(entry(i), entry(count + i));
    ++i;
  }
  return success();
}

/// The element type that weighted sums are done in.
ElementType sumType(ElementType element) {
  bool wide = element == ElementType::Double || element == ElementType::Int32 || element == ElementType::UInt32 ||
              bitWidth(element) == 64;
  return wide ? ElementType::Double : ElementType::Float;
}

/// How often each element stands in the result where all of an axis stand equally often, one behind the other.
std::optional<int64_t> wholeFactorOf(const Resampling &how, const ResampledAxis &axis) {
  double scale = axis.scale.value_or(0);
  if (scale < 2 || scale != std::floor(scale))
    return std::nullopt;
  std::optional<int64_t> in = constantOf(axis.in), out = constantOf(axis.out);
  if (in && out && static_cast<double>(*out) != static_cast<double>(*in) * scale)
    return std::nullopt;
  bool rounds = how.nearest.starts_with("round"), floors = how.nearest == "floor";
  // Of element q's, number r of `scale` lies at q + (r + 0.5) / scale, or half an element before, or at q + r / scale.
  bool isWhole = how.coordinates == "tf_half_pixel_for_nn" ? floors
                 : how.coordinates == "asymmetric" ? floors || (scale == 2 && how.nearest == "round_prefer_floor")
                 : how.coordinates.contains("half_pixel") ? rounds
                                                          : false;
  return isWhole ? std::optional(static_cast<int64_t>(scale)) : std::nullopt;
}

Tensor nearestElements(Op &op, Tensor x, const Resampling &how, ArrayRef<ResampledAxis> axes, ArrayRef<Size> target) {
  SmallVector<Tensor> places(x.rank());
  SmallVector<int64_t> moved, repeats(x.rank());
  for (const ResampledAxis &axis : axes) {
    if (std::optional<int64_t> times = wholeFactorOf(how, axis))
      repeats[axis.axis] = *times;
    else
      places[axis.axis] = nearestPlaces(op, how, axis);
    moved.push_back(axis.axis);
  }
  x = neverEmpty(op, x, moved);
  return op.generate(target, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> from(at);
    for (auto [d, table] : llvm::enumerate(places))
      if (table)
        from[d] = nb.create<arith::IndexCastOp>(op.loc, nb.getIndexType(),
                                                nb.create<tensor::ExtractOp>(op.loc, table.value, at[d]));
      else if (repeats[d])
        from[d] = nb.create<arith::DivUIOp>(op.loc, at[d], nb.create<arith::ConstantIndexOp>(op.loc, repeats[d]));
    return nb.create<tensor::ExtractOp>(op.loc, x.value, from);
  });
}

/// Sums back in x's type: integers round to nearest even and saturate.
Tensor rounded(Op &op, Tensor y, ElementType element) {
  if (!isFloat(element))
    y = op.elementwise({y}, y.element, [](const Scalars &s, ValueRange v) -> Value {
      return s.b.create<math::RoundEvenOp>(s.loc, v[0]);
    });
  return op.cast(y, element);
}

LogicalResult lowerResize(Op &op) {
  Tensor x = op.input(0);
  bool old = op.node.getOpType() == "Upsample" || op.since == 10;
  Resampling how{op.string("mode", "nearest"),
                 old ? "asymmetric" : op.string("coordinate_transformation_mode", "half_pixel"),
                 old ? "floor" : op.string("nearest_mode", "round_prefer_floor"),
                 op.real("cubic_coeff_a", -0.75),
                 op.integer("exclude_outside", 0) != 0,
                 op.integer("antialias", 0) != 0};
  if (how.mode == "bilinear")
    how.mode = "linear";
  if (x.element == ElementType::String && how.mode != "nearest")
    return op.unsupported("an interpolation of strings", "the mode 'nearest' moves them");
  Sizes target;
  FailureOr<SmallVector<ResampledAxis>> axes = resampledAxesOf(op, target);
  if (failed(axes))
    return failure();
  bool crops = how.coordinates == "tf_crop_and_resize";
  if (crops && failed(readRoi(op, *axes)))
    return failure();
  if (!crops)
    llvm::erase_if(
        *axes, [](const ResampledAxis &axis) { return sameSize(axis.in, axis.out) && axis.scale.value_or(1) == 1; });
  Tensor y = x;
  if (how.mode == "nearest") {
    y = nearestElements(op, x, how, *axes, target);
  } else {
    for (const ResampledAxis &axis : *axes)
      y = resampleAxis(op, y, axis.axis, tapsOf(op, how, axis, sumType(x.element)));
    y = rounded(op, y, x.element);
  }
  if (crops)
    for (const ResampledAxis &axis : *axes) {
      Tensor outside =
          op.unsqueeze(outsidePlaces(op, how, axis), llvm::to_vector(llvm::seq<int64_t>(1, x.rank() - axis.axis)));
      y = op.elementwiseRaw({y, outside}, x.element, [&](const Scalars &s, ValueRange v) {
        Value value = narrow(s.b, s.loc, x.element, s.constant(op.real("extrapolation_value", 0)));
        return s.select(v[1], value, v[0]);
      });
    }
  return op.result(y);
}
} // namespace

void register_resize(Registry &registry) {
  registry.onOp("Resize", {10, 11, 13, 18, 19},
                "X[_*] roi[_] scales[_] sizes[_] axes@X antialias=0|1 mode=nearest|linear|cubic "
                "nearest_mode=round_prefer_floor|round_prefer_ceil|floor|ceil "
                "keep_aspect_ratio_policy=stretch|not_larger|not_smaller "
                "coordinate_transformation_mode=half_pixel|half_pixel_symmetric|pytorch_half_pixel|align_corners|"
                "asymmetric|tf_crop_and_resize|tf_half_pixel_for_nn",
                lowerResize);
  registry.onOp("Upsample", {1, 7, 9, 10}, "X[R*] scales[#R] mode=nearest|linear|bilinear", lowerResize);
}

} // namespace sinter
