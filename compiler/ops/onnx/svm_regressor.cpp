// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SVMRegressor: y = K(x, support vectors) coefficients + rho; without support vectors y = x coefficients + rho. Of one
// class y is 1 or -1.
#include "ops/contraction.h"
#include "ops/scores.h"
#include "ops/svm.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerSvmRegressor(Op &op) {
  Tensor x = op.cast(op.input(0), ElementType::Float);
  if (x.rank() == 1)
    x = op.unsqueeze(x, {0});
  SmallVector<double> coefficients = op.reals("coefficients");
  int64_t count = op.integer("n_supports"), rows = static_cast<int64_t>(coefficients.size());
  Tensor weights = floatConstant(op, coefficients, {rows, 1});
  if (count > 0) {
    FailureOr<Tensor> kernel = kernelOfSvm(op, x, count);
    if (failed(kernel))
      return failure();
    x = *kernel;
  }
  FailureOr<Tensor> sums = matmul(op, x, weights, false, false);
  if (failed(sums))
    return failure();
  double rho = op.reals("rho").front();
  bool isOneClass = op.integer("one_class") != 0;
  Tensor y = op.elementwise({*sums}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
    Value sum = s.add(v[0], s.constant(rho));
    return isOneClass ? s.select(s.compare(Compare::Greater, sum, s.constant(0)), s.constant(1), s.constant(-1)) : sum;
  });
  return op.result(postTransformed(op, y, op.string("post_transform", "NONE")));
}
} // namespace

void register_svm_regressor(Registry &registry) {
  registry.onOp("SVMRegressor", {1},
                "X[F]|[N,F] n_supports>=0 #rho>=1 {n_supports=0}#coefficients=F {n_supports}#coefficients=n_supports "
                "{n_supports}#support_vectors%n_supports=0 {n_supports}#support_vectors=n_supports*F "
                "kernel_type=LINEAR|POLY|RBF|SIGMOID "
                "post_transform=NONE|SOFTMAX|LOGISTIC|SOFTMAX_ZERO|PROBIT",
                lowerSvmRegressor, "ai.onnx.ml");
}

} // namespace sinter
