// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ai.onnx.ml.CastMap: the values of a map, cast, in the ascending order of its keys (DENSE), or each at the place that
// its key is (SPARSE), of which there are max_map; what has no key is 0, and "0.f" of text. As in onnxruntime keys of
// max_map and above are left out, negative ones end the call, floats are printed as by "%f", and the result is
// [1, values].
#include "frontend/limits.h"
#include "ops/lists.h"
#include "ops/maps.h"
#include "ops/text.h"

using namespace mlir;

namespace sinter {
namespace {

/// In the order of their keys; of equal keys the first.
FailureOr<Tensor> inOrderOfKeys(const Op &op, const Map &map, Tensor values) {
  auto distinct = op.call("Unique", 11, {map.keys}, {}, 2);
  if (failed(distinct))
    return failure();
  auto taken = op.call("Gather", 13, {values, (*distinct)[1]});
  if (failed(taken))
    return failure();
  return (*taken)[0];
}

/// By their keys as places among `count`, which lie in front of one for what is left out.
FailureOr<Tensor> atKeys(const Op &op, const Map &map, Tensor values, int64_t count, StringRef text) {
  Sizes all{sizeOf(op.b, count + 1)};
  Tensor slots =
      values.element == ElementType::String
          ? op.broadcastTo(tensorOf(op, listOfTexts(op, {text})), all)
          : op.filled(all, values.element,
                      narrow(op.b, op.loc, values.element, Scalars{op.b, op.loc, values.element}.constant(0)));
  Tensor places = op.elementwise({map.keys}, ElementType::Int64, [&](const Scalars &s, ValueRange v) -> Value {
    Value rest = s.integer(count), outside = s.integer(INT64_MAX);
    Value place = s.select(s.compare(Compare::Less, v[0], rest), v[0], rest);
    return s.select(s.compare(Compare::Less, v[0], s.integer(0)), outside, place);
  });
  FailureOr<Tensor> filled = withFirstOf(op, slots, places, values);
  if (failed(filled))
    return failure();
  return op.slice(*filled, {sizeOf(op.b, 0)}, {sizeOf(op.b, count)}, {sizeOf(op.b, 1)});
}

FailureOr<Tensor> castValues(const Op &op, Tensor x, ElementType to) {
  if (x.element != ElementType::String && to == ElementType::String)
    return textOfNumbers(op, x, /*places=*/6);
  auto made = op.call("Cast", 13, {x}, {op.param("to", static_cast<int64_t>(to))});
  if (failed(made))
    return failure();
  return (*made)[0];
}

LogicalResult lowerCastMap(Op &op) {
  const Map &map = mapOf(op, 0);
  StringRef wanted = op.string("cast_to", "TO_FLOAT");
  ElementType to = wanted == "TO_STRING"  ? ElementType::String
                   : wanted == "TO_INT64" ? ElementType::Int64
                                          : ElementType::Float;
  bool isSparse = op.string("map_form", "DENSE") == "SPARSE";
  int64_t count = op.integer("max_map", 1);
  if (isSparse && count >= mostElements)
    return op.fail(Code::TooManyElements, "max_map is " + Twine(count));
  auto placed = [&](Tensor values, StringRef text) {
    return isSparse ? atKeys(op, map, values, count, text) : inOrderOfKeys(op, map, values);
  };
  // Text is read where it has got to, so that what is left out need not be a number.
  bool isRead = map.values.element == ElementType::String && to != ElementType::String;
  FailureOr<Tensor> y = isRead ? placed(map.values, "0") : castValues(op, map.values, to);
  if (succeeded(y))
    y = isRead ? castValues(op, *y, to) : placed(*y, "0.f");
  if (failed(y))
    return failure();
  return op.result(op.reshape(*y, {sizeOf(op.b, 1), op.size(*y, 0)}));
}
} // namespace

void register_cast_map(Registry &registry) {
  registry.onOp("CastMap", {1},
                "X[_*] cast_to=TO_FLOAT|TO_STRING|TO_INT64 map_form=DENSE|SPARSE {map_form=SPARSE}max_map>=1",
                lowerCastMap, "ai.onnx.ml");
}

} // namespace sinter
