// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ConstantOfShape: a tensor of given sizes filled with one value.
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {

void register_constant_of_shape(Registry &registry) {
  registry.onOp("ConstantOfShape", {9, 20, 21, 23, 24, 25}, "input[_]", [](Op &op) {
    FailureOr<Sizes> sizes = op.elements(0, "input");
    // Sizes from data stay within those that the model declares or the user states: it is filled at its bounded size.
    if (succeeded(sizes) && (declaredSizes(op) || statedBound(op, 0)))
      sizes = boundedSizes(op, *sizes);
    if (failed(sizes))
      return failure();
    auto value = dyn_cast_or_null<ElementsAttr>(op.attribute("value"));
    if (!value)
      return op.result(op.filled(*sizes, ElementType::Float, Scalars{op.b, op.loc, ElementType::Float}.constant(0)));
    ElementType type = elementTypeOf(value.getElementType());
    std::optional<HostTensor> host = fromAttribute(value, storageType(type, op.b.getContext()));
    if (!host || host->size() != 1 || type == ElementType::String)
      return op.unsupported("'value' is not a single number");
    Value scalar;
    if (auto held = dyn_cast<IntegerType>(storageType(type, op.b.getContext()))) // small floats by their bits
      scalar = op.b.create<arith::ConstantOp>(
          op.loc, IntegerAttr::get(held, APInt(held.getWidth(), static_cast<uint64_t>(host->integerAt(0)), true)));
    else
      scalar = narrow(op.b, op.loc, type, Scalars{op.b, op.loc, type}.constant(host->numberAt(0)));
    return op.result(op.filled(*sizes, type, scalar));
  });
}

} // namespace sinter
