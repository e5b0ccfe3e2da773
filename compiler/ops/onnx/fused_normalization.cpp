// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FusedNormalization of domain "sinter", what recognize_norms.cpp makes: Y = (X - mean) / sqrt(variance + epsilon) *
// Scale + B over the last dim; not `centered`: X / sqrt(mean square + epsilon) * Scale. A parameter of more elements
// than the last dim of X makes Y longer, of which the graph's types need not tell: it is multiplied or added behind.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

/// Whether Y keeps the shape of x.
bool isShapeKept(const Op &op, Tensor parameter, Tensor x) {
  Size own = parameter.rank() ? op.size(parameter, 0) : sizeOf(op.b, 1);
  return constantOf(own) == 1 || (x.rank() && sameSize(own, op.size(x, x.rank() - 1)));
}

LogicalResult lowerFusedNormalization(Op &op) {
  Tensor x = op.input(0);
  SmallVector<Tensor> operands(op.inputs()), behind;
  if (!llvm::all_of(ArrayRef(operands).drop_front(), [&](Tensor parameter) { return isShapeKept(op, parameter, x); })) {
    behind.assign(operands.begin() + 1, operands.end());
    operands = {x, op.filled({sizeOf(op.b, 1)}, x.element, Scalars{op.b, op.loc, x.element}.constant(1))};
  }
  NamedAttribute attributes[] = {op.param("axis", int64_t(-1)), op.paramReal("epsilon", op.real("epsilon"))};
  bool centered = op.integer("centered") != 0;
  auto y = op.call(centered ? "LayerNormalization" : "RMSNormalization", centered ? 17 : 23, operands, attributes);
  StringRef operators[] = {"Mul", "Add"};
  for (auto [parameter, name] : llvm::zip(behind, operators))
    if (succeeded(y))
      y = op.call(name, 14, {y->front(), parameter});
  return failed(y) ? failure() : op.result(y->front());
}
} // namespace

void register_fused_normalization(Registry &registry) {
  registry.onOp("FusedNormalization", {1}, "X[_*] Scale[_*] B[_*]", lowerFusedNormalization, "sinter");
}

} // namespace sinter
