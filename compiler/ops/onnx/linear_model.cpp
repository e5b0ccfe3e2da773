// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LinearRegressor, LinearClassifier: x times the rows of `coefficients`, plus `intercepts`; of a classifier also the
// label of the largest score. One row for two classes is the score of the second.
#include "ops/contraction.h"
#include "ops/math.h"
#include "ops/scores.h"

using namespace mlir;

namespace sinter {
namespace {

/// [n, rows], x [n, features] or one sample [features].
FailureOr<Tensor> linearScores(Op &op, int64_t rows) {
  Tensor x = op.cast(op.input(0), ElementType::Float);
  if (x.rank() == 1)
    x = op.unsqueeze(x, {0});
  SmallVector<double> coefficients = op.reals("coefficients"), intercepts = op.reals("intercepts");
  int64_t count = coefficients.size();
  if (x.rank() != 2 || rows <= 0 || count == 0 || count % rows)
    return op.fail(Code::ShapeMismatch, Twine(count) + " coefficients for " + Twine(rows) + " scores");
  std::optional<int64_t> features = constantOf(op.size(x, 1));
  if (features && *features != count / rows)
    return op.fail(Code::ShapeMismatch,
                   Twine(count / rows) + " coefficients a score, but the input has " + Twine(*features) + " features");
  FailureOr<Tensor> product = matmul(op, x, floatConstant(op, coefficients, {rows, count / rows}), false, true);
  if (failed(product) || intercepts.empty())
    return product;
  if (static_cast<int64_t>(intercepts.size()) != rows)
    return op.fail(Code::ShapeMismatch, Twine(intercepts.size()) + " intercepts for " + Twine(rows) + " scores");
  return op.elementwise({*product, perFeature(op, intercepts)}, ElementType::Float,
                        [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
}

LogicalResult lowerLinearRegressor(Op &op) {
  FailureOr<Tensor> scores = linearScores(op, op.integer("targets", 1));
  if (failed(scores))
    return failure();
  return op.result(postTransformed(op, *scores, op.string("post_transform", "NONE")));
}

LogicalResult lowerLinearClassifier(Op &op) {
  std::optional<List> labels = listOf(op, "classlabels");
  if (!labels)
    return op.fail(Code::ShapeMismatch, "a classifier without labels");
  int64_t rows = op.reals("intercepts").size();
  FailureOr<Tensor> scores = linearScores(op, rows ? rows : labels->size());
  if (failed(scores))
    return failure();
  StringRef how = op.string("post_transform", "NONE");
  if (rows == 1) {
    if (labels->size() != 2)
      return op.fail(Code::ShapeMismatch, Twine(labels->size()) + " labels for one score, which tells two apart");
    return op.results({labelOfTwo(op, *scores, 0, *labels),
                       scoresOfTwo(op, *scores, how == "LOGISTIC" ? TwoScores::Logistic : TwoScores::Complement)});
  }
  if (labels->size() < rows)
    return op.fail(Code::ShapeMismatch, Twine(labels->size()) + " labels for " + Twine(rows) + " scores");
  FailureOr<Tensor> label = labelOfLargest(op, *scores, *labels), transformed = postTransformed(op, *scores, how);
  if (failed(label) || failed(transformed))
    return failure();
  return op.results({*label, *transformed});
}
} // namespace

void register_linear_model(Registry &registry) {
  registry.onOp("LinearRegressor", {1},
                "X[F]|[N,F] targets>=1 #coefficients=targets*F intercepts[0|targets] "
                "post_transform=NONE|SOFTMAX|LOGISTIC|SOFTMAX_ZERO|PROBIT",
                lowerLinearRegressor, "ai.onnx.ml");
  registry.onOp("LinearClassifier", {1},
                "X[F]|[N,F] #coefficients%F=0 post_transform=NONE|SOFTMAX|LOGISTIC|SOFTMAX_ZERO|PROBIT",
                lowerLinearClassifier, "ai.onnx.ml");
}

} // namespace sinter
