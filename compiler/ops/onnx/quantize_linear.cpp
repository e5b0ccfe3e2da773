// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// QuantizeLinear, DynamicQuantizeLinear, DequantizeLinear. Computed in float: sums of rounded values and zero points
// are exact wherever they do not saturate.
#include "ops/block_quantized.h"
#include "ops/quantization.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {

namespace {
/// x with these parameters, if they are numbers or vectors.
std::optional<Dequantized> parameters(Op &op, Tensor x, Tensor scale, Tensor zero) {
  if (op.integer("block_size"))
    return std::nullopt;
  Dequantized result{x, scale, zero, std::nullopt};
  if (!scale.type().hasStaticShape() || scale.type().getNumElements() != 1)
    result.axis = op.integer("axis", 1) + (op.integer("axis", 1) < 0 ? op.input(0).rank() : 0);
  return result;
}

LogicalResult quantizeLinear(Op &op) {
  Tensor x = op.input(0), scale = op.input(1), zero = op.inputOrNone(2);
  ElementType to = static_cast<ElementType>(op.integer("output_dtype"));
  if (zero && to != ElementType::Undefined && to != zero.element)
    return op.fail(Code::WrongOperandType, "'output_dtype' is " + elementTypeName(to) +
                                               " and the zero point a tensor(" + elementTypeName(zero.element) + ")");
  if (zero)
    to = zero.element;
  else if (to == ElementType::Undefined)
    to = ElementType::UInt8;
  if (!isInteger(to) && !isFloat8Or4(to))
    return op.unsupported("quantization to " + elementTypeName(to));
  if (isFloat8Or4(to))
    zero = {}; // it is 0
  FailureOr<Quantized> q = lineUp(op, x, scale, zero, op.integer("axis", 1), op.integer("block_size"));
  if (failed(q))
    return failure();
  SmallVector<Tensor> operands{q->x, q->scale};
  if (q->zero)
    operands.push_back(q->zero);
  if (failed(op.checkBroadcast(operands)))
    return failure();
  if (const Dequantized *source = op.dequantized(0)) { // back to where it came from
    std::optional<Dequantized> made = parameters(op, {{}, to}, scale, zero);
    if (made && areAlike(op, *source, *made))
      return op.result(source->x);
  }
  // `precision` float16 asks for a quotient rounded to it.
  auto precision = static_cast<ElementType>(op.integer("precision"));
  bool saturate = op.integer("saturate", 1);
  Tensor y = op.elementwiseRaw(operands, to, [&](const Scalars &s, ValueRange v) -> Value {
    auto asFloat = [&](Tensor t, Value value) {
      return Scalars{s.b, s.loc, t.element}.castTo(ElementType::Float, widen(s.b, s.loc, t.element, value));
    };
    Scalars f{s.b, s.loc, ElementType::Float};
    Value quotient = f.div(asFloat(x, v[0]), asFloat(scale, v[1]));
    if (isNarrowFloat(precision))
      quotient = widen(s.b, s.loc, precision, narrow(s.b, s.loc, precision, quotient));
    if (isFloat8Or4(to))
      return narrow(s.b, s.loc, to, quotient, saturate);
    return quantize(f, quotient, v.size() > 2 ? v[2] : Value(), to);
  });
  return op.result(op.reshape(y, op.sizes(x)));
}

/// A constant matrix in blocks, which products may take as it is stored; null for others.
Tensor constantMatrix(Op &op, Tensor x, Tensor scale, Tensor zero, ElementType to) {
  int64_t block = op.integer("block_size"), rows = 0, bits = isInteger(x.element) ? int64_t(bitWidth(x.element)) : 0;
  if (block <= 0 || block * bits % 8 || bits < 2 || bits > 8 || !isFloat(to) || to == ElementType::Double ||
      x.rank() != 2 || !x.type().hasStaticShape() || !scale.type().hasStaticShape())
    return {};
  FailureOr<int64_t> axis = op.axis(op.integer("axis", 1), 2);
  if (failed(axis) || !BlockQuantized{x, scale, zero, bits, block}.isConstant())
    return {};
  if (!zero && isUnsignedInteger(x.element))
    zero = op.filled(op.sizes(scale), x.element, Scalars{op.b, op.loc, x.element}.constant(0));
  auto alongRows = [&](Tensor t) { return t && *axis == 0 ? op.transpose(t, {1, 0}) : t; };
  x = alongRows(x);
  rows = x.shape()[0];
  BlockQuantized blocks{x, alongRows(scale), alongRows(zero), bits, block};
  return alongRows(constantBlocks(op, blocks, rows, x.shape()[1], to, false, false));
}

LogicalResult dequantizeLinear(Op &op) {
  Tensor x = op.input(0), scale = op.input(1), zero = op.has(2) && !isFloat(x.element) ? op.input(2) : Tensor();
  FailureOr<Quantized> q = lineUp(op, x, scale, zero, op.integer("axis", 1), op.integer("block_size"));
  if (failed(q))
    return failure();
  SmallVector<Tensor> operands{q->x, q->scale};
  if (q->zero)
    operands.push_back(q->zero);
  if (failed(op.checkBroadcast(operands)))
    return failure();
  auto given = static_cast<ElementType>(op.integer("output_dtype"));
  ElementType to = given == ElementType::Undefined ? scale.element : given;
  if (Tensor matrix = constantMatrix(op, x, scale, zero, to))
    return op.result(matrix);
  if (failed(op.result(op.reshape(dequantized(op, *q, to), op.sizes(x)))))
    return failure();
  if (isInteger(x.element))
    op.noteDequantized(0, parameters(op, x, scale, zero));
  return success();
}

/// Scale and zero point from the range of x, widened to hold 0.
LogicalResult dynamicQuantizeLinear(Op &op) {
  Tensor x = op.input(0);
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, x.rank()));
  auto zero = [](const Scalars &s) { return s.constant(0); };
  Tensor high =
      op.reduce(x, all, false, x.element, zero, [](const Scalars &s, Value acc, Value v) { return s.max(acc, v); });
  Tensor low =
      op.reduce(x, all, false, x.element, zero, [](const Scalars &s, Value acc, Value v) { return s.min(acc, v); });
  Tensor scale = op.elementwise({high, low}, x.element, [](const Scalars &s, ValueRange v) {
    Value scale = s.div(s.sub(v[0], v[1]), s.constant(255));
    return s.select(s.compare(Compare::Equal, v[0], v[1]), s.constant(1), scale); // all 0: as onnxruntime has it
  });
  Tensor zeroPoint = op.elementwise({low, scale}, ElementType::UInt8, [](const Scalars &s, ValueRange v) {
    return quantize(s, s.sub(s.constant(0), s.div(v[0], v[1])), {}, ElementType::UInt8);
  });
  Tensor y = op.elementwise({x, scale, zeroPoint}, ElementType::UInt8, [](const Scalars &s, ValueRange v) {
    return quantize(s, s.div(v[0], v[1]), v[2], ElementType::UInt8);
  });
  return op.results({y, scale, zeroPoint});
}
} // namespace

