// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lists.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;

namespace sinter {

List listOfIntegers(const Op &op, ArrayRef<int64_t> integers) {
  return {HostTensor::fromBytes(op.b.getI64Type(), {static_cast<int64_t>(integers.size())}, integers.data()),
          ElementType::Int64};
}

List listOfTexts(const Op &op, ArrayRef<StringRef> texts) {
  std::vector<std::string> strings;
  for (StringRef text : texts)
    strings.push_back(text.str());
  return {HostTensor::ofStrings(StringType::get(op.b.getContext()), {static_cast<int64_t>(texts.size())},
                                std::move(strings)),
          ElementType::String};
}

std::optional<List> listOf(const Op &op, StringRef name) {
  auto named = [&](StringRef type) { return (name + "_" + type).str(); };
  for (StringRef type : {"int64s", "ints"})
    if (SmallVector<int64_t> integers = op.integers(named(type)); !integers.empty())
      return listOfIntegers(op, integers);
  if (SmallVector<StringRef> texts = op.strings(named("strings")); !texts.empty())
    return listOfTexts(op, texts);
  if (SmallVector<double> reals = op.reals(named("floats")); !reals.empty()) {
    SmallVector<float> floats = llvm::to_vector_of<float>(reals);
    return List{HostTensor::fromBytes(op.b.getF32Type(), {static_cast<int64_t>(floats.size())}, floats.data()),
                ElementType::Float};
  }
  auto elements = dyn_cast_or_null<ElementsAttr>(op.attribute(named("tensor")));
  if (!elements)
    return std::nullopt;
  ElementType element = elementTypeOf(elements.getElementType());
  std::optional<HostTensor> host = fromAttribute(elements, storageType(element, op.b.getContext()));
  if (!host || host->size() == 0)
    return std::nullopt;
  return List{host->reshaped({host->size()}), element};
}

List entriesOf(const List &list, ArrayRef<int64_t> numbers) {
  int64_t count = static_cast<int64_t>(numbers.size());
  if (list.element == ElementType::String) {
    std::vector<std::string> texts;
    for (int64_t number : numbers)
      texts.push_back(list.values.strings()[number]);
    return {HostTensor::ofStrings(list.values.getElementType(), {count}, std::move(texts)), list.element};
  }
  HostTensor entries = HostTensor::allocate(list.values.getElementType(), {count});
  size_t width = list.values.bytesPerElement();
  const char *from = list.values.bytes();
  for (auto [i, number] : llvm::enumerate(numbers))
    std::memcpy(entries.mutableBytes() + i * width, from + static_cast<size_t>(number) * width, width);
  return {entries, list.element};
}

List joined(const List &list, const List &more) {
  int64_t count = list.size() + more.size();
  if (list.element == ElementType::String) {
    std::vector<std::string> texts = list.values.strings().vec();
    llvm::append_range(texts, more.values.strings());
    return {HostTensor::ofStrings(list.values.getElementType(), {count}, std::move(texts)), list.element};
  }
  HostTensor both = HostTensor::allocate(list.values.getElementType(), {count});
  std::memcpy(both.mutableBytes(), list.values.bytes(), list.values.sizeInBytes());
  std::memcpy(both.mutableBytes() + list.values.sizeInBytes(), more.values.bytes(), more.values.sizeInBytes());
  return {both, list.element};
}

Tensor tensorOf(const Op &op, const List &list) {
  auto type = RankedTensorType::get({list.size()}, storageType(list.element, op.b.getContext()));
  auto elements = cast<ElementsAttr>(toAttribute(list.values, type));
  return {op.b.create<WeightOp>(op.loc, type, elements, StringAttr()), list.element};
}

Tensor entriesAt(const Op &op, const List &list, Tensor places) {
  Tensor entries = tensorOf(op, list);
  return op.generate(op.sizes(places), list.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    Value place = nb.create<tensor::ExtractOp>(op.loc, places.value, at);
    Value size = nb.create<arith::ConstantIndexOp>(op.loc, list.size());
    Value inside = nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), place, size, false);
    return nb.create<tensor::ExtractOp>(op.loc, entries.value, inside);
  });
}

/// The order of the kernel find_key: numbers with NaN behind all of them, strings by their bytes.
static bool comesBefore(const List &list, int64_t a, int64_t b) {
  const HostTensor &values = list.values;
  if (list.element == ElementType::String)
    return StringRef(values.strings()[a]) < StringRef(values.strings()[b]);
  if (isInteger(list.element) || list.element == ElementType::Bool)
    return isUnsignedInteger(list.element)
               ? static_cast<uint64_t>(values.integerAt(a)) < static_cast<uint64_t>(values.integerAt(b))
               : values.integerAt(a) < values.integerAt(b);
  double x = values.numberAt(a), y = values.numberAt(b);
  return std::isnan(y) ? !std::isnan(x) : x < y;
}

Tensor placesAmong(const Op &op, Tensor x, const List &keys) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, keys.size()));
  llvm::stable_sort(order, [&](int64_t a, int64_t b) { return comesBefore(keys, a, b); });
  // Of equal keys the first counts.
  order.erase(std::unique(order.begin(), order.end(), [&](int64_t a, int64_t b) { return !comesBefore(keys, a, b); }),
              order.end());
  Sizes sizes = op.sizes(x), line{product(op.b, op.loc, sizes)};
  Tensor found = op.kernel("find_key", {op.reshape(x, line), tensorOf(op, entriesOf(keys, order))},
                           {{line, ElementType::Int64}})[0];
  bool isSorted = llvm::equal(order, llvm::seq<int64_t>(0, keys.size()));
  if (!isSorted) { // numbers of the sorted list to those of the given one
    order.push_back(keys.size());
    found = entriesAt(op, listOfIntegers(op, order), found);
  }
  return op.reshape(found, sizes);
}

} // namespace sinter
