// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations that exporters spell in several nodes are one function where bodies hold all of their steps:
// x sigmoid(x) is silu(x), one division instead of two steps; x tanh(softplus(x)) is mish(x), one exponential and one
// division (templates/math). Precondition: no step between has another reader.
#include "passes/passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {
namespace {

/// The operand of a call of `function` that has one reader, or null.
Value operandOfOnly(Value call, StringRef function) {
  auto apply = call.getDefiningOp<ApplyOp>();
  return apply && apply.getFunction() == function && call.hasOneUse() ? apply.getOperands()[0] : Value();
}

/// The function f where x * `share` is f(x), or nothing.
StringRef functionOfProduct(Value x, Value share) {
  if (operandOfOnly(share, "sigmoid") == x)
    return "silu";
  auto tanh = share.getDefiningOp<math::TanhOp>();
  return tanh && share.hasOneUse() && operandOfOnly(tanh.getOperand(), "softplus") == x ? "mish" : "";
}

} // namespace

LogicalResult mergeScalars(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](arith::MulFOp product) {
    for (auto [x, share] : {std::pair(product.getLhs(), product.getRhs()), {product.getRhs(), product.getLhs()}}) {
      StringRef function = functionOfProduct(x, share);
      if (function.empty())
        continue;
      rewriter.setInsertionPoint(product);
      rewriter.replaceOpWithNewOp<ApplyOp>(product, x.getType(), function, ValueRange{x});
      return;
    }
  });
  return success();
}

} // namespace sinter
