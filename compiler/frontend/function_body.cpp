// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function bodies of the schema table, imported by the same code as a model's nodes.
#include "frontend/function_body.h"
#include "frontend/graph.h"
#include "frontend/value_type.h"
#include "frontend/wire.h"

using namespace llvm;
using namespace mlir;

namespace sinter {
namespace {
const OperatorSchema *schemaOf(NodeOp node) {
  const OperatorSchema *schema = findSchema(node.getDomain(), node.getOpType(), node.getSince());
  return schema && schema->since == static_cast<int64_t>(node.getSince()) ? schema : nullptr;
}

/// The newest body that is not newer than the model's opset; bodies of before or after it may differ in the operators
/// they use.
const SchemaBody *bodyOf(NodeOp node, const OperatorSchema &schema) {
  int64_t opset = node.getSince();
  auto module = node->getParentOfType<ModuleOp>();
  if (auto opsets = module ? module->getAttrOfType<DictionaryAttr>("sinter.opsets") : DictionaryAttr())
    if (auto stated = opsets.getAs<IntegerAttr>(node.getDomain().empty() ? "ai.onnx" : node.getDomain()))
      opset = stated.getInt();
  const SchemaBody *best = nullptr;
  for (const SchemaBody &body : schema.bodies)
    if (!best || body.opset <= opset)
      best = &body;
  return best;
}

std::string nameOf(NodeOp node) {
  auto name = dyn_cast<NameLoc>(node.getLoc());
  return name ? name.getName().str() : "";
}

/// One expansion: the frame that a call would have had, made from the node.
class Expansion {
public:
  Expansion(NodeOp node, const OperatorSchema &schema, OpBuilder &builder, StringRef body)
      : node(node), schema(schema), state(options, node.getContext(), diagnostics, body), graphs(state, builder) {}

  bool run(const onnx::FunctionProto &function, SmallVectorImpl<Value> &results);

private:
  NodeOp node;
  const OperatorSchema &schema;
  ImportOptions options;
  Diagnostics diagnostics;
  ImportState state;
  GraphImporter graphs;
};

bool Expansion::run(const onnx::FunctionProto &function, SmallVectorImpl<Value> &results) {
  Frame frame;
  frame.function = &function;
  frame.prefix = nameOf(node) + "/";
  frame.opsets = opsetsOf(function.opset_import());
  for (const onnx::AttributeProto &attribute : function.attribute_proto())
    if (Attribute value = readAttribute(state, attribute, kindOf(attribute), {}))
      frame.attributes[attribute.name()] = value;
  for (const SchemaAttribute &attribute : schema.attributes)
    if (Attribute value = readDefault(state, attribute))
      frame.attributes[attribute.name] = value;
  for (NamedAttribute attribute : node.getAttrs())
    frame.attributes[attribute.getName()] = attribute.getValue();

  Scope scope;
  for (auto [index, name] : llvm::enumerate(function.input())) {
    bool given = index < node.getInputs().size();
    Value value = given ? node.getInputs()[index] : graphs.absent();
    graphs.define(scope, name, {value, graphs.kept(typeString(value.getType()))}, {});
  }
  ArrayAttr names = node.getOutputNamesAttr();
  for (auto [index, name] : llvm::enumerate(function.output()))
    if (names && index < names.size())
      frame.renamed.try_emplace(name, cast<StringAttr>(names[index]).str());
  graphs.importNodes(function.node(), function.name(), scope, frame);
  for (size_t index = 0; index < node.getNumResults(); ++index)
    results.push_back(graphs.output(scope, function.output(static_cast<int>(index)), "output", {}).value);
  return !diagnostics.hasErrors();
}

bool parseBody(StringRef bytes, onnx::FunctionProto &function) {
  wire::Stripped stripped = wire::stripTensorData(bytes, wire::Root::Function, Limits());
  return !stripped.problem && function.ParseFromString(stripped.bytes);
}

void collectOperators(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes, const Opsets &opsets,
                      SmallVectorImpl<const OperatorSchema *> &operators) {
  for (const onnx::NodeProto &node : nodes) {
    StringRef domain = canonicalDomain(node.domain());
    operators.push_back(findSchema(domain, node.op_type(), opsets.lookup(domain)));
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        collectOperators(attribute.g().node(), opsets, operators);
  }
}
} // namespace

SmallVector<const OperatorSchema *> operatorsOf(const SchemaBody &body) {
  SmallVector<const OperatorSchema *> operators;
  onnx::FunctionProto function;
  if (parseBody(body.function, function))
    collectOperators(function.node(), opsetsOf(function.opset_import()), operators);
  else
    operators.push_back(nullptr);
  return operators;
}

bool hasFunctionBody(NodeOp node) {
  const OperatorSchema *schema = schemaOf(node);
  return schema && !schema->bodies.empty();
}

LogicalResult expandFunctionBody(NodeOp node, OpBuilder &builder) {
  const OperatorSchema *schema = schemaOf(node);
  const SchemaBody *body = schema ? bodyOf(node, *schema) : nullptr;
  if (!body || !node.getBodies().empty())
    return failure();
  onnx::FunctionProto function;
  if (!parseBody(body->function, function) || node.getNumResults() > static_cast<size_t>(function.output_size()) ||
      node.getInputs().size() > static_cast<size_t>(function.input_size()))
    return failure();

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(node);
  Operation *before = node->getPrevNode();
  SmallVector<Value> results;
  if (!Expansion(node, *schema, builder, body->function).run(function, results)) {
    while (node->getPrevNode() != before)
      node->getPrevNode()->erase();
    return failure();
  }
  for (auto [old, replacement] : llvm::zip(node.getResults(), results)) {
    if (isa<AnyType>(replacement.getType()) && replacement.getDefiningOp())
      replacement.setType(old.getType()); // what the model states, so that returns keep their types
    old.replaceAllUsesWith(replacement);
  }
  node.erase();
  return success();
}

} // namespace sinter
