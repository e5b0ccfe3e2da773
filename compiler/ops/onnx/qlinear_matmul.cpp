// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// QLinearMatMul: the product of two quantized matrices, exact in int32, scaled and quantized with one rounding.
#include "ops/quantization.h"
#include "ops/quantized_contractions.h"

using namespace mlir;

namespace sinter {

namespace {
/// Parameters of one side: for each row of the left operand, for each column of the right.
Tensor perRow(Op &op, Tensor p, Tensor x) { return alongAxis(op, p, std::max<int64_t>(x.rank() - 2, 0), x.rank()); }
Tensor perColumn(Op &op, Tensor p, Tensor x) { return alongAxis(op, p, std::max<int64_t>(x.rank() - 1, 0), x.rank()); }

} // namespace

void register_qlinear_matmul(Registry &registry) {
  registry.onOp("QLinearMatMul", {10, 21},
                "a[K]|[S~,M,K] a_scale[]|[1]|[_*,M,1]|{rank(a)=2}[]|{rank(a)=2}[1|M]|{rank(a)=2}[M,1] "
                "a_zero_point[]|[1]|[_*,M,1]|{rank(a)=2}[]|{rank(a)=2}[1|M]|{rank(a)=2}[M,1] b[K]|[S~,K,N] "
                "b_scale[]|[1|N]|[_*,1,N] "
                "b_zero_point[]|[1|N]|[_*,1,N] y_scale[]|[1|M]|[_*,M,1] y_zero_point[]|[1|M]|[_*,M,1]",
                [](Op &op) {
                  Tensor a = op.input(0), b = op.input(3), yScale = op.reshape(op.input(6), {}),
                         yZero = op.reshape(op.input(7), {});
                  if (isFloat(a.element) || isFloat(b.element))
                    return op.unsupported("QLinearMatMul on float8 operands",
                                          "export it as DequantizeLinear, MatMul, QuantizeLinear");
                  Tensor aScale = perRow(op, op.input(1), a), bScale = perColumn(op, op.input(4), b);
                  FailureOr<Tensor> product = quantizedMatmul(op, a, op.input(2), b, op.input(5));
                  if (failed(product) || failed(op.checkBroadcast({*product, aScale, bScale, yScale, yZero})))
                    return failure();
                  Tensor factor =
                      op.elementwise({aScale, bScale, yScale}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
                        Scalars f{s.b, s.loc, ElementType::Float};
                        return f.div(f.mul(s.castTo(ElementType::Float, v[0]), s.castTo(ElementType::Float, v[1])),
                                     s.castTo(ElementType::Float, v[2]));
                      });
                  return op.result(
                      op.elementwise({*product, factor, yZero}, yZero.element, [&](const Scalars &s, ValueRange v) {
                        Scalars f{s.b, s.loc, ElementType::Float};
                        return quantize(f, f.mul(s.castTo(ElementType::Float, v[0]), v[1]), v[2], yZero.element);
                      }));
                });
}

} // namespace sinter
