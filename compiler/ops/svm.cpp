// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "svm.h"

#include "contraction.h"
#include "math.h"
#include "scores.h"
#include "tensor_math.h"

using namespace mlir;
using namespace sinter;

FailureOr<Tensor> sinter::kernelOfSvm(Op &op, Tensor x, int64_t count) {
  SmallVector<double> flat = op.reals("support_vectors");
  Tensor vectors = floatConstant(op, flat, {count, static_cast<int64_t>(flat.size()) / count});
  SmallVector<double> given = op.reals("kernel_params");
  given.resize(3);
  double gamma = given[0], r = given[1], degree = given[2];
  StringRef kind = op.string("kernel_type");
  if (kind == "RBF") {
    Tensor sums = squaredDistances(op, x, vectors);
    return op.elementwise({sums}, ElementType::Float,
                          [&](const Scalars &s, ValueRange v) { return exp(s, s.mul(v[0], s.constant(-gamma))); });
  }
  FailureOr<Tensor> product = matmul(op, x, vectors, false, true);
  if (failed(product) || kind == "LINEAR")
    return product;
  return op.elementwise({*product}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
    Value moved = s.add(s.mul(v[0], s.constant(gamma)), s.constant(r));
    return kind == "POLY" ? s.b.create<math::PowFOp>(s.loc, moved, s.constant(degree)).getResult() : tanh(s, moved);
  });
}
