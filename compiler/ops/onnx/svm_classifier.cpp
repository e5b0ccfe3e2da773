// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SVMClassifier as libsvm and onnxruntime compute it. With support vectors each pair of classes has a score, and the
// class that wins most pairs is the label; prob_a and prob_b make probabilities of the scores, which are coupled to
// those of classes. Without support vectors each class has a score. Where ONNX's text has one score per class,
// onnxruntime returns those of pairs, [-s, s] for two classes; that is followed.
#include "ops/contraction.h"
#include "ops/math.h"
#include "ops/scores.h"
#include "ops/svm.h"

using namespace mlir;

namespace sinter {
namespace {

struct Classifier {
  List labels;
  SmallVector<int64_t> vectorsPerClass;
  int64_t classes, vectors, pairs;
};

/// [vectors, pairs]: what each support vector adds to the score of a pair. libsvm keeps classes - 1 rows, of which a
/// vector of class i has its coefficient against class j in row j, or j - 1 where j is behind i.
Tensor pairCoefficients(const Op &op, const Classifier &svm) {
  SmallVector<double> given = op.reals("coefficients"), table(svm.vectors * svm.pairs, 0);
  SmallVector<int64_t> start{0};
  for (int64_t count : svm.vectorsPerClass)
    start.push_back(start.back() + count);
  int64_t pair = 0;
  for (int64_t i = 0; i < svm.classes; ++i)
    for (int64_t j = i + 1; j < svm.classes; ++j, ++pair) {
      for (int64_t v = start[i]; v < start[i + 1]; ++v)
        table[v * svm.pairs + pair] = given[(j - 1) * svm.vectors + v];
      for (int64_t v = start[j]; v < start[j + 1]; ++v)
        table[v * svm.pairs + pair] = given[i * svm.vectors + v];
    }
  return floatConstant(op, table, {svm.vectors, svm.pairs});
}

/// Platt's sigmoid of each pair's score, kept off 0 and 1, and coupled.
Tensor probabilities(const Op &op, const Classifier &svm, Tensor scores) {
  SmallVector<double> slopes = op.reals("prob_a"), offsets = op.reals("prob_b");
  Tensor a = perFeature(op, ArrayRef(slopes).take_front(svm.pairs)),
         b = perFeature(op, ArrayRef(offsets).take_front(svm.pairs));
  Tensor first = op.elementwise({scores, a, b}, ElementType::Float, [](const Scalars &s, ValueRange v) {
    constexpr double least = 1e-7f;
    Value p = s.sub(s.constant(1), sigmoid(s, s.add(s.mul(v[0], v[1]), v[2])));
    return s.min(s.max(p, s.constant(least)), s.constant(1.0f - 1e-7f));
  });
  Size classes = sizeOf(op.b, svm.classes);
  constexpr ElementType real = ElementType::Float;
  return op.kernel("pairwise_coupling", {first},
                   {{{op.size(scores, 0), classes}, real}, {{classes, classes}, real}, {{classes}, real}})[0];
}

LogicalResult byVectors(Op &op, const Classifier &svm, Tensor x) {
  FailureOr<Tensor> kernel = kernelOfSvm(op, x, svm.vectors);
  if (failed(kernel))
    return failure();
  FailureOr<Tensor> sums = matmul(op, *kernel, pairCoefficients(op, svm), false, false);
  if (failed(sums))
    return failure();
  SmallVector<double> rho = op.reals("rho");
  Tensor scores = op.elementwise({*sums, perFeature(op, ArrayRef(rho).take_front(svm.pairs))}, ElementType::Float,
                                 [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  Sizes rows{op.size(x, 0)}, classes{sizeOf(op.b, svm.classes)};
  constexpr ElementType index = ElementType::Int64;
  Tensor label = entriesAt(op, svm.labels, op.kernel("pairwise_votes", {scores}, {{rows, index}, {classes, index}})[0]);
  StringRef how = op.string("post_transform", "NONE");
  bool hasProbabilities = !op.reals("prob_a").empty();
  if (svm.classes == 2 && !hasProbabilities) {
    if (how == "PROBIT")
      return op.unsupported("post_transform 'PROBIT' of one score for two classes");
    TwoScores pair = how == "NONE"       ? TwoScores::Opposite
                     : how == "LOGISTIC" ? TwoScores::Logistic
                                         : TwoScores::Complement;
    return op.results({label, scoresOfTwo(op, scores, pair)});
  }
  FailureOr<Tensor> transformed = postTransformed(op, hasProbabilities ? probabilities(op, svm, scores) : scores, how);
  return failed(transformed) ? failure() : op.results({label, *transformed});
}

LogicalResult byClass(Op &op, const Classifier &svm, Tensor x) {
  SmallVector<double> coefficients = op.reals("coefficients");
  int64_t features = static_cast<int64_t>(coefficients.size()) / svm.classes;
  FailureOr<Tensor> product = matmul(op, x, floatConstant(op, coefficients, {svm.classes, features}), false, true);
  if (failed(product))
    return failure();
  double rho = op.reals("rho").front();
  Tensor scores = op.elementwise({*product}, ElementType::Float,
                                 [&](const Scalars &s, ValueRange v) { return s.add(v[0], s.constant(rho)); });
  FailureOr<Tensor> label;
  if (svm.classes == 2) { // the second where the larger score is above a limit, else that of the larger score
    bool allPositive = llvm::all_of(coefficients, [](double c) { return c >= 0; });
    Tensor places = op.generate({op.size(scores, 0)}, ElementType::Int64, [&](OpBuilder &nb, ValueRange at) -> Value {
      Scalars s{nb, op.loc, ElementType::Float}, number{nb, op.loc, ElementType::Int64};
      auto score = [&](int64_t c) -> Value {
        return nb.create<tensor::ExtractOp>(op.loc, scores.value,
                                            ValueRange{at[0], nb.create<arith::ConstantIndexOp>(op.loc, c)});
      };
      Value zeroth = score(0), first = score(1), most = s.max(zeroth, first);
      Value isSecond = nb.create<arith::OrIOp>(
          op.loc, s.compare(Compare::Greater, first, zeroth),
          s.compare(allPositive ? Compare::GreaterOrEqual : Compare::Greater, most, s.constant(allPositive ? 0.5 : 0)));
      return number.select(isSecond, number.integer(1), number.integer(0));
    });
    label = entriesAt(op, svm.labels, places);
  } else {
    label = labelOfLargest(op, scores, svm.labels);
  }
  FailureOr<Tensor> transformed = postTransformed(op, scores, op.string("post_transform", "NONE"));
  return failed(label) || failed(transformed) ? failure() : op.results({*label, *transformed});
}

LogicalResult lowerSvmClassifier(Op &op) {
  std::optional<List> labels = listOf(op, "classlabels");
  if (!labels)
    return op.fail(Code::ShapeMismatch, "a classifier without labels");
  Classifier svm{*labels, op.integers("vectors_per_class"), labels->size(), 0, 0};
  int64_t coefficients = op.reals("coefficients").size(), vectors = op.reals("support_vectors").size();
  for (int64_t count : svm.vectorsPerClass) {
    if (count < 0 || count > vectors - svm.vectors)
      return op.fail(Code::ShapeMismatch, "a class has " + Twine(count) + " support vectors");
    svm.vectors += count;
  }
  svm.pairs = svm.classes * (svm.classes - 1) / 2;
  Tensor x = op.cast(op.input(0), ElementType::Float);
  if (x.rank() == 1)
    x = op.unsqueeze(x, {0});
  std::optional<int64_t> features = constantOf(op.size(x, 1));
  auto wrong = [&](const Twine &what) { return op.fail(Code::ShapeMismatch, what); };
  if (svm.vectors == 0) {
    if (coefficients == 0 || coefficients % svm.classes || (features && coefficients != svm.classes * *features))
      return wrong(Twine(coefficients) + " coefficients for " + Twine(svm.classes) + " classes");
    return byClass(op, svm, x);
  }
  if (svm.pairs == 0)
    return wrong("support vectors of a single class");
  if (static_cast<int64_t>(svm.vectorsPerClass.size()) != svm.classes)
    return wrong("there are " + Twine(svm.vectorsPerClass.size()) + " numbers of vectors for " + Twine(svm.classes) +
                 " classes");
  if (coefficients < (svm.classes - 1) * svm.vectors)
    return wrong(Twine(coefficients) + " coefficients for " + Twine(svm.vectors) + " support vectors");
  if (vectors % svm.vectors || (features && vectors != svm.vectors * *features))
    return wrong(Twine(vectors) + " numbers for " + Twine(svm.vectors) + " support vectors");
  for (StringRef name : {"rho", "prob_a", "prob_b"})
    if (int64_t count = op.reals(name).size(); count < svm.pairs && (name == "rho" || count > 0))
      return wrong("'" + name + "' has " + Twine(count) + " numbers for " + Twine(svm.pairs) + " pairs of classes");
  constexpr int64_t mostWeights = int64_t(1) << 28;
  if (svm.vectors > mostWeights / svm.pairs)
    return op.fail(Code::TooManyElements, Twine(svm.vectors) + " support vectors with a weight for each of " +
                                              Twine(svm.pairs) + " pairs of classes");
  return byVectors(op, svm, x);
}
} // namespace

void register_svm_classifier(Registry &registry) {
  registry.onOp("SVMClassifier", {1},
                "X[F]|[N,F] #rho>=1 #prob_a=#prob_b kernel_type=LINEAR|POLY|RBF|SIGMOID "
                "post_transform=NONE|SOFTMAX|LOGISTIC|SOFTMAX_ZERO|PROBIT",
                lowerSvmClassifier, "ai.onnx.ml");
}

} // namespace sinter
