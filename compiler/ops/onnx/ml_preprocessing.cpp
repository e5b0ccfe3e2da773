// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preprocessing operators of ai.onnx.ml: elementwise arithmetic with per-feature constants, selections, and lookups of
// numbers.
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

/// The value whose key equals x: a reduction over all keys.
LogicalResult lowerLabelEncoder(Op &op) {
  auto listOf = [&](StringRef what, Tensor &list) {
    SmallVector<int64_t> integers = op.integers((what + "_int64s").str());
    if (SmallVector<double> reals = op.reals((what + "_floats").str()); !reals.empty())
      list = perFeature(op, reals);
    else if (!integers.empty())
      list = op.integers(integers);
    else if (auto elements = dyn_cast_or_null<DenseElementsAttr>(op.attribute((what + "_tensor").str()));
             elements && elements.getElementType().isIntOrFloat())
      list = {op.b.create<WeightOp>(
                  op.loc,
                  RankedTensorType::get(elements.getType().getShape(),
                                        storageType(elementTypeOf(elements.getElementType()), op.b.getContext())),
                  elements, StringAttr()),
              elementTypeOf(elements.getElementType())};
    return static_cast<bool>(list);
  };
  Tensor x = op.input(0), keys, values;
  if (op.since < 2 || !listOf("keys", keys) || !listOf("values", values))
    return op.unsupported("LabelEncoder of strings", "encode labels as numbers");
  if (isFloat(keys.element) != isFloat(x.element) || x.element == ElementType::String)
    return op.fail(Code::WrongOperandType, "the keys are " + elementTypeName(keys.element) +
                                               " and the input a tensor(" + elementTypeName(x.element) + ")");
  if (keys.rank() != 1 || values.rank() != 1 || keys.shape()[0] != values.shape()[0])
    return op.fail(Code::ShapeMismatch, "there are not as many keys as values");
  Sizes sizes = op.sizes(x);
  int64_t rank = x.rank();
  double fallback =
      isFloat(values.element) ? op.real("default_float", 0) : static_cast<double>(op.integer("default_int64", -1));
  if (auto elements = dyn_cast_or_null<ElementsAttr>(op.attribute("default_tensor")))
    if (auto host = fromAttribute(op.attribute("default_tensor"), elements.getElementType()); host && host->size() == 1)
      fallback = host->numberAt(0);
  Scalars v{op.b, op.loc, values.element};
  Tensor init = op.filled(sizes, values.element, narrow(op.b, op.loc, values.element, v.constant(fallback)));
  SmallVector<AffineExpr> outer;
  for (int64_t d = 0; d < rank; ++d)
    outer.push_back(op.b.getAffineDimExpr(d));
  AffineMap own = AffineMap::get(rank + 1, 0, outer, op.b.getContext()),
            list = AffineMap::get(rank + 1, 0, op.b.getAffineDimExpr(rank), op.b.getContext());
  AffineMap maps[] = {own, list, list, own};
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  keys = op.cast(keys, x.element);
  auto generic = op.b.create<linalg::GenericOp>(
      op.loc, init.type(), ValueRange{x.value, keys.value, values.value}, init.value, maps, iterators,
      [&](OpBuilder &nb, Location nl, ValueRange args) {
        Scalars s{nb, nl, x.element};
        Value a = widen(nb, nl, x.element, args[0]), key = widen(nb, nl, x.element, args[1]),
              same = s.compare(Compare::Equal, a, key);
        if (s.isFloat()) { // NaN is a key like another
          Value bothNan =
              nb.create<arith::AndIOp>(nl, s.compare(Compare::NotEqual, a, a), s.compare(Compare::NotEqual, key, key));
          same = nb.create<arith::OrIOp>(nl, same, bothNan);
        }
        nb.create<linalg::YieldOp>(nl, nb.create<arith::SelectOp>(nl, same, args[2], args[3]).getResult());
      });
  return op.result({generic.getResult(0), values.element});
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
  registry.onOp("LabelEncoder", {1}, "X[_*]", lowerLabelEncoder, ml);
  registry.onOp("LabelEncoder", {2, 4},
                "X[_*] has(keys_floats)+has(keys_int64s)+has(keys_strings)+has(keys_tensor)=1 "
                "has(values_floats)+has(values_int64s)+has(values_strings)+has(values_tensor)=1",
                lowerLabelEncoder, ml);
}

} // namespace sinter
