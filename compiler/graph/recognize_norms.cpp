// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LayerNormalization and RMSNormalization over the last dim as exporters spell them become FusedNormalization of domain
// "sinter" (ops/onnx/fused_normalization.cpp):
//   d = x - ReduceMean(x) (RMS: d = x), r = Sqrt(ReduceMean(d * d) + epsilon), y = d / r * gamma (+ beta).
// d * d may be Pow(d, 2); d / r may be d times Reciprocal(r) or 1 / r. Preconditions: means keep the last dim and
// reduce nothing else, and no value in between has another user.
#include "passes.h"

#include "form_nodes.h"
#include "node_match.h"

using namespace mlir;

namespace sinter {
namespace {

/// The operand beside the one that `matches`, of a commutative node.
Value besides(NodeOp node, Value one) { return node.getInputs()[node.getInputs()[0] == one ? 1 : 0]; }

/// The number in `node`'s operands, and the other operand.
std::optional<std::pair<double, Value>> numberAndOther(NodeOp node) {
  for (unsigned i : {1u, 0u})
    if (std::optional<double> number = splatNumber(node.getInputs()[i], node.getInputs()[1 - i]))
      return std::pair(*number, node.getInputs()[1 - i]);
  return std::nullopt;
}

/// Is the only axis of a reduction the last dim of its operand, and is it kept?
bool reducesLastDim(NodeOp mean) {
  if (integerAttribute(mean, "keepdims") != 1)
    return false;
  std::optional<int64_t> axis;
  if (auto axes = mean.getAttrs().getAs<DenseI64ArrayAttr>("axes")) {
    if (axes.size() == 1)
      axis = axes[0];
  } else if (mean.getInputs().size() > 1) {
    auto weight = mean.getInputs()[1].getDefiningOp<WeightOp>();
    auto dense = weight ? dyn_cast<DenseIntElementsAttr>(weight.getValue()) : nullptr;
    if (dense && dense.getNumElements() == 1)
      axis = (*dense.value_begin<APInt>()).getSExtValue();
  }
  auto type = dyn_cast<RankedTensorType>(mean.getInputs()[0].getType());
  return axis && (*axis == -1 || (type && *axis == type.getRank() - 1));
}

/// d, if value is its square; `uses`: how many of d's uses that takes.
Value squared(Value value, unsigned &uses) {
  if (NodeOp power = soleProducer(value, "Pow")) {
    uses = 1;
    return splatNumber(power.getInputs()[1], power.getInputs()[0]) == 2.0 ? power.getInputs()[0] : Value();
  }
  NodeOp product = soleProducer(value, "Mul");
  uses = 2;
  return product && product.getInputs()[0] == product.getInputs()[1] ? product.getInputs()[0] : Value();
}

struct Root {
  Value d;
  double epsilon;
  unsigned uses; ///< of d
};

/// Sqrt(ReduceMean(d * d) + epsilon).
std::optional<Root> matchRoot(Value value) {
  NodeOp root = soleProducer(value, "Sqrt"), sum = root ? soleProducer(root.getInputs()[0], "Add") : NodeOp();
  auto parts = sum ? numberAndOther(sum) : std::nullopt;
  NodeOp mean = parts ? soleProducer(parts->second, "ReduceMean") : NodeOp();
  if (!mean || !reducesLastDim(mean))
    return std::nullopt;
  Root match{{}, parts->first, 0};
  match.d = squared(mean.getInputs()[0], match.uses);
  return match.d ? std::optional(match) : std::nullopt;
}

/// value = d / root.
std::optional<Root> matchQuotient(Value value) {
  if (NodeOp quotient = soleProducer(value, "Div")) {
    std::optional<Root> root = matchRoot(quotient.getInputs()[1]);
    return root && root->d == quotient.getInputs()[0] ? root : std::nullopt;
  }
  NodeOp product = soleProducer(value, "Mul");
  for (unsigned i : {0u, 1u}) {
    if (!product)
      break;
    Value inverse = product.getInputs()[i], root;
    if (NodeOp reciprocal = soleProducer(inverse, "Reciprocal"))
      root = reciprocal.getInputs()[0];
    else if (NodeOp quotient = soleProducer(inverse, "Div");
             quotient && splatNumber(quotient.getInputs()[0], quotient.getInputs()[1]) == 1.0)
      root = quotient.getInputs()[1];
    std::optional<Root> match = root ? matchRoot(root) : std::nullopt;
    if (match && match->d == product.getInputs()[1 - i])
      return match;
  }
  return std::nullopt;
}

/// x, if d = x - ReduceMean(x) with no uses but those of the norm.
Value centeredRoot(const Root &root) {
  NodeOp difference = producer(root.d, "Sub");
  if (!difference || !llvm::hasNItems(root.d.getUses(), root.uses + 1))
    return {};
  NodeOp mean = soleProducer(difference.getInputs()[1], "ReduceMean");
  return mean && reducesLastDim(mean) && mean.getInputs()[0] == difference.getInputs()[0] ? mean.getInputs()[0]
                                                                                          : Value();
}

void replace(NodeOp last, ArrayRef<Value> operands, double epsilon, bool centered) {
  OpBuilder b(last);
  NamedAttribute attributes[] = {b.getNamedAttr("centered", b.getI64IntegerAttr(centered)),
                                 b.getNamedAttr("epsilon", b.getF64FloatAttr(epsilon))};
  replaceNode(last, {"sinter", "FusedNormalization", 1}, last.getLoc(), operands, attributes);
}

/// A scale or shift of the last dim, and not a tensor that happens to be multiplied or added.
bool isParameter(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() <= 1;
}

/// scaled = d / root * gamma.
void recognizeNorm(NodeOp scaled) {
  for (unsigned i : {0u, 1u}) {
    std::optional<Root> root = matchQuotient(scaled.getInputs()[i]);
    Value gamma = scaled.getInputs()[1 - i];
    Value x = root ? centeredRoot(*root) : Value();
    if (!root || !isParameter(gamma))
      continue;
    Value y = scaled->getResult(0);
    if (!x)
      return replace(scaled, {root->d, gamma}, root->epsilon, false);
    auto shift = y.hasOneUse() ? dyn_cast<NodeOp>(*y.user_begin()) : NodeOp();
    if (shift && shift.getOpType() == "Add" && shift.getDomain().empty() && shift.getSince() >= 7 &&
        isParameter(besides(shift, y)))
      return replace(shift, {x, gamma, besides(shift, y)}, root->epsilon, true);
    return replace(scaled, {x, gamma}, root->epsilon, true);
  }
}
} // namespace

LogicalResult recognizeNorms(ModuleOp module) {
  SmallVector<NodeOp> products;
  module.walk([&](NodeOp node) {
    if (node.getOpType() == "Mul" && node.getDomain().empty() && node.getSince() >= 7)
      products.push_back(node);
  });
  for (NodeOp node : products)
    recognizeNorm(node);
  return success();
}

} // namespace sinter
