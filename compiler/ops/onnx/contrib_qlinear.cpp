// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's quantized functions of one tensor, pools and means: dequantized, computed in float, quantized; fusion
// makes one loop nest of it. onnxruntime is their definition: how it rounds is kept, since averages often end halfway.
#include "ops/channels_last.h"
#include "ops/domains.h"
#include "ops/math.h"
#include "ops/quantization.h"
#include "ops/size_relation.h"
#include "ops/spatial.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {

namespace {
Tensor scalarParameter(Op &op, unsigned i) { return op.reshape(op.input(i), {}); }

/// x as float, with scale and zero point (may be absent) in the operands named.
Tensor dequantized(Op &op, Tensor x, unsigned scale, unsigned zero) {
  SmallVector<Tensor> operands{x, scalarParameter(op, scale)};
  if (op.has(zero))
    operands.push_back(scalarParameter(op, zero));
  return op.elementwise(operands, ElementType::Float, [](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float};
    Value wide = s.castTo(ElementType::Float, v[0]);
    return f.mul(v.size() > 2 ? f.sub(wide, s.castTo(ElementType::Float, v[2])) : wide, v[1]);
  });
}

/// The last step: y (a float) in steps of the result, its zero point (may be null), its type.
using RoundingFunction = Value(const Scalars &, Value, Value, ElementType);

Tensor quantized(Op &op, Tensor y, Tensor scale, unsigned zero, ElementType to, RoundingFunction *rounding) {
  SmallVector<Tensor> operands{y, scale};
  if (op.has(zero))
    operands.push_back(scalarParameter(op, zero));
  return op.elementwise(operands, to, [&](const Scalars &s, ValueRange v) {
    return rounding(s, s.div(v[0], v[1]), v.size() > 2 ? v[2] : Value(), to);
  });
}

Tensor quantized(Op &op, Tensor y, unsigned scale, unsigned zero, ElementType to,
                 RoundingFunction *rounding = quantize) {
  return quantized(op, y, scalarParameter(op, scale), zero, to, rounding);
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

/// Y = another operator of X.
LogicalResult unary(Op &op, StringRef opType, int64_t since, ArrayRef<NamedAttribute> attributes,
                    RoundingFunction *rounding = quantize) {
  auto y = op.call(opType, since, dequantized(op, op.input(0), 1, 2), attributes);
  return failed(y) ? failure() : op.result(quantized(op, (*y)[0], 3, 4, op.input(0).element, rounding));
}

/// The node's own attributes but for those named.
SmallVector<NamedAttribute> attributesWithoutNames(Op &op, ArrayRef<StringRef> names) {
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : op.node.getAttrs())
    if (!llvm::is_contained(names, attribute.getName().strref()))
      kept.push_back(attribute);
  return kept;
}

/// Scale and zero point of X (operands 1, 2) and Y (3, 4), as kernels take them, if they are known.
struct Constants {
  double xScale, yScale;
  int64_t xZero, yZero;

  static std::optional<Constants> of(const Op &op) {
    auto zero = [&](unsigned i) { return op.has(i) ? op.constantIntegers(i) : SmallVector<int64_t>{0}; };
    auto xs = op.constantReals(1), ys = op.constantReals(3);
    auto xz = zero(2), yz = zero(4);
    if (!xs || !ys || !xz || !yz || xs->size() != 1 || ys->size() != 1 || xz->size() != 1 || yz->size() != 1)
      return std::nullopt;
    return Constants{xs->front(), ys->front(), xz->front(), yz->front()};
  }
};

LogicalResult averages(Op &op, const Window &window, bool integerSums, const Constants &known) {
  auto scales = PoolScalesAttr::get(op.b.getContext(), op.b.getF64FloatAttr(known.xScale), known.xZero,
                                    op.b.getF64FloatAttr(known.yScale), known.yZero, op.b.getBoolAttr(integerSums));
  return op.result(pool(op, op.input(0), window, PoolKind::Average, op.integer("count_include_pad") != 0, scales));
}

