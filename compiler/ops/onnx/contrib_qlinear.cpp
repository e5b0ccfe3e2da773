// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's quantized elementwise operators, pools and means: dequantized, computed in float, quantized; fusion
// makes one loop nest of it. onnxruntime is their definition: how it rounds is kept, since averages often end halfway.
#include "ops/math.h"
#include "ops/quantization.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {

namespace {
constexpr const char *domain = "com.microsoft";

Tensor scalarOperand(Op &op, unsigned i) { return op.reshape(op.input(i), {}); }

/// x as float, with scale and zero point (may be absent) in the operands named.
Tensor dequantized(Op &op, Tensor x, unsigned scale, unsigned zero) {
  SmallVector<Tensor> operands{x, scalarOperand(op, scale)};
  if (op.has(zero))
    operands.push_back(scalarOperand(op, zero));
  return op.elementwise(operands, ElementType::Float, [](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float};
    Value wide = s.castTo(ElementType::Float, v[0]);
    return f.mul(v.size() > 2 ? f.sub(wide, s.castTo(ElementType::Float, v[2])) : wide, v[1]);
  });
}

/// The last step: y (a float) in steps of the result, its zero point (may be null), its type.
using Rounding = Value(const Scalars &, Value, Value, ElementType);

Tensor quantized(Op &op, Tensor y, unsigned scale, unsigned zero, ElementType to, Rounding *rounding = quantize) {
  SmallVector<Tensor> operands{y, scalarOperand(op, scale)};
  if (op.has(zero))
    operands.push_back(scalarOperand(op, zero));
  return op.elementwise(operands, to, [&](const Scalars &s, ValueRange v) {
    return rounding(s, s.div(v[0], v[1]), v.size() > 2 ? v[2] : Value(), to);
  });
}

/// Pools add the zero point first: a sum with it is less exact than its value, so that what is nearly halfway is
/// halfway. Signed bytes as onnxruntime has them on x86: unsigned ones, 128 higher.
Value quantizeWithZero(const Scalars &s, Value value, Value zero, ElementType to) {
  Scalars out{s.b, s.loc, to};
  double lift = isUnsignedInteger(to) ? 0 : 128;
  Value above = s.constant(lift);
  Value sum = s.add(value, zero ? s.add(s.castFromInteger(zero, out), above) : above);
  return quantize(s, sum, out.constant(-lift), to);
}

/// C = A (op) B.
template <Value (Scalars::*operation)(Value, Value) const>
LogicalResult binary(Op &op) {
  Tensor a = dequantized(op, op.input(0), 1, 2), b = dequantized(op, op.input(3), 4, 5);
  if (failed(op.checkBroadcast({a, b})))
    return failure();
  Tensor y = op.elementwise({a, b}, ElementType::Float,
                            [](const Scalars &s, ValueRange v) { return (s.*operation)(v[0], v[1]); });
  return op.result(quantized(op, y, 6, 7, op.input(0).element));
}

/// Y = another operator of X.
LogicalResult unary(Op &op, StringRef opType, int64_t since, ArrayRef<NamedAttribute> attributes,
                    Rounding *rounding = quantize) {
  auto y = op.call(opType, since, dequantized(op, op.input(0), 1, 2), attributes);
  return failed(y) ? failure() : op.result(quantized(op, (*y)[0], 3, 4, op.input(0).element, rounding));
}

/// The node's own attributes but for those named.
SmallVector<NamedAttribute> attributesWithout(Op &op, ArrayRef<StringRef> names) {
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : op.node.getAttrs())
    if (!llvm::is_contained(names, attribute.getName().strref()))
      kept.push_back(attribute);
  return kept;
}

LogicalResult pool(Op &op, StringRef opType, int64_t since, Rounding *rounding) {
  if (op.integer("channels_last"))
    return op.unsupported("channels_last = 1", "export the model with channels first");
  return unary(op, opType, since, attributesWithout(op, {"channels_last"}), rounding);
}

/// In whole steps to 1: y scale of 1/255 that is rounded up gives 254 of them.
LogicalResult softmax(Op &op) {
  auto y = op.call("Softmax", op.integer("opset", 13) < 13 ? 11 : 13, dequantized(op, op.input(0), 1, 2),
                   attributesWithout(op, {"opset"}));
  if (failed(y))
    return failure();
  ElementType to = op.input(0).element;
  Tensor steps = op.elementwise({scalarOperand(op, 3)}, ElementType::Float, [](const Scalars &s, ValueRange v) {
    return s.b.create<math::FloorOp>(s.loc, s.div(s.constant(1), v[0])).getResult();
  });
  SmallVector<Tensor> operands{(*y)[0], steps};
  if (op.has(4))
    operands.push_back(scalarOperand(op, 4));
  return op.result(op.elementwise(operands, to, [&](const Scalars &s, ValueRange v) {
    return quantize(s, s.mul(v[0], v[1]), v.size() > 2 ? v[2] : Value(), to);
  }));
}

LogicalResult where(Op &op) {
  Tensor x = dequantized(op, op.input(1), 2, 3), y = dequantized(op, op.input(4), 5, 6);
  if (failed(op.checkBroadcast({op.input(0), x, y})))
    return failure();
  Tensor z = op.elementwise({op.input(0), x, y}, ElementType::Float,
                            [](const Scalars &s, ValueRange v) { return s.select(v[0], v[1], v[2]); });
  return op.result(quantized(op, z, 7, 8, op.input(1).element));
}

/// Parts come as (tensor, scale, zero point), each brought to the result's scale.
LogicalResult concat(Op &op) {
  SmallVector<Tensor> parts;
  ElementType to = op.input(1).element;
  for (unsigned i = 2; i + 2 < op.inputCount(); i += 3)
    parts.push_back(quantized(op, dequantized(op, op.input(i), i + 1, i + 2), 0, 1, to));
  if (parts.empty())
    return op.fail(Code::ShapeMismatch, "there is nothing to concatenate");
  auto y = op.call("Concat", 13, parts, op.param("axis", op.integer("axis")));
  return failed(y) ? failure() : op.result((*y)[0]);
}
} // namespace

void register_contrib_qlinear(Registry &registry) {
  registry.onOp("QLinearAdd", {1}, binary<&Scalars::add>, domain);
  registry.onOp("QLinearMul", {1}, binary<&Scalars::mul>, domain);
  registry.onOp("QLinearSigmoid", {1}, [](Op &op) { return unary(op, "Sigmoid", 13, {}); }, domain);
  registry.onOp(
      "QLinearLeakyRelu", {1}, [](Op &op) { return unary(op, "LeakyRelu", 16, attributesWithout(op, {})); }, domain);
  registry.onOp("QLinearSoftmax", {1}, softmax, domain);
  registry.onOp(
      "QLinearReduceMean", {1}, [](Op &op) { return unary(op, "ReduceMean", 13, attributesWithout(op, {})); }, domain);
  registry.onOp(
      "QLinearAveragePool", {1}, [](Op &op) { return pool(op, "AveragePool", 19, quantizeWithZero); }, domain);
  registry.onOp(
      "QLinearGlobalAveragePool", {1}, [](Op &op) { return pool(op, "GlobalAveragePool", 22, quantize); }, domain);
  registry.onOp("QLinearWhere", {1}, where, domain);
  registry.onOp("QLinearConcat", {1}, concat, domain);
}

} // namespace sinter