void register_quantize_linear(Registry &registry) {
  registry.onOp(
      "QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
      "x{block_size}[A:axis,L,B*]|[_*] y_scale[]|[1|dim(x,or(axis,1))]|{block_size}[A*,ceil(L,block_size),B*] "
      "y_zero_point[]|[1|dim(x,or(axis,1))]|{block_size}[A*,ceil(L,block_size),B*] block_size>=0 "
      "0<=output_dtype<=28 precision=0|1|10|16 saturate=0|1",
      quantizeLinear);
  registry.onOp(
      "DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
      "x{block_size}[A:axis,L,B*]|[_*] x_scale[]|[1|dim(x,or(axis,1))]|{block_size}[A*,ceil(L,block_size),B*] "
      "x_zero_point[]|[1|dim(x,or(axis,1))]|{block_size}[A*,ceil(L,block_size),B*] block_size>=0 "
      "output_dtype=0|1|10|11|16",
      dequantizeLinear);
  registry.onOp("DynamicQuantizeLinear", {11}, "x[_*]", dynamicQuantizeLinear);
  registry.onOp("QuantizeLinear", {1}, "x[_*] y_scale[]|[1|dim(x,or(axis,1))] y_zero_point[]|[1|dim(x,or(axis,1))]",
                quantizeLinear, "com.microsoft");
  registry.onOp("DequantizeLinear", {1}, "x[_*] x_scale[]|[1|dim(x,or(axis,1))] x_zero_point[]|[1|dim(x,or(axis,1))]",
                dequantizeLinear, "com.microsoft");
}

} // namespace sinter
