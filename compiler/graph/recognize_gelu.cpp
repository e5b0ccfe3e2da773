// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gelu as exporters spell it for opsets before 20 becomes one node:
//   x * 0.5 * (1 + Erf(x / sqrt(2))), factors in any order, x * sqrt(1 / 2) for the quotient.
// One function of x takes half the time of erf and what surrounds it (templates/math/math_erf.h). Precondition: no
// value in between has another user.
#include "passes.h"

#include "form_nodes.h"
#include "node_match.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// Whether `value`, beside `other`, is `number` in every element, as exactly as its type holds it.
bool isSplatOf(Value value, Value other, double number) {
  std::optional<double> found = splatNumber(value, other);
  if (!found)
    return false;
  auto type = cast<FloatType>(cast<ShapedType>(value.getType()).getElementType());
  int places = std::min(20, static_cast<int>(APFloat::semanticsPrecision(type.getFloatSemantics())) - 1);
  return std::fabs(*found / number - 1) < std::ldexp(1.0, -places);
}

/// The operand beside one that is `number`.
Value besideNumber(NodeOp node, double number) {
  for (unsigned i : {0u, 1u})
    if (isSplatOf(node.getInputs()[i], node.getInputs()[1 - i], number))
      return node.getInputs()[1 - i];
  return {};
}

/// x, if value = 1 + Erf(x / sqrt(2)).
Value argumentOfSum(Value value) {
  NodeOp sum = soleProducer(value, "Add");
  Value erf = sum ? besideNumber(sum, 1) : Value();
  NodeOp function = erf ? soleProducer(erf, "Erf") : NodeOp();
  if (!function)
    return {};
  Value inner = function.getInputs()[0];
  if (NodeOp product = soleProducer(inner, "Mul"))
    return besideNumber(product, std::sqrt(0.5));
  NodeOp quotient = soleProducer(inner, "Div");
  if (!quotient)
    return {};
  Value dividend = quotient.getInputs()[0];
  return isSplatOf(quotient.getInputs()[1], dividend, std::sqrt(2.0)) ? dividend : Value();
}

/// x, if a * b = x / 2 (1 + Erf(x / sqrt(2))), where b is the product of two of its three factors.
Value argumentOfGelu(Value a, Value b) {
  NodeOp inner = soleProducer(b, "Mul");
  if (!inner)
    return {};
  if (Value x = argumentOfSum(a)) // (x * 0.5) * sum
    return besideNumber(inner, 0.5) == x ? x : Value();
  if (Value sum = besideNumber(inner, 0.5)) // x * (sum * 0.5)
    return argumentOfSum(sum) == a ? a : Value();
  for (unsigned i : {0u, 1u}) // 0.5 * (x * sum)
    if (Value x = argumentOfSum(inner.getInputs()[i]); x && x == inner.getInputs()[1 - i]) {
      std::optional<double> half = splatNumber(a, b);
      return half == 0.5 ? x : Value();
    }
  return {};
}

void becomeGelu(NodeOp product, Value x) {
  Builder b(product.getContext());
  replaceNode(product, {"", "Gelu", 20}, product.getLoc(), x, b.getNamedAttr("approximate", b.getStringAttr("none")));
}

} // namespace

LogicalResult recognizeGelu(ModuleOp module) {
  SmallVector<NodeOp> products;
  module.walk([&](NodeOp node) {
    if (node.getOpType() == "Mul" && node.getDomain().empty() && node.getSince() >= 7)
      products.push_back(node);
  });
  for (NodeOp node : products)
    for (unsigned i : {0u, 1u})
      if (Value x = argumentOfGelu(node.getInputs()[i], node.getInputs()[1 - i])) {
        becomeGelu(node, x);
        break;
      }
  return success();
}

} // namespace sinter