LogicalResult lowerQLinearAveragePool(Op &op) {
  if (op.integer("channels_last"))
    return lowerChannelsLast(op, {0}, "QLinearAveragePool", 1, microsoftDomain);
  Tensor x = op.input(0);
  std::optional<Constants> known = Constants::of(op);
  if (known && x.rank() >= 3 && x.rank() <= 5) {
    FailureOr<Window> window =
        windowOf(op, ArrayRef(op.sizes(x)).drop_front(2), sizesOf(op.b, op.integers("kernel_shape")));
    if (failed(window))
      return failure();
    auto isKnown = [](Size pad) { return constantOf(pad).has_value(); };
    if (llvm::all_of(window->low, isKnown) && llvm::all_of(window->high, isKnown))
      return averages(op, *window, false, *known);
  }
  return unary(op, "AveragePool", 19, attributesWithoutNames(op, {"channels_last"}), quantizeWithZero);
}

/// One window over the whole image, whose sum of integers is exact.
LogicalResult lowerQLinearGlobalAveragePool(Op &op) {
  if (op.integer("channels_last"))
    return lowerChannelsLast(op, {0}, "QLinearGlobalAveragePool", 1, microsoftDomain);
  Tensor x = op.input(0);
  std::optional<Constants> known = Constants::of(op);
  if (!known || x.rank() < 3 || x.rank() > 5 || !x.type().hasStaticShape())
    return unary(op, "GlobalAveragePool", 22, attributesWithoutNames(op, {"channels_last"}));
  size_t rank = x.rank() - 2;
  Window window;
  window.kernel = sizesOf(op.b, x.type().getShape().drop_front(2));
  window.strides.assign(rank, 1);
  window.dilations.assign(rank, 1);
  window.outputs.assign(rank, sizeOf(op.b, 1));
  window.low.assign(rank, sizeOf(op.b, 0));
  window.high = window.low;
  return averages(op, window, true, *known);
}

/// In whole steps to 1: a scale of 1/255 that is rounded up gives 254 of them.
LogicalResult lowerQLinearSoftmax(Op &op) {
  Tensor x = op.input(0);
  bool isOld = op.integer("opset", 13) < 13;
  FailureOr<int64_t> axis = op.axis(op.integer("axis", isOld ? 1 : -1), x.rank());
  if (failed(axis))
    return failure();
  if (std::optional<Constants> known = Constants::of(op)) {
    Sizes sizes = op.sizes(x);
    ArrayRef<Size> all(sizes);
    auto count = [&](ArrayRef<Size> some) { return product(op.b, op.loc, some); };
    Sizes folded{count(all.take_front(*axis)), sizes[*axis], count(all.drop_front(*axis + 1))};
    if (isOld) // all dims from the axis on are one
      folded = {folded[0], count(all.drop_front(*axis)), sizeOf(op.b, 1)};
    NamedAttribute params[] = {op.paramReal("x_scale", known->xScale),
                               op.paramReal("steps", std::floor(1.0f / float(known->yScale))),
                               op.param("y_zero", known->yZero)};
    Tensor y = op.kernel("quantized_softmax", {op.reshape(x, folded)}, {{folded, x.element}}, params)[0];
    return op.result(op.reshape(y, sizes));
  }
  auto y = op.call("Softmax", isOld ? 11 : 13, dequantized(op, x, 1, 2), attributesWithoutNames(op, {"opset"}));
  if (failed(y))
    return failure();
  Tensor unit = op.elementwise({scalarParameter(op, 3)}, ElementType::Float, [](const Scalars &s, ValueRange v) {
    return s.div(s.constant(1), s.b.create<math::FloorOp>(s.loc, s.div(s.constant(1), v[0])));
  });
  return op.result(quantized(op, (*y)[0], unit, 4, x.element, quantize));
}

LogicalResult lowerQLinearWhere(Op &op) {
  Tensor x = dequantized(op, op.input(1), 2, 3), y = dequantized(op, op.input(4), 5, 6);
  if (failed(op.checkBroadcast({op.input(0), x, y})))
    return failure();
  Tensor z = op.elementwise({op.input(0), x, y}, ElementType::Float,
                            [](const Scalars &s, ValueRange v) { return s.select(v[0], v[1], v[2]); });
  return op.result(quantized(op, z, 7, 8, op.input(1).element));
}

