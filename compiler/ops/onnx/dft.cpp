// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DFT along an axis, and STFT: windowed frames of a signal, each transformed.
#include "ops/fourier.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace sinter {
namespace {

FailureOr<Size> oneNumber(Op &op, unsigned i, StringRef what) {
  FailureOr<Sizes> given = op.elements(i, what);
  if (failed(given))
    return failure();
  if (given->size() != 1)
    return op.fail(Code::ShapeMismatch, "'" + what + "' is not one number");
  return given->front();
}

FailureOr<Size> oneSize(Op &op, unsigned i, StringRef what) {
  FailureOr<Size> size = oneNumber(op, i, what);
  if (failed(size))
    return failure();
  if (std::optional<int64_t> fixed = constantOf(*size); fixed && *fixed < 1)
    return op.fail(Code::ShapeMismatch, "'" + what + "' is " + Twine(*fixed));
  return *size;
}

/// An axis that only a call knows: x is read and written through index arithmetic, in which the size of that axis is
/// one of all sizes.
class AxisOfData {
public:
  AxisOfData(const Op &op, Size axis, int64_t rank) : op(op), rank(rank) {
    // Real and imaginary parts lie along the last dim.
    auto place = op.b.create<CheckIndexOp>(op.loc, op.b.getIndexType(), toValue(op.b, op.loc, axis),
                                           toValue(op.b, op.loc, sizeOf(op.b, rank)), true);
    for (int64_t d = 0; d + 1 < rank; ++d)
      isAxis.push_back(
          op.b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, place, toValue(op.b, op.loc, sizeOf(op.b, d))));
    Value isSome = isAxis.front();
    for (Value one : llvm::drop_begin(isAxis))
      isSome = op.b.create<arith::OrIOp>(op.loc, isSome, one);
    require(op, isSome, "the axis of a DFT is not the dim of real and imaginary parts");
  }

  /// The size along the axis.
  Size sizeAlong(ArrayRef<Size> sizes) const {
    Size result = sizes[0];
    for (int64_t d = 1; d + 1 < rank; ++d)
      result = chosen(op, isAxis[d], sizes[d], result);
    return result;
  }
  /// `sizes` with another one along the axis.
  Sizes withAxis(ArrayRef<Size> sizes, Size instead) const {
    Sizes result(sizes);
    for (int64_t d = 0; d + 1 < rank; ++d)
      result[d] = chosen(op, isAxis[d], instead, result[d]);
    return result;
  }

  /// x as [rows, axis, parts].
  Tensor gathered(Tensor x) const {
    Sizes sizes = op.sizes(x), others = withAxis(sizes, sizeOf(op.b, 1));
    Size rows = within(op, product(op.b, op.loc, ArrayRef(others).drop_back()), product(op.b, op.loc, sizes));
    Tensor readable = neverEmpty(op, x);
    return op.generate({rows, sizeAlong(sizes), sizes.back()}, x.element, [&](OpBuilder &b, ValueRange at) -> Value {
      SmallVector<Value> from(rank, at[2]);
      Value row = at[0], one = b.create<arith::ConstantIndexOp>(op.loc, 1);
      for (int64_t d = rank - 2; d >= 0; --d) {
        Value size = b.create<arith::MaxSIOp>(op.loc, toValue(b, op.loc, others[d]), one);
        Value place = b.create<arith::RemSIOp>(op.loc, row, size);
        row = b.create<arith::DivSIOp>(op.loc, row, size);
        from[d] = b.create<arith::SelectOp>(op.loc, isAxis[d], at[1], place);
      }
      return b.create<tensor::ExtractOp>(op.loc, readable.value, from);
    });
  }
  /// The reverse, for a tensor of these sizes.
  Tensor spread(Tensor y, ArrayRef<Size> sizes) const {
    Sizes others = withAxis(sizes, sizeOf(op.b, 1));
    Tensor readable = neverEmpty(op, y);
    return op.generate(sizes, y.element, [&](OpBuilder &b, ValueRange at) -> Value {
      Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), row = zero, along = zero;
      for (int64_t d = 0; d + 1 < rank; ++d) {
        Value place = b.create<arith::SelectOp>(op.loc, isAxis[d], zero, at[d]);
        row =
            b.create<arith::AddIOp>(op.loc, b.create<arith::MulIOp>(op.loc, row, toValue(b, op.loc, others[d])), place);
        along = b.create<arith::SelectOp>(op.loc, isAxis[d], at[d], along);
      }
      return b.create<tensor::ExtractOp>(op.loc, readable.value, ValueRange{row, along, at[rank - 1]});
    });
  }

