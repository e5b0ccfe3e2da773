// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the model's own functions, expanded where they stand. Depth, cycles and the number of nodes are bounded.
#include "frontend/graph.h"

using namespace llvm;
using namespace mlir;

namespace sinter {

std::string functionKey(StringRef domain, StringRef name, StringRef overload) {
  return (canonicalDomain(domain) + Twine('\0') + name + Twine('\0') + overload).str();
}

Opsets opsetsOf(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports) {
  Opsets opsets;
  for (const onnx::OperatorSetIdProto &import : imports)
    opsets[canonicalDomain(import.domain())] = import.version();
  return opsets;
}

/// Whether `function` is being expanded already.
static bool isActive(const Frame *frame, const onnx::FunctionProto &function) {
  for (; frame; frame = frame->caller)
    if (frame->function == &function)
      return true;
  return false;
}

/// What the function's attributes stand for: the call's, else the function's defaults.
static void bindAttributes(ImportState &state, const onnx::NodeProto &node, const onnx::FunctionProto &function,
                           Scope &scope, const Frame &caller, Frame &frame, const ModelPlace &place) {
  for (const onnx::AttributeProto &attribute : function.attribute_proto())
    if (kindOf(attribute) != AttributeKind::Graph)
      if (Attribute value = readAttribute(state, attribute, kindOf(attribute), place))
        frame.attributes[attribute.name()] = value;
  NodeAttributes given = readAttributes(state, node, nullptr, scope, caller, place);
  llvm::StringSet<> known;
  for (const std::string &name : function.attribute())
    known.insert(name);
  for (const onnx::AttributeProto &attribute : function.attribute_proto())
    known.insert(attribute.name());
  for (NamedAttribute attribute : given.values) {
    if (!known.contains(attribute.getName()))
      state.report(Code::UnknownAttribute, "attribute " + quoted(attribute.getName()) + " is unknown to this function",
                   place);
    frame.attributes[attribute.getName()] = attribute.getValue();
  }
  for (auto &[name, graph] : given.graphs)
    frame.graphs.try_emplace(name, graph);
}

void GraphImporter::importCall(const onnx::NodeProto &node, const onnx::FunctionProto &function, Scope &scope,
                               const Frame &caller, const ModelPlace &place) {
  auto standIn = [&] {
    for (const std::string &name : node.output())
      if (!name.empty())
        define(scope, name, {absent(), ""}, place);
  };
  if (isActive(&caller, function)) {
    state.report(Code::RecursiveFunction, "function " + quoted(function.name()) + " calls itself", place);
    return standIn();
  }
  if (caller.depth >= state.options.limits.functionDepth) {
    state.reportExhausted(
        Code::TooDeep, "function calls nest more than " + Twine(state.options.limits.functionDepth) + " deep", place);
    return standIn();
  }
  if (node.input_size() > function.input_size() || node.output_size() > function.output_size()) {
    state.report(Code::WrongOperandCount,
                 "the call has " + Twine(node.input_size()) + " inputs and " + Twine(node.output_size()) +
                     " outputs; the function has " + Twine(function.input_size()) + " and " +
                     Twine(function.output_size()),
                 place);
    return standIn();
  }
  Frame frame;
  frame.caller = &caller;
  frame.function = &function;
  frame.depth = caller.depth + 1;
  frame.prefix = place.node + "/";
  frame.opsets = opsetsOf(function.opset_import());
  if (frame.opsets.empty())
    frame.opsets = caller.opsets;
  bindAttributes(state, node, function, scope, caller, frame, place);

  Scope body;
  for (const onnx::NodeProto &inner : function.node())
    for (const std::string &name : inner.output())
      body.produced.insert(name);
  for (int i = 0; i < function.input_size(); ++i)
    define(body, function.input(i),
           i < node.input_size() ? operand(scope, node.input(i), place) : NamedValue{absent(), ""}, place);
  for (int i = 0; i < node.output_size(); ++i)
    if (!node.output(i).empty())
      frame.renamed.try_emplace(function.output(i), caller.fullName(node.output(i)));
  importNodes(function.node(), function.name(), body, frame);
  for (int i = 0; i < node.output_size(); ++i)
    if (!node.output(i).empty())
      define(scope, node.output(i), output(body, function.output(i), "output of the function", place), place);
}

} // namespace sinter
