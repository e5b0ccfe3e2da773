// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attribute getters of Op: the schema's defaults are already in the node's dictionary.
#include "lowering.h"

using namespace mlir;

namespace sinter {

Attribute Op::attribute(StringRef name) const { return node.getAttrs().get(name); }

bool Op::hasAttribute(StringRef name) const { return attribute(name) != nullptr; }

int64_t Op::integer(StringRef name, int64_t fallback) const {
  auto value = dyn_cast_or_null<IntegerAttr>(attribute(name));
  return value ? value.getInt() : fallback;
}

double Op::real(StringRef name, double fallback) const {
  auto value = dyn_cast_or_null<FloatAttr>(attribute(name));
  return value ? value.getValueAsDouble() : fallback;
}

StringRef Op::string(StringRef name, StringRef fallback) const {
  auto value = dyn_cast_or_null<StringAttr>(attribute(name));
  return value ? value.getValue() : fallback;
}

SmallVector<int64_t> Op::integers(StringRef name, ArrayRef<int64_t> fallback) const {
  auto value = dyn_cast_or_null<DenseI64ArrayAttr>(attribute(name));
  return SmallVector<int64_t>(value ? value.asArrayRef() : fallback);
}

SmallVector<double> Op::reals(StringRef name) const {
  auto value = dyn_cast_or_null<DenseF32ArrayAttr>(attribute(name));
  return value ? llvm::to_vector_of<double>(value.asArrayRef()) : SmallVector<double>();
}

SmallVector<StringRef> Op::strings(StringRef name) const {
  SmallVector<StringRef> values;
  if (auto array = dyn_cast_or_null<ArrayAttr>(attribute(name)))
    for (Attribute element : array)
      values.push_back(llvm::cast<StringAttr>(element).getValue());
  return values;
}

} // namespace sinter
