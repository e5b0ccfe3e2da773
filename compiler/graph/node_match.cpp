// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_match.h"

using namespace mlir;

namespace sinter {

NodeOp producer(Value value, StringRef opType) {
  auto node = value.getDefiningOp<NodeOp>();
  return node && node.getOpType() == opType && node.getDomain().empty() ? node : NodeOp();
}

NodeOp soleProducer(Value value, StringRef opType) { return value.hasOneUse() ? producer(value, opType) : NodeOp(); }

/// Whether a broadcast with a tensor of this shape leaves the other value's shape as it is.
static bool keepsShapeOf(ArrayRef<int64_t> shape, Value other) {
  auto type = dyn_cast<RankedTensorType>(other.getType());
  if (!type)
    return shape.size() <= 1 && llvm::all_of(shape, [](int64_t dim) { return dim == 1; });
  if (static_cast<int64_t>(shape.size()) > type.getRank())
    return false;
  return llvm::all_of(llvm::zip(shape, type.getShape().take_back(shape.size())), [](auto dims) {
    auto [own, others] = dims;
    return own == 1 || own == others;
  });
}

std::optional<double> splatNumber(Value value, Value other) {
  auto weight = value.getDefiningOp<WeightOp>();
  auto dense = weight ? dyn_cast<DenseFPElementsAttr>(weight.getValue()) : nullptr;
  if (!dense || !dense.isSplat() || !keepsShapeOf(dense.getType().getShape(), other))
    return std::nullopt;
  APFloat number = dense.getSplatValue<APFloat>();
  bool lossy;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return number.convertToDouble();
}

std::optional<int64_t> integerAttribute(NodeOp node, StringRef name) {
  auto attribute = node.getAttrs().getAs<IntegerAttr>(name);
  return attribute ? std::optional(attribute.getInt()) : std::nullopt;
}

} // namespace sinter
