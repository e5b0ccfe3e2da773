// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ConvInteger and QLinearConv (com.microsoft's may have channels last): exact in int32; the latter scaled and quantized
// with one rounding.
#include "ops/channels_last.h"
#include "ops/quantization.h"
#include "ops/quantized_contractions.h"

using namespace mlir;

namespace sinter {

namespace {
/// The contraction of operands x and w, whose zero points are operands too.
FailureOr<Tensor> qlinearProduct(Op &op, unsigned x, std::optional<unsigned> xZero, unsigned w,
                                 std::optional<unsigned> wZero) {
  Tensor input = op.input(x), filter = op.input(w);
  int64_t group = op.integer("group", 1);
  Sizes sizes = op.sizes(input), filterSizes = op.sizes(filter);
  FailureOr<Window> window = windowOf(op, ArrayRef(sizes).drop_front(2), ArrayRef(filterSizes).drop_front(2));
  if (failed(window))
    return failure();
  auto zero = [&](std::optional<unsigned> i) { return i ? op.input(*i) : Tensor(); };
  return quantizedConvolve(op, input, zero(xZero), filter, zero(wZero), *window, group);
}

std::optional<unsigned> givenIndex(Op &op, unsigned i) { return op.has(i) ? std::optional(i) : std::nullopt; }

LogicalResult qlinearConv(Op &op) {
  FailureOr<Tensor> sum = qlinearProduct(op, 0, givenIndex(op, 2), 3, givenIndex(op, 5));
  if (failed(sum))
    return failure();
  Tensor xScale = op.reshape(op.input(1), {}), yScale = op.reshape(op.input(6), {}),
         yZero = op.reshape(op.input(7), {});
  Tensor factor = op.elementwise({xScale, op.input(4), yScale}, ElementType::Float,
                                 [](const Scalars &s, ValueRange v) { return s.div(s.mul(v[0], v[1]), v[2]); });
  SmallVector<Tensor> operands{*sum, alongAxis(op, factor, 1, sum->rank()), yZero};
  if (op.has(8))
    operands.push_back(alongAxis(op, op.input(8), 1, sum->rank()));
  return op.resultElementwise(operands, yZero.element, [&](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float};
    Value total = v.size() > 3 ? s.add(v[0], v[3]) : v[0];
    return quantize(f, f.mul(s.castTo(ElementType::Float, total), v[1]), v[2], yZero.element);
  });
}
} // namespace

void register_qlinear_conv(Registry &registry) {
  registry.onOp("ConvInteger", {10},
                "x[N,C,D+] w[M,C/group,K+] x_zero_point[]|[1] w_zero_point[]|[1|M] #K=#D K>=1 group>=1 M%group=0 "
                "kernel_shape[#D] kernel_shape=K strides[#D] strides>=1 dilations[#D] dilations>=1 pads[2*#D] pads>=0 "
                "auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID",
                [](Op &op) { return op.result(qlinearProduct(op, 0, givenIndex(op, 2), 1, givenIndex(op, 3))); });
  registry.onOp(
      "QLinearConv", {10},
      "x[N,C,D+] x_scale[]|[1] x_zero_point[]|[1] w[M,C/group,K+] w_scale[]|[1|M] w_zero_point[]|[1|M] y_scale[]|[1] "
      "y_zero_point[]|[1] B[M] #K=#D K>=1 group>=1 M%group=0 kernel_shape[#D] kernel_shape=K strides[#D] strides>=1 "
      "dilations[#D] dilations>=1 pads[2*#D] pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID",
      qlinearConv);
  registry.onOp(
      "QLinearConv", {1},
      "channels_last=0|1 x[N,_+,C]|{channels_last=0}[N,C,_+] x_scale[]|[1] x_zero_point[]|[1] w[M,C/group,K+] "
      "w_scale[]|[1|M] w_zero_point[]|[1|M] y_scale[]|[1] y_zero_point[]|[1] B[M]",
      [](Op &op) { return lowerChannelsLast(op, {0}, "QLinearConv", 10); }, "com.microsoft");
}

} // namespace sinter