private:
  const Op &op;
  int64_t rank;
  SmallVector<Value> isAxis; ///< of each dim but the last
};

/// The DFT's length: what is asked for, or the size along the axis.
FailureOr<Transform> transformOf(Op &op, Size along) {
  Transform transform{along, op.integer("inverse", 0) != 0, op.integer("onesided", 0) != 0};
  if (transform.inverse && transform.onesided)
    transform.length = mul(op.b, op.loc, sub(op.b, op.loc, along, sizeOf(op.b, 1)), sizeOf(op.b, 2));
  if (!op.has(1))
    return transform;
  FailureOr<Size> length = oneSize(op, 1, "dft_length");
  if (failed(length))
    return failure();
  transform.length = *length;
  if (rangeOf(*length))
    return transform;
  FailureOr<Sizes> bounded = boundedSizes(op, *length);
  if (failed(bounded))
    return failure();
  transform.length = bounded->front();
  return transform;
}

LogicalResult lowerDftOfData(Op &op) {
  Tensor x = op.input(0);
  FailureOr<Size> given = oneNumber(op, 2, "axis");
  if (failed(given))
    return failure();
  AxisOfData axis(op, *given, x.rank());
  Sizes sizes = op.sizes(x);
  FailureOr<Transform> transform = transformOf(op, axis.sizeAlong(sizes));
  if (failed(transform))
    return failure();
  FailureOr<Tensor> y = fourier(op, axis.gathered(x), *transform);
  if (failed(y))
    return failure();
  Sizes target = axis.withAxis(sizes, op.size(*y, 1));
  target.back() = op.size(*y, 2);
  return op.result(axis.spread(*y, target));
}

LogicalResult lowerDft(Op &op) {
  Tensor x = op.input(0);
  int64_t axis = op.integer("axis", 1);
  if (op.since >= 20) {
    std::optional<SmallVector<int64_t>> given = op.has(2) ? op.constantIntegers(2) : SmallVector<int64_t>{-2};
    if (!given)
      return lowerDftOfData(op);
    if (given->size() != 1)
      return op.fail(Code::ShapeMismatch, "'axis' is not one number");
    axis = given->front();
  }
  FailureOr<int64_t> place = op.axis(axis, x.rank());
  if (failed(place))
    return failure();
  if (*place == x.rank() - 1)
    return op.fail(Code::ShapeMismatch, "the axis of a DFT is the dim of real and imaginary parts");
  FailureOr<Transform> transform = transformOf(op, op.size(x, *place));
  if (failed(transform))
    return failure();
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, x.rank()));
  permutation.erase(permutation.begin() + *place);
  permutation.insert(permutation.end() - 1, *place);
  Tensor moved = op.transpose(x, permutation);
  Sizes sizes = op.sizes(moved);
  Size rows = product(op.b, op.loc, ArrayRef(sizes).drop_back(2));
  FailureOr<Tensor> y = fourier(op, op.reshape(moved, {rows, sizes[x.rank() - 2], sizes.back()}), *transform);
  if (failed(y))
    return failure();
  sizes[x.rank() - 2] = op.size(*y, 1);
  sizes.back() = op.size(*y, 2);
  return op.result(op.transpose(op.reshape(*y, sizes), invertPermutationVector(permutation)));
}