/// Parts come as (tensor, scale, zero point), each brought to the result's scale where it has another one.
LogicalResult lowerQLinearConcat(Op &op) {
  auto held = [&](Tensor x, unsigned scale) {
    return Dequantized{x, scalarParameter(op, scale), scalarParameter(op, scale + 1), std::nullopt};
  };
  if (op.inputCount() % 3 != 2)
    return op.fail(Code::ShapeMismatch, "each part comes with a scale and a zero point");
  SmallVector<Tensor> parts;
  ElementType to = op.input(1).element;
  for (unsigned i = 2; i < op.inputCount(); i += 3) {
    for (unsigned k : {i, i + 1, i + 2})
      if (!op.has(k))
        return op.fail(Code::WrongOperandCount, "input " + Twine(k) + " is left out");
    for (unsigned k : {i + 1, i + 2})
      if (failed(mustBeEqual(op, product(op.b, op.loc, op.sizes(op.input(k))), sizeOf(op.b, 1),
                             "input " + Twine(k) + " is not one scale or zero point")))
        return failure();
    Tensor part = op.input(i);
    bool isHeldSo = areAlike(op, held(part, i + 1), held({{}, to}, 0));
    parts.push_back(isHeldSo ? part : quantized(op, dequantized(op, part, i + 1, i + 2), 0, 1, to));
  }
  if (parts.empty())
    return op.fail(Code::ShapeMismatch, "there is nothing to concatenate");
  auto y = op.call("Concat", 13, parts, op.param("axis", op.integer("axis")));
  return failed(y) ? failure() : op.result((*y)[0]);
}
} // namespace

void register_contrib_qlinear(Registry &registry) {
  registry.onOp(
      "QLinearSigmoid", {1}, "X[_*] X_scale[]|[1] X_zero_point[]|[1] Y_scale[]|[1] Y_zero_point[]|[1]",
      [](Op &op) { return unary(op, "Sigmoid", 13, {}); }, microsoftDomain);
  registry.onOp(
      "QLinearLeakyRelu", {1}, "X[_*] X_scale[]|[1] X_zero_point[]|[1] Y_scale[]|[1] Y_zero_point[]|[1]",
      [](Op &op) { return unary(op, "LeakyRelu", 16, attributesWithoutNames(op, {})); }, microsoftDomain);
  registry.onOp("QLinearSoftmax", {1}, "X[_*] X_scale[]|[1] x_zero_point[]|[1] y_scale[]|[1] y_zero_point[]|[1] axis@X",
                lowerQLinearSoftmax, microsoftDomain);
  registry.onOp(
      "QLinearReduceMean", {1},
      "data[_*] data_scale[]|[1] data_zero_point[]|[1] reduced_scale[]|[1] reduced_zero_point[]|[1] axes@data",
      [](Op &op) { return unary(op, "ReduceMean", 13, attributesWithoutNames(op, {})); }, microsoftDomain);
  registry.onOp("QLinearAveragePool", {1},
                "X[N,C,D+]|{channels_last}[N,D+,C] x_scale[]|[1] x_zero_point[]|[1] y_scale[]|[1] y_zero_point[]|[1] "
                "kernel_shape[#D] "
                "kernel_shape>=1 strides[#D] strides>=1 pads[2*#D] auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID "
                "ceil_mode=0|1 count_include_pad=0|1",
                lowerQLinearAveragePool, microsoftDomain);
  registry.onOp("QLinearGlobalAveragePool", {1},
                "X[N,C,_+] x_scale[]|[1] x_zero_point[]|[1] y_scale[]|[1] y_zero_point[]|[1]",
                lowerQLinearGlobalAveragePool, microsoftDomain);
  registry.onOp("QLinearWhere", {1},
                "condition[S~] X[S~] x_scale[]|[1] x_zero_point[]|[1] Y[S~] y_scale[]|[1] y_zero_point[]|[1] "
                "z_scale[]|[1] z_zero_point[]|[1]",
                lowerQLinearWhere, microsoftDomain);
  registry.onOp("QLinearConcat", {1}, "Y_scale[]|[1] Y_zero_point[]|[1] inputs[_*]", lowerQLinearConcat,
                microsoftDomain);
}

} // namespace sinter
