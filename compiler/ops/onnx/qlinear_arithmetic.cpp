// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's QLinearAdd and QLinearMul on bytes. onnxruntime is their definition, and each step is rounded as its
// kernels round it, the zero point inside the rounding:
//   sum      round(a ra + (b rb + (zc - (ra za + rb zb)))), ra = sa / sc, rb = sb / sc; products and the sums that take
//            them are rounded together but for rb zb
//   product  round((a - za) (b - zb) (sa sb / sc) + zc)
// An operand of which one element meets a row of the other is added first. `unsigned`, which recognize-quantized sets:
// signed bytes and their zero points are 128 higher meanwhile.
#include "ops/quantization.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {

namespace {
constexpr double lift = 128;

Value asFloat(const Scalars &s, Tensor x, Value v) {
  return Scalars{s.b, s.loc, x.element}.castTo(ElementType::Float, v);
}
Value fma(const Scalars &f, Value x, Value y, Value z) { return f.b.create<math::FmaOp>(f.loc, x, y, z); }

/// An operand, or the result: element type and parameters, rank 0.
struct Side {
  Tensor x, scale, zero;

  static Side of(Op &op, Tensor x, unsigned scale) {
    Tensor zero = op.has(scale + 1) ? op.input(scale + 1) : op.scalar(x.element, 0);
    return {x, op.reshape(op.input(scale), {}), op.reshape(zero, {})};
  }
};

/// One number made of the parameters of all sides, in float.
Tensor numberOfParameters(Op &op, ArrayRef<Tensor> parameters,
                          llvm::function_ref<Value(const Scalars &, ValueRange)> body) {
  return op.elementwise(parameters, ElementType::Float, [&](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float};
    SmallVector<Value> floats;
    for (auto [parameter, value] : llvm::zip(parameters, v))
      floats.push_back(asFloat(s, parameter, value));
    return body(f, floats);
  });
}

/// Whether one element of x meets several of y next to each other.
bool isRepeated(Tensor x, Tensor y) {
  for (int64_t i = 1; i <= std::max(x.rank(), y.rank()); ++i) {
    bool isOne = i > x.rank() || x.shape()[x.rank() - i] == 1, isOther = i > y.rank() || y.shape()[y.rank() - i] == 1;
    if (!isOne || !isOther)
      return isOne;
  }
  return false;
}

LogicalResult addQuantized(Op &op) {
  Side a = Side::of(op, op.input(0), 1), b = Side::of(op, op.input(3), 4), c = Side::of(op, a.x, 6);
  if (failed(op.checkBroadcast({a.x, b.x})))
    return failure();
  if (isRepeated(a.x, b.x))
    std::swap(a, b);
  bool isLifted = op.integer("unsigned") && !isUnsignedInteger(a.x.element);
  auto lifted = [&](const Scalars &f, Value v) { return isLifted ? f.add(v, f.constant(lift)) : v; };
  auto ratio = [&](const Side &side) {
    return numberOfParameters(op, {side.scale, c.scale},
                              [](const Scalars &f, ValueRange v) { return f.div(v[0], v[1]); });
  };
  Tensor ra = ratio(a), rb = ratio(b);
  Tensor fixed = numberOfParameters(op, {ra, rb, a.zero, b.zero, c.zero}, [&](const Scalars &f, ValueRange v) {
    return f.sub(lifted(f, v[4]), fma(f, v[0], lifted(f, v[2]), f.mul(v[1], lifted(f, v[3]))));
  });
  return op.result(op.elementwise({a.x, b.x, ra, rb, fixed}, a.x.element, [&](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float}, out{s.b, s.loc, a.x.element};
    Value right = fma(f, lifted(f, asFloat(s, b.x, v[1])), v[3], v[4]);
    Value sum = fma(f, lifted(f, asFloat(s, a.x, v[0])), v[2], right);
    return quantize(f, sum, isLifted ? out.constant(-lift) : Value(), a.x.element);
  }));
}

LogicalResult multiplyQuantized(Op &op) {
  Side a = Side::of(op, op.input(0), 1), b = Side::of(op, op.input(3), 4), c = Side::of(op, a.x, 6);
  if (failed(op.checkBroadcast({a.x, b.x})))
    return failure();
  Tensor factor = numberOfParameters(op, {a.scale, b.scale, c.scale},
                                     [](const Scalars &f, ValueRange v) { return f.div(f.mul(v[0], v[1]), v[2]); });
  Tensor operands[] = {a.x, b.x, a.zero, b.zero, factor, c.zero};
  return op.result(op.elementwise(operands, a.x.element, [&](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float};
    auto real = [&](size_t i) { return asFloat(s, operands[i], v[i]); };
    Value product = f.mul(f.sub(real(0), real(2)), f.sub(real(1), real(3)));
    return quantize(f, f.add(f.mul(product, v[4]), real(5)), {}, a.x.element);
  }));
}
} // namespace

void register_qlinear_arithmetic(Registry &registry) {
  registry.onOp(
      "QLinearAdd", {1},
      "A[S~] A_scale[]|[1] A_zero_point[]|[1] B[S~] B_scale[]|[1] B_zero_point[]|[1] C_scale[]|[1] C_zero_point[]|[1]",
      addQuantized, "com.microsoft");
  registry.onOp(
      "QLinearMul", {1},
      "A[S~] A_scale[]|[1] A_zero_point[]|[1] B[S~] B_scale[]|[1] B_zero_point[]|[1] C_scale[]|[1] C_zero_point[]|[1]",
      multiplyQuantized, "com.microsoft");
}

} // namespace sinter