LogicalResult lowerStft(Op &op) {
  Tensor x = op.input(0);
  FailureOr<Size> step = oneSize(op, 1, "frame_step");
  if (failed(step))
    return failure();
  if (x.rank() == 2)
    x = op.unsqueeze(x, {2});
  Size samples = op.size(x, 1), length = samples;
  if (op.has(2))
    length = op.size(op.input(2), 0);
  if (op.has(3)) {
    FailureOr<Size> given = oneSize(op, 3, "frame_length");
    if (failed(given))
      return failure();
    if (!op.has(2))
      length = *given;
  }
  std::optional<int64_t> fixedStep = constantOf(*step);
  if (!rangeOf(length)) { // at most what there is to transform, or what the declared result is the spectrum of
    Size most = samples;
    if (std::optional<Sizes> declared = declaredSizes(op); declared && declared->size() == 4) {
      int64_t bins = *constantOf((*declared)[2]);
      most = minimum(op.b, op.loc, most, sizeOf(op.b, op.integer("onesided", 1) ? 2 * bins - 1 : bins));
    }
    length = within(op, length, most);
  }
  Size room = sub(op.b, op.loc, samples, length), frames;
  if (fixedStep) {
    frames = add(op.b, op.loc, floorDiv(op.b, op.loc, room, *fixedStep), sizeOf(op.b, 1));
  } else {
    Size atLeastOne = maximum(op.b, op.loc, *step, sizeOf(op.b, 1));
    frames = within(op, add(op.b, op.loc, divide(op.b, op.loc, room, atLeastOne), sizeOf(op.b, 1)), samples);
  }
  Size batch = op.size(x, 0), parts = op.size(x, 2);
  Tensor window = op.inputOrNone(2);
  Tensor framed = op.generate({batch, frames, length, parts}, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    Value start = nb.create<arith::MulIOp>(op.loc, at[1], toValue(nb, op.loc, *step));
    Value place = nb.create<arith::AddIOp>(op.loc, start, at[2]);
    place = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), place, toValue(nb, op.loc, samples), false);
    Value sample = nb.create<tensor::ExtractOp>(op.loc, x.value, ValueRange{at[0], place, at[3]});
    if (!window)
      return sample;
    Scalars s{nb, op.loc, x.element};
    Value weight = widen(nb, op.loc, window.element, nb.create<tensor::ExtractOp>(op.loc, window.value, at[2]));
    weight = Scalars{nb, op.loc, window.element}.castTo(x.element, weight);
    return narrow(nb, op.loc, x.element, s.mul(widen(nb, op.loc, x.element, sample), weight));
  });
  Size rows = mul(op.b, op.loc, batch, frames);
  FailureOr<Tensor> y =
      fourier(op, op.reshape(framed, {rows, length, parts}), {length, false, op.integer("onesided", 1) != 0});
  if (failed(y))
    return failure();
  return op.result(op.reshape(*y, {batch, frames, op.size(*y, 1), sizeOf(op.b, 2)}));
}
} // namespace

void register_dft(Registry &registry) {
  std::string rule = "input[_+,P] P=1|2 dft_length[]|[1] axis[] value(dft_length)>=1 onesided=0|1 inverse=0|1 ";
  registry.onOp("DFT", {17}, rule + "{inverse=0}P<=2-onesided", lowerDft);
  registry.onOp("DFT", {20}, rule + "{inverse=0}P<=2-onesided {inverse=1}P>=1+onesided", lowerDft);
  registry.onOp("STFT", {17},
                "signal[_,L]|[_,L,1|2] frame_step[]|[1] value(frame_step)>=1 window[F] frame_length[] 1<=F<=L "
                "value(frame_length)=F 1<=value(frame_length)<=L onesided=0|1",
                lowerStft);
}

} // namespace sinter
