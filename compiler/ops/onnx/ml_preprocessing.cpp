// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preprocessing operators of ai.onnx.ml: elementwise arithmetic with per-feature constants, and selections.
#include "ops/norms.h"
#include "ops/scores.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerBinarizer(Op &op) {
  double threshold = op.real("threshold", 0);
  return op.resultUnary([&](const Scalars &s, Value x) {
    return s.select(s.compare(Compare::Greater, x, s.constant(threshold)), s.constant(1), s.constant(0));
  });
}

LogicalResult lowerScaler(Op &op) {
  SmallVector<double> offset = op.reals("offset"), scale = op.reals("scale");
  if (offset.empty())
    offset = {0};
  if (scale.empty())
    scale = {1};
  Tensor x = op.cast(op.input(0), ElementType::Float);
  return op.resultElementwise({x, perFeature(op, offset), perFeature(op, scale)}, ElementType::Float,
                              [](const Scalars &s, ValueRange v) { return s.mul(s.sub(v[0], v[1]), v[2]); });
}

LogicalResult lowerNormalizer(Op &op) {
  StringRef norm = op.string("norm", "MAX");
  Tensor x = op.cast(op.input(0), ElementType::Float);
  double p = norm == "L1" ? 1 : 2;
  bool isMax = norm == "MAX";
  Tensor total = op.reduce(
      x, {x.rank() - 1}, true, ElementType::Float, [&](const Scalars &s) { return isMax ? s.lowest() : s.constant(0); },
      [&](const Scalars &s, Value acc, Value v) { return isMax ? s.max(acc, v) : s.add(acc, powerOfNorm(s, v, p)); });
  return op.result(op.elementwise({x, total}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
    Value divisor = isMax ? v[1] : rootOfNorm(s, v[1], p);
    Value isZero = s.compare(Compare::Equal, divisor, s.constant(0));
    return s.div(v[0], s.select(isZero, s.constant(1), divisor));
  }));
}

LogicalResult lowerImputer(Op &op) {
  Tensor x = op.input(0);
  bool real = sinter::isFloat(x.element);
  SmallVector<double> values =
      real ? op.reals("imputed_value_floats") : llvm::to_vector_of<double>(op.integers("imputed_value_int64s"));
  double replaced =
      real ? op.real("replaced_value_float", 0) : static_cast<double>(op.integer("replaced_value_int64", 0));
  if (values.empty())
    return op.fail(Code::ShapeMismatch, "an Imputer without imputed values");
  Tensor imputed = op.cast(perFeature(op, values), x.element);
  return op.resultElementwise({x, imputed}, x.element, [&](const Scalars &s, ValueRange v) {
    Value isMissing = std::isnan(replaced) ? s.compare(Compare::NotEqual, v[0], v[0])
                                           : s.compare(Compare::Equal, v[0], s.constant(replaced));
    return s.select(isMissing, v[1], v[0]);
  });
}

LogicalResult lowerFeatureExtractor(Op &op) {
  Tensor x = op.input(0), places = op.reshape(op.input(1), {product(op.b, op.loc, op.sizes(op.input(1)))});
  if (x.rank() == 0)
    return op.fail(Code::ShapeMismatch, "features of a scalar");
  Sizes sizes = op.sizes(x);
  Size length = sizes.back();
  sizes.back() = op.size(places, 0);
  if (x.rank() == 1)
    sizes.insert(sizes.begin(), sizeOf(op.b, 1));
  return op.result(op.generate(sizes, x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    SmallVector<Value> from(at.take_back(x.rank()));
    Value index = nb.create<tensor::ExtractOp>(op.loc, places.value, at.back());
    from.back() = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), index, toValue(nb, op.loc, length), false);
    return nb.create<tensor::ExtractOp>(op.loc, x.value, from);
  }));
}

LogicalResult lowerVectorizer(Op &op) {
  SmallVector<Tensor> parts, inputs = op.inputs();
  SmallVector<int64_t> widths = op.integers("inputdimensions");
  if (widths.size() != inputs.size())
    return op.fail(Code::ShapeMismatch, "'inputdimensions' has " + Twine(widths.size()) + " numbers for " +
                                            Twine(inputs.size()) + " inputs");
  for (auto [x, width] : llvm::zip(inputs, widths)) {
    if (failed(mustBeEqual(op, op.size(x, x.rank() - 1), sizeOf(op.b, width),
                           "'inputdimensions' says " + Twine(width) + " of an input of another width")))
      return failure();
    parts.push_back(op.cast(x.rank() == 1 ? op.unsqueeze(x, {0}) : x, ElementType::Float));
  }
  auto joined = op.call("Concat", 13, parts, op.param("axis", int64_t(1)));
  return failed(joined) ? failure() : op.result(joined->front());
}
} // namespace

void register_ml_preprocessing(Registry &registry) {
  StringRef ml = "ai.onnx.ml";
  registry.onOp("Binarizer", {1}, "X[_*]", lowerBinarizer, ml);
  registry.onOp("Scaler", {1}, "X[_*,F] offset[1|F] scale[1|F] has(offset)=1 has(scale)=1", lowerScaler, ml);
  registry.onOp("Normalizer", {1}, "X[C]|[N,C] norm=MAX|L1|L2", lowerNormalizer, ml);
  registry.onOp("Imputer", {1},
                "X[_*,F] imputed_value_floats[1|F] imputed_value_int64s[1|F] "
                "has(imputed_value_floats)+has(imputed_value_int64s)=1",
                lowerImputer, ml);
  registry.onOp("ArrayFeatureExtractor", {1}, "X[_+] Y[I*] {dim(X,-1)=0}product(I)=0", lowerFeatureExtractor, ml);
  registry.onOp("FeatureVectorizer", {1}, "X[_]|[N,_]", lowerVectorizer, ml);
}

} // namespace sinter
