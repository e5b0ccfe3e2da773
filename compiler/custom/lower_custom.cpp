// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "custom/lower_custom.h"

#include "ops/rule_check.h"

using namespace mlir;

namespace sinter {
namespace {

ElementType elementNamed(StringRef name) {
  for (int code = 1; code <= static_cast<int>(lastElementType); ++code)
    if (elementTypeName(static_cast<ElementType>(code)) == name)
      return static_cast<ElementType>(code);
  return ElementType::Undefined;
}

/// What a parameter is made of in this node: its own type, or what an operand says that its set of types stands for.
ElementType elementOf(const CustomOperator &custom, const Op &op, StringRef type) {
  const CustomType *set = custom.findType(type);
  for (auto [i, input] : llvm::enumerate(custom.inputs))
    if (set && input.type == type && op.has(i))
      return op.input(i).element;
  return elementNamed(set ? StringRef(set->elements.front()) : type);
}

/// The function's arguments, in the order of its declaration (CustomOperator::signature).
class Arguments {
public:
  explicit Arguments(OpBuilder &b) : b(b) {}

  void operand(StringRef name) { add(name, {}); }
  void absent(StringRef name, ElementType element) {
    add(name, b.getNamedAttr("absent", TypeAttr::get(nodeType(element, b.getContext()))));
  }
  void value(StringRef name, Attribute value) { add(name, b.getNamedAttr("value", value)); }
  /// The next operand is memory without a type or dims.
  void scratch() { add("scratch", b.getNamedAttr("scratch", b.getUnitAttr())); }
  ArrayAttr all() const { return b.getArrayAttr(entries); }

private:
  void add(StringRef name, std::optional<NamedAttribute> more) {
    SmallVector<NamedAttribute> members{b.getNamedAttr("name", b.getStringAttr(name))};
    if (more)
      members.push_back(*more);
    entries.push_back(b.getDictionaryAttr(members));
  }
  OpBuilder &b;
  SmallVector<Attribute> entries;
};

} // namespace

LogicalResult lowerCustom(const CustomOperator &custom, Op &op) {
  std::string problem;
  Rule rule = *parseRule(custom.rule(), problem);
  const OperatorSchema *schema = findSchema(op.node.getDomain(), op.node.getOpType(), op.node.getSince());
  FailureOr<SmallVector<Sizes>> made = shapesByRule(op, rule, *schema, custom.madeShapes());
  if (failed(made))
    return failure();
  for (auto [shape, sizes] : llvm::zip(custom.madeShapes(), *made))
    if (llvm::any_of(sizes, [](Size size) { return constantOf(size).value_or(0) < 0; }))
      return op.fail(Code::ShapeMismatch, "a size of an output, " + shape.text + ", is below 0");

  Arguments arguments(op.b);
  SmallVector<Tensor> inputs;
  SmallVector<Op::KernelOutput> outputs;
  for (auto [i, input] : llvm::enumerate(custom.inputs)) {
    if (!op.has(i)) {
      arguments.absent(input.name, elementOf(custom, op, input.type));
      continue;
    }
    arguments.operand(input.name);
    inputs.push_back(op.input(i));
  }
  for (auto [i, output] : llvm::enumerate(custom.outputs)) {
    arguments.operand(output.name);
    outputs.push_back({(*made)[i], elementOf(custom, op, output.type)});
  }
  if (!custom.scratch.empty()) {
    arguments.scratch();
    outputs.push_back({made->back(), ElementType::Int8});
  }
  for (const CustomAttribute &attribute : custom.attributes)
    arguments.value(attribute.name, op.attribute(attribute.name));

  SmallVector<Tensor> results = op.kernel("::" + custom.function, inputs, outputs);
  auto kernel = results.front().value.getDefiningOp<KernelOp>();
  kernel.setHeader(custom.header);
  kernel.setArgumentsAttr(arguments.all());
  kernel.setReturnsStatus(custom.returnsStatus);
  results.truncate(op.outputCount());
  return op.results(results);
}

} // namespace sinter
