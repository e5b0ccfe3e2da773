// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gradient_rules.h"

#include "frontend/schema.h"

using namespace mlir;

namespace sinter {

/// Rules write nodes as of this opset of ai.onnx.
constexpr int64_t opsetOfRules = 18;

Adjoint::Adjoint(NodeOp node, OpBuilder builder, Location loc, ArrayRef<bool> wanted, ArrayRef<Value> results)
    : node(node), given(wanted.size()), results(results), nodes(builder, loc), builder(builder), wanted(wanted) {}

bool Adjoint::has(size_t i) { return i < inputCount() && !x(i).getDefiningOp<AbsentOp>(); }

int64_t Adjoint::integer(StringRef name, int64_t fallback) {
  auto value = node.getAttrs().getAs<IntegerAttr>(name);
  return value ? value.getInt() : fallback;
}

double Adjoint::real(StringRef name, double fallback) {
  auto value = node.getAttrs().getAs<FloatAttr>(name);
  return value ? value.getValueAsDouble() : fallback;
}

StringRef Adjoint::string(StringRef name) {
  auto value = node.getAttrs().getAs<StringAttr>(name);
  return value ? value.getValue() : StringRef();
}

std::optional<ArrayRef<int64_t>> Adjoint::integers(StringRef name) {
  auto value = node.getAttrs().getAs<DenseI64ArrayAttr>(name);
  return value ? std::optional(value.asArrayRef()) : std::nullopt;
}

void Adjoint::giveSummed(size_t i, Value adjoint) { give(i, own("SumLike", {adjoint, x(i)})); }

Value Adjoint::op(StringRef type, ArrayRef<Value> inputs, ArrayRef<NamedAttribute> attributes, unsigned outputs) {
  SmallVector<Type> types(outputs, AnyType::get(builder.getContext()));
  return nodes.node(type, findSchema("", type, opsetOfRules)->since, inputs, types, attributes);
}

Value Adjoint::own(StringRef type, ArrayRef<Value> inputs) {
  Value made = nodes.node(type, 1, inputs, AnyType::get(builder.getContext()));
  made.getDefiningOp<NodeOp>().setDomain("sinter");
  return made;
}

Value Adjoint::number(double value, Value like) {
  auto type = RankedTensorType::get({}, builder.getF64Type());
  auto weight = builder.create<WeightOp>(node.getLoc(), type, DenseElementsAttr::get(type, ArrayRef<double>(value)),
                                         StringAttr());
  return op("CastLike", {weight, like});
}

Value Adjoint::again(Value first) {
  SmallVector<Value> operands(node.getInputs());
  operands[0] = first;
  Value made = nodes.node(node.getOpType(), static_cast<int64_t>(node.getSince()), operands,
                          AnyType::get(builder.getContext()), llvm::to_vector(node.getAttrs()));
  made.getDefiningOp<NodeOp>().setDomain(node.getDomain());
  return made;
}

NamedAttribute Adjoint::attribute(StringRef name, StringRef value) {
  return builder.getNamedAttr(name, builder.getStringAttr(value));
}

NamedAttribute Adjoint::attribute(StringRef name, double value) {
  return builder.getNamedAttr(name, builder.getF32FloatAttr(static_cast<float>(value)));
}

NamedAttribute Adjoint::attribute(StringRef name, Attribute value) { return builder.getNamedAttr(name, value); }

const GradientRule *findGradientRule(NodeOp node) {
  for (ArrayRef<GradientRule> rules : {elementwiseRules(), reductionRules(), productRules(), movementRules()})
    for (const GradientRule &rule : rules)
      if (rule.name == node.getOpType() && rule.domain == node.getDomain() &&
          rule.since <= static_cast<int64_t>(node.getSince()))
        return &rule;
  return nullptr;
}

} // namespace sinter
