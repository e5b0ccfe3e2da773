// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_match.h"

using namespace mlir;

namespace sinter {

NodeOp producer(Value value, StringRef opType) {
  auto node = value.getDefiningOp<NodeOp>();
  return node && node.getOpType() == opType && node.getDomain().empty() ? node : NodeOp();
}

NodeOp soleProducer(Value value, StringRef opType) { return value.hasOneUse() ? producer(value, opType) : NodeOp(); }

std::optional<double> splatNumber(Value value) {
  auto weight = value.getDefiningOp<WeightOp>();
  auto dense = weight ? dyn_cast<DenseFPElementsAttr>(weight.getValue()) : nullptr;
  if (!dense || !dense.isSplat())
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
