// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot-product attention as exporters spell it:
//   scores = MatMul(Q, K), where Q and K may each be multiplied by a number; scores may be multiplied or divided by a
//   number, then a mask added; P = Softmax(scores, axis = -1); a guard Where(IsNaN(P), 0, P) against rows that are
//   masked whole; Y = MatMul(P, V).
// Preconditions: Softmax of opset 13 or later over the last axis, and no value in between has another user. K is given
// as [..., E, S].
#include "passes.h"

#include "form_nodes.h"
#include "node_match.h"

using namespace mlir;

namespace sinter {
namespace {

struct Match {
  Value q, k, v, mask;
  double scale = 1;
  bool nanGuard = false;
};

/// Strips multiplications and divisions by a number off `value`.
Value strippedOfScale(Value value, double &scale) {
  while (true) {
    if (NodeOp mul = soleProducer(value, "Mul")) {
      Value a = mul.getInputs()[0], b = mul.getInputs()[1];
      std::optional<double> right = splatNumber(b, a), left = splatNumber(a, b);
      if (!right && !left)
        return value;
      scale *= right ? *right : *left;
      value = right ? a : b;
    } else if (NodeOp div = soleProducer(value, "Div")) {
      std::optional<double> right = splatNumber(div.getInputs()[1], div.getInputs()[0]);
      if (!right || *right == 0)
        return value;
      scale /= *right;
      value = div.getInputs()[0];
    } else {
      return value;
    }
  }
}

/// Where(IsNaN(P), 0, P): P, if the guard's uses are all there is.
Value strippedOfGuard(Value value, bool &guarded) {
  NodeOp where = soleProducer(value, "Where");
  if (!where)
    return value;
  NodeOp isNan = soleProducer(where.getInputs()[0], "IsNaN");
  Value p = where.getInputs()[2];
  if (!isNan || isNan.getInputs()[0] != p || splatNumber(where.getInputs()[1], p) != 0.0 ||
      !llvm::hasNItems(p.getUses(), 2))
    return value;
  guarded = true;
  return p;
}

std::optional<Match> matchAttention(NodeOp last) {
  Match m;
  m.v = last.getInputs()[1];
  Value probabilities = strippedOfGuard(last.getInputs()[0], m.nanGuard);
  NodeOp softmax = producer(probabilities, "Softmax");
  if (!softmax || (!m.nanGuard && !probabilities.hasOneUse()) || softmax.getSince() < 13 ||
      integerAttribute(softmax, "axis") != -1)
    return std::nullopt;
  Value scores = softmax.getInputs()[0];
  if (NodeOp add = soleProducer(scores, "Add")) {
    for (unsigned i : {0u, 1u}) {
      double unused = 1;
      if (soleProducer(strippedOfScale(add.getInputs()[i], unused), "MatMul")) {
        scores = add.getInputs()[i];
        m.mask = add.getInputs()[1 - i];
        break;
      }
    }
  }
  scores = strippedOfScale(scores, m.scale);
  NodeOp product = soleProducer(scores, "MatMul");
  if (!product)
    return std::nullopt;
  m.q = strippedOfScale(product.getInputs()[0], m.scale);
  m.k = strippedOfScale(product.getInputs()[1], m.scale);
  return m;
}
} // namespace

LogicalResult recognizeAttention(ModuleOp module) {
  SmallVector<NodeOp> products;
  module.walk([&](NodeOp node) {
    if (node.getOpType() == "MatMul" && node.getDomain().empty())
      products.push_back(node);
  });
  for (NodeOp node : products) {
    std::optional<Match> m = matchAttention(node);
    if (!m)
      continue;
    OpBuilder b(node);
    if (!m->mask)
      m->mask = b.create<AbsentOp>(node.getLoc());
    NamedAttribute attributes[] = {b.getNamedAttr("scale", b.getF64FloatAttr(m->scale)),
                                   b.getNamedAttr("zero_masked_rows", b.getI64IntegerAttr(m->nanGuard))};
    replaceNode(node, {"sinter", "FusedAttention", 1}, node.getLoc(), {m->q, m->k, m->v, m->mask}, attributes);
  }
  return success();
}

} // namespace sinter
