// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function body of the schema table expands into nodes that are themselves known.
#include "frontend/function_body.h"
#include "frontend/schema.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include <doctest/doctest.h>

using namespace mlir;
using namespace sinter;

namespace {
struct Fixture {
  Fixture() : builder(&context) {
    context.loadDialect<SinterDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  NodeOp node(StringRef domain, StringRef name, int64_t since, unsigned inputs, unsigned outputs,
              ArrayRef<NamedAttribute> attrs = {}) {
    Value operand =
        builder.create<WeightOp>(builder.getUnknownLoc(), type(), DenseElementsAttr::get(type(), 0.5f), StringAttr());
    SmallVector<Type> results(outputs, type());
    SmallVector<StringRef> names(outputs, "y");
    return builder.create<NodeOp>(NameLoc::get(builder.getStringAttr("n")), results, builder.getStringAttr(name),
                                  SmallVector<Value>(inputs, operand), builder.getStringAttr(domain),
                                  builder.getI64IntegerAttr(since), builder.getDictionaryAttr(attrs), ArrayAttr(),
                                  builder.getStrArrayAttr(names), 0);
  }
  /// A node with operands and attributes that the schema takes.
  NodeOp node(const OperatorSchema &schema) {
    SmallVector<NamedAttribute> attrs;
    for (const SchemaAttribute &attribute : schema.attributes)
      if (attribute.required && attribute.kind == AttributeKind::Float)
        attrs.push_back(builder.getNamedAttr(attribute.name, builder.getF32FloatAttr(0.5f)));
      else if (attribute.required && attribute.kind == AttributeKind::Floats)
        attrs.push_back(builder.getNamedAttr(attribute.name, builder.getDenseF32ArrayAttr({0.5f, 0.25f})));
      else if (attribute.required && attribute.kind == AttributeKind::Ints)
        attrs.push_back(builder.getNamedAttr(attribute.name, builder.getDenseI64ArrayAttr({1, 1})));
    NodeOp made = node(schema.domain, schema.name, schema.since, schema.minInputs, schema.minOutputs, attrs);
    for (unsigned i = 0; i < schema.minInputs; ++i) {
      auto allows = [&](StringRef type) {
        const SchemaConstraint *types = schema.constraint(schema.input(i)->type);
        return types ? types->allows(type) : schema.input(i)->type == type;
      };
      if (allows("tensor(float)"))
        continue;
      unsigned bits = allows("tensor(int64)") ? 64 : allows("tensor(int32)") ? 32 : 8;
      auto integers = RankedTensorType::get({2}, builder.getIntegerType(bits, /*isSigned=*/true));
      made->setOperand(i, builder.create<WeightOp>(builder.getUnknownLoc(), integers,
                                                   DenseElementsAttr::get(integers, APInt(bits, 0)), StringAttr()));
    }
    return made;
  }
  RankedTensorType type() { return RankedTensorType::get({2}, builder.getF32Type()); }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

SmallVector<std::string> names(ModuleOp module) {
  SmallVector<std::string> result;
  module.walk([&](NodeOp node) { result.push_back(qualifiedName(node.getDomain(), node.getOpType())); });
  return result;
}
} // namespace

TEST_CASE("all bodies of the table expand") {
  unsigned expanded = 0;
  forEachSchema([&](const OperatorSchema &schema) {
    if (schema.bodies.empty())
      return;
    Fixture f;
    NodeOp node = f.node(schema);
    INFO(std::string(schema.name), " ", schema.since);
    CHECK(hasFunctionBody(node));
    CHECK(succeeded(expandFunctionBody(node, f.builder)));
    CHECK(succeeded(verify(*f.module)));
    for (const std::string &name : names(*f.module))
      CHECK(name != qualifiedName(schema.domain, schema.name));
    ++expanded;
  });
  CHECK(expanded >= 42);
}

TEST_CASE("the operators of a body, in the versions of its opset") {
  const OperatorSchema *relu = findSchema("", "ThresholdedRelu", 22);
  REQUIRE(relu);
  REQUIRE(!relu->bodies.empty());
  SmallVector<std::string> parts;
  for (const OperatorSchema *part : operatorsOf(relu->bodies.front())) {
    REQUIRE(part);
    parts.push_back(part->name.str());
    CHECK(part->since <= relu->bodies.front().opset);
  }
  CHECK(llvm::is_contained(parts, "Less"));
  CHECK(operatorsOf({1, "no function"}) == SmallVector<const OperatorSchema *>{nullptr});
}

TEST_CASE("attributes of the node reach the body, and results keep their names and types") {
  Fixture f;
  NodeOp node =
      f.node("", "ThresholdedRelu", 22, 1, 1, f.builder.getNamedAttr("alpha", f.builder.getF32FloatAttr(2.5f)));
  REQUIRE(succeeded(expandFunctionBody(node, f.builder)));
  bool found = false;
  NodeOp last;
  f.module->walk([&](Operation *op) {
    if (auto weight = dyn_cast<WeightOp>(op))
      if (auto value = dyn_cast<DenseElementsAttr>(weight.getValue());
          value && value.isSplat() && isa<FloatType>(value.getElementType()))
        found |= value.getSplatValue<APFloat>().convertToFloat() == 2.5f;
    if (auto inner = dyn_cast<NodeOp>(op))
      last = inner;
  });
  CHECK(found);
  CHECK(cast<StringAttr>(last.getOutputNamesAttr()[0]) == "y");
  CHECK(last.getResult(0).getType() == f.type());
}

TEST_CASE("no body") {
  Fixture f;
  NodeOp conv = f.node("", "Conv", 11, 2, 1);
  CHECK(!hasFunctionBody(conv));
  CHECK(failed(expandFunctionBody(conv, f.builder)));
  NodeOp unknown = f.node("com.example", "Mish", 18, 1, 1);
  CHECK(failed(expandFunctionBody(unknown, f.builder)));
  CHECK(succeeded(verify(*f.module)));
}
