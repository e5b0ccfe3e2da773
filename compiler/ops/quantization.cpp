// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantization.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {

namespace {
bool isSingle(Tensor x) { return x.rank() <= 1 && x.type().hasStaticShape() && x.type().getNumElements() == 1; }

/// Parameters of blocks along `axis`, each repeated for the elements of its block: for a last block that is not full.
Tensor repeatedParameters(Op &op, Tensor parameters, ArrayRef<Size> sizes, int64_t axis, int64_t blockSize) {
  return op.generate(sizes, parameters.element, [&](OpBuilder &b, ValueRange at) -> Value {
    SmallVector<Value> index(at);
    Value block = b.create<arith::ConstantIndexOp>(op.loc, blockSize);
    index[axis] = b.create<arith::DivUIOp>(op.loc, at[axis], block);
    return b.create<tensor::ExtractOp>(op.loc, parameters.value, index);
  });
}
} // namespace

Tensor alongAxis(const Op &op, Tensor parameters, int64_t axis, int64_t rank) {
  if (isSingle(parameters))
    return op.reshape(parameters, {});
  SmallVector<int64_t> ones;
  for (int64_t d = 1; d < rank - axis; ++d)
    ones.push_back(d);
  return ones.empty() ? parameters : op.unsqueeze(parameters, ones);
}

FailureOr<Quantized> lineUp(Op &op, Tensor x, Tensor scale, Tensor zero, int64_t givenAxis, int64_t blockSize) {
  if (!blockSize && isSingle(scale))
    return Quantized{x, op.reshape(scale, {}), zero ? op.reshape(zero, {}) : zero};
  FailureOr<int64_t> axis = op.axis(givenAxis, x.rank());
  if (failed(axis))
    return failure();
  if (!blockSize) {
    if (scale.rank() != 1 || (zero && zero.rank() != 1))
      return op.fail(Code::ShapeMismatch, "the scale is neither a number nor one for each index of the axis");
    return Quantized{x, alongAxis(op, scale, *axis, x.rank()), zero ? alongAxis(op, zero, *axis, x.rank()) : zero};
  }
  if (scale.rank() != x.rank() || (zero && zero.rank() != x.rank()) || blockSize < 0)
    return op.fail(Code::ShapeMismatch, "with blocks the scale has as many dims as the input");
  Sizes sizes = op.sizes(x);
  std::optional<int64_t> length = constantOf(sizes[*axis]);
  if (!length || *length % blockSize)
    return Quantized{x, repeatedParameters(op, scale, sizes, *axis, blockSize),
                     zero ? repeatedParameters(op, zero, sizes, *axis, blockSize) : zero};
  sizes[*axis] = sizeOf(op.b, *length / blockSize);
  sizes.insert(sizes.begin() + *axis + 1, sizeOf(op.b, blockSize));
  return Quantized{op.reshape(x, sizes), op.unsqueeze(scale, *axis + 1), zero ? op.unsqueeze(zero, *axis + 1) : zero};
}

Tensor dequantized(const Op &op, const Quantized &q, ElementType to) {
  SmallVector<Tensor> operands{q.x, q.scale};
  if (q.zero)
    operands.push_back(q.zero);
  return op.elementwise(operands, to, [&](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float};
    Value shifted = s.castTo(ElementType::Float, v[0]);
    if (v.size() > 2)
      shifted = f.sub(shifted, s.castTo(ElementType::Float, v[2]));
    return f.castTo(to, f.mul(shifted, Scalars{s.b, s.loc, q.scale.element}.castTo(ElementType::Float, v[1])));
  });
}

bool areAlike(Op &op, const Dequantized &a, const Dequantized &b) {
  auto numbers = [&](Tensor x) -> std::optional<SmallVector<double>> {
    if (!x)
      return SmallVector<double>{0};
    std::optional<HostTensor> host = contentsOf(x, op.conversion.evaluations);
    if (!host)
      return std::nullopt;
    SmallVector<double> values;
    for (int64_t i = 0; i < host->size(); ++i)
      values.push_back(host->numberAt(i));
    return values;
  };
  auto equal = [&](Tensor x, Tensor y) {
    if (x && y && x.value == y.value)
      return true;
    auto left = numbers(x), right = numbers(y);
    return left && right && *left == *right;
  };
  return a.x.element == b.x.element && a.axis == b.axis && equal(a.scale, b.scale) && equal(a.zero, b.zero);
}

Value quantize(const Scalars &s, Value value, Value zero, ElementType to) {
  Scalars out{s.b, s.loc, to};
  Value rounded = s.b.create<math::RoundEvenOp>(s.loc, value);
  if (zero)
    rounded = s.add(rounded, s.castFromInteger(zero, out));
  Value low = s.castFromInteger(out.lowest(), out), high = s.castFromInteger(out.highest(), out);
  return s.castTo(to, s.min(s.max(rounded, low), high));
}

} // namespace sinter
