// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.CropAndResize, as TensorFlow's: y[r, c, i, j] is read from image batch_indices[r] at
//   y1 (H - 1) + i (y2 - y1) (H - 1) / (crop_height - 1), the middle of the box where one row is asked for;
// columns alike. A place outside of the image gives extrapolation_value.
#include "ops/norms.h"
#include "ops/runtime_sizes.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {
namespace {

/// Where along one axis an output lies.
struct CropPlace {
  Value at;     ///< float
  Value inside; ///< i1
  Size size;
};

CropPlace cropPlaceOf(const Scalars &s, Value first, Value last, Value index, Size crops, Size size) {
  Value span = s.sub(indexAsFloat(s, toValue(s.b, s.loc, size)), s.constant(1));
  Value steps = s.sub(indexAsFloat(s, toValue(s.b, s.loc, crops)), s.constant(1));
  Value several = s.compare(Compare::Greater, steps, s.constant(0));
  Value step = s.div(s.mul(s.sub(last, first), span), s.select(several, steps, s.constant(1)));
  Value along = s.add(s.mul(first, span), s.mul(indexAsFloat(s, index), step));
  Value middle = s.mul(s.mul(s.constant(0.5), s.add(first, last)), span);
  Value at = s.select(several, along, middle);
  Value inside = s.b.create<arith::AndIOp>(s.loc, s.compare(Compare::GreaterOrEqual, at, s.constant(0)),
                                           s.compare(Compare::LessOrEqual, at, span));
  return {at, inside, size};
}

/// A whole number (a float) as a place in the axis, whatever it is.
Value cropIndexOf(const Scalars &s, Value whole, Size size) {
  Value last = s.sub(indexAsFloat(s, toValue(s.b, s.loc, size)), s.constant(1));
  Value limited = s.castTo(ElementType::Int64, s.max(s.min(whole, last), s.constant(0)));
  return s.b.create<arith::IndexCastOp>(s.loc, s.b.getIndexType(), limited);
}

LogicalResult lowerContribCropAndResize(Op &op) {
  Tensor x = op.input(0), rois = op.input(1), batches = op.input(2);
  FailureOr<Sizes> crop = op.elements(3, "crop_size");
  if (failed(crop))
    return failure();
  Sizes image = op.sizes(x);
  FailureOr<Sizes> sizes = boundedSizes(op, {op.size(rois, 0), image[1], (*crop)[0], (*crop)[1]}, 0);
  if (failed(sizes))
    return failure();
  Tensor read = neverEmpty(op, x);
  bool isNearest = op.string("mode") == "nearest";
  return op.result(op.generate(*sizes, x.element, [&](OpBuilder &b, ValueRange out) -> Value {
    Scalars s{b, op.loc, computedAs(x.element)};
    auto edge = [&](int64_t i) {
      Value place = b.create<arith::ConstantIndexOp>(op.loc, i);
      return widen(b, op.loc, x.element, b.create<tensor::ExtractOp>(op.loc, rois.value, ValueRange{out[0], place}));
    };
    Value number = b.create<tensor::ExtractOp>(op.loc, batches.value, out[0]);
    Value batch = b.create<CheckIndexOp>(op.loc, b.getIndexType(), number, toValue(b, op.loc, image[0]), false);
    CropPlace row = cropPlaceOf(s, edge(0), edge(2), out[2], (*sizes)[2], image[2]);
    CropPlace column = cropPlaceOf(s, edge(1), edge(3), out[3], (*sizes)[3], image[3]);
    auto pixel = [&](Value r, Value c) {
      SmallVector<Value> place{batch, out[1], cropIndexOf(s, r, row.size), cropIndexOf(s, c, column.size)};
      return widen(b, op.loc, x.element, b.create<tensor::ExtractOp>(op.loc, read.value, place));
    };
    Value y;
    if (isNearest) { // half away from zero
      auto nearest = [&](Value at) -> Value { return b.create<math::FloorOp>(op.loc, s.add(at, s.constant(0.5))); };
      y = pixel(nearest(row.at), nearest(column.at));
    } else {
      Value top = b.create<math::FloorOp>(op.loc, row.at), left = b.create<math::FloorOp>(op.loc, column.at);
      Value bottom = b.create<math::CeilOp>(op.loc, row.at), right = b.create<math::CeilOp>(op.loc, column.at);
      auto between = [&](Value a, Value c, Value share) { return s.add(a, s.mul(s.sub(c, a), share)); };
      Value across = s.sub(column.at, left);
      y = between(between(pixel(top, left), pixel(top, right), across),
                  between(pixel(bottom, left), pixel(bottom, right), across), s.sub(row.at, top));
    }
    Value inside = b.create<arith::AndIOp>(op.loc, row.inside, column.inside);
    return narrow(b, op.loc, x.element, s.select(inside, y, s.constant(op.real("extrapolation_value"))));
  }));
}
} // namespace

void register_contrib_crop_and_resize(Registry &registry) {
  registry.onOp("CropAndResize", {1},
                "X[N,C,H,W] rois[R,4] batch_indices[R] crop_size[2] value(crop_size)>=1 mode=bilinear|nearest",
                lowerContribCropAndResize, "com.microsoft");
}

} // namespace sinter
