// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantize/own_names.h"

#include "quantize/graph_edit.h"

using namespace llvm;

namespace sinter::quantize {
namespace {
using Renamed = StringMap<std::string>;

class Renamer {
public:
  explicit Renamer(onnx::ModelProto &model) : edit(model) {}

  void run() {
    forEachDefinition(edit.graph, [&](std::string &name) { taken.insert(name); });
    for (onnx::NodeProto &node : *edit.graph.mutable_node())
      renameBodies(node, {});
  }

private:
  template <class Visit>
  static void forEachDefinition(onnx::GraphProto &graph, Visit visit) {
    for (onnx::ValueInfoProto &input : *graph.mutable_input())
      visit(*input.mutable_name());
    for (onnx::TensorProto &tensor : *graph.mutable_initializer())
      visit(*tensor.mutable_name());
    for (onnx::SparseTensorProto &tensor : *graph.mutable_sparse_initializer())
      visit(*tensor.mutable_values()->mutable_name());
    for (onnx::NodeProto &node : *graph.mutable_node())
      for (std::string &output : *node.mutable_output())
        if (!output.empty())
          visit(output);
  }

  static void follow(std::string &name, const Renamed &renamed) {
    if (auto found = renamed.find(name); found != renamed.end())
      name = found->second;
  }

  void renameBodies(onnx::NodeProto &node, const Renamed &around) {
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      if (attribute.has_g())
        renameIn(*attribute.mutable_g(), around);
      for (onnx::GraphProto &graph : *attribute.mutable_graphs())
        renameIn(graph, around);
    }
  }

  /// `renamed`: of the graphs around.
  void renameIn(onnx::GraphProto &graph, Renamed renamed) {
    llvm::StringSet<> own; // an input may have an initializer too
    forEachDefinition(graph, [&](std::string &name) {
      if (own.insert(name).second && !taken.insert(name).second)
        renamed[name] = edit.freshName(name);
      follow(name, renamed);
    });
    for (auto *list : {graph.mutable_output(), graph.mutable_value_info()})
      for (onnx::ValueInfoProto &value : *list)
        follow(*value.mutable_name(), renamed);
    for (onnx::NodeProto &node : *graph.mutable_node()) {
      for (std::string &input : *node.mutable_input())
        follow(input, renamed);
      renameBodies(node, renamed);
    }
  }

  GraphEdit edit;
  llvm::StringSet<> taken;
};
} // namespace

void giveOwnNames(onnx::ModelProto &model) { Renamer(model).run(); }

} // namespace sinter::quantize
