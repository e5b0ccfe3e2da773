// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/function_graph.h"

#include "frontend/schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace llvm;

namespace sinter {
namespace {
const onnx::FunctionProto *calledBy(const onnx::NodeProto &node, const onnx::ModelProto &model) {
  auto found = llvm::find_if(model.functions(), [&](const onnx::FunctionProto &function) {
    return function.name() == node.op_type() && canonicalDomain(function.domain()) == canonicalDomain(node.domain()) &&
           function.overload() == node.overload();
  });
  return found == model.functions().end() ? nullptr : &*found;
}

using Attributes = StringMap<const onnx::AttributeProto *>;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Puts the call's attributes in place; those that neither the call nor the function has are left out, which means the
/// operator's own default. `absent`: inputs that the call leaves out.
void fillIn(Nodes &nodes, const Attributes &given, const llvm::StringSet<> &absent) {
  for (onnx::NodeProto &node : nodes) {
    for (std::string &input : *node.mutable_input())
      if (absent.contains(input))
        input.clear();
    google::protobuf::RepeatedPtrField<onnx::AttributeProto> attributes;
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      if (!attribute.ref_attr_name().empty()) {
        const onnx::AttributeProto *value = given.lookup(attribute.ref_attr_name());
        if (!value)
          continue;
        std::string name = attribute.name();
        attribute = *value;
        attribute.set_name(name);
      }
      if (attribute.has_g())
        fillIn(*attribute.mutable_g()->mutable_node(), given, absent);
      for (onnx::GraphProto &graph : *attribute.mutable_graphs())
        fillIn(*graph.mutable_node(), given, absent);
      *attributes.Add() = std::move(attribute);
    }
    node.mutable_attribute()->Swap(&attributes);
  }
}
} // namespace

std::optional<onnx::ModelProto> graphOfCall(const onnx::ModelProto &model, const onnx::NodeProto &node) {
  const onnx::FunctionProto *function = calledBy(node, model);
  if (!function)
    return std::nullopt;
  onnx::ModelProto made;
  made.set_ir_version(model.ir_version());
  *made.mutable_functions() = model.functions();
  std::map<std::string, int64_t> opsets;
  for (const auto *imports : {&model.opset_import(), &function->opset_import()})
    for (const onnx::OperatorSetIdProto &import : *imports)
      opsets[canonicalDomain(import.domain()).str()] = import.version();
  for (const auto &[domain, version] : opsets) {
    onnx::OperatorSetIdProto &import = *made.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }

  onnx::GraphProto &graph = *made.mutable_graph();
  graph.set_name(function->name());
  *graph.mutable_node() = function->node();
  Attributes given;
  for (const onnx::AttributeProto &attribute : function->attribute_proto())
    given[attribute.name()] = &attribute;
  for (const onnx::AttributeProto &attribute : node.attribute())
    given[attribute.name()] = &attribute;
  llvm::StringSet<> absent;
  for (auto [i, name] : enumerate(function->input())) {
    bool isGiven = static_cast<int>(i) < node.input_size() && !node.input(static_cast<int>(i)).empty();
    if (isGiven)
      graph.add_input()->set_name(name);
    else
      absent.insert(name);
  }
  fillIn(*graph.mutable_node(), given, absent);
  for (auto [i, name] : enumerate(function->output()))
    if (static_cast<int>(i) < node.output_size() && !node.output(static_cast<int>(i)).empty())
      graph.add_output()->set_name(name);
  return made;
}

} // namespace sinter
