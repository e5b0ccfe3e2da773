// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ai.onnx.ml.LabelEncoder and CategoryMapper: a value for each key, and a default for what is none. Keys and values are
// numbers or strings. Of equal keys onnxruntime takes the first, and NaN is a key like another.
#include "ops/lists.h"

using namespace mlir;

namespace sinter {
namespace {

/// One element that stands for what has no key: default_tensor, or the attribute for the type of the values.
List fallbackFor(const Op &op, ElementType values) {
  if (std::optional<List> given = listOf(op, "default"); given && given->element == values)
    return entriesOf(*given, {0});
  if (values == ElementType::String)
    return listOfTexts(op, op.string("default_string", "_Unused"));
  Type type = storageType(values, op.b.getContext());
  std::optional<HostTensor> number =
      isFloat(values) ? fromAttribute(op.b.getFloatAttr(type, op.real("default_float", -0.0)), type)
                      : fromAttribute(op.b.getIntegerAttr(type, op.integer("default_int64", -1)), type);
  return {number->reshaped({1}), values};
}

LogicalResult lookUp(Op &op, const List &keys, const List &values) {
  Tensor x = op.input(0);
  if (keys.element != x.element)
    return op.fail(Code::WrongOperandType, "the keys are " + elementTypeName(keys.element) +
                                               " and the input a tensor(" + elementTypeName(x.element) + ")");
  if (keys.size() != values.size())
    return op.fail(Code::ShapeMismatch, "there are not as many keys as values");
  return op.result(entriesAt(op, joined(values, fallbackFor(op, values.element)), placesAmong(op, x, keys)));
}

/// Between strings and integers, in the direction that the input asks for.
LogicalResult lookUpEitherWay(Op &op, const List &integers, const List &texts) {
  bool isText = op.input(0).element == ElementType::String;
  return isText ? lookUp(op, texts, integers) : lookUp(op, integers, texts);
}

LogicalResult lowerLabelEncoder(Op &op) {
  if (op.since == 1) {
    SmallVector<StringRef> classes = op.strings("classes_strings");
    SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(classes.size())));
    return lookUpEitherWay(op, listOfIntegers(op, numbers), listOfTexts(op, classes));
  }
  std::optional<List> keys = listOf(op, "keys"), values = listOf(op, "values");
  if (!keys || !values)
    return op.fail(Code::ShapeMismatch, "a list of keys or values is empty");
  return lookUp(op, *keys, *values);
}

LogicalResult lowerCategoryMapper(Op &op) {
  return lookUpEitherWay(op, listOfIntegers(op, op.integers("cats_int64s")),
                         listOfTexts(op, op.strings("cats_strings")));
}
} // namespace

void register_label_encoder(Registry &registry) {
  StringRef ml = "ai.onnx.ml";
  registry.onOp("LabelEncoder", {1}, "X[_*]", lowerLabelEncoder, ml);
  registry.onOp("LabelEncoder", {2, 4},
                "X[_*] has(keys_floats)+has(keys_int64s)+has(keys_strings)+has(keys_tensor)=1 "
                "has(values_floats)+has(values_int64s)+has(values_strings)+has(values_tensor)=1",
                lowerLabelEncoder, ml);
  registry.onOp("CategoryMapper", {1}, "X[_*] cats_int64s[C] cats_strings[C]", lowerCategoryMapper, ml);
}

} // namespace sinter
