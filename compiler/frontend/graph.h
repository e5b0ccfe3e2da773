// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs, nodes and calls of model-local functions -> node IR. The module around them: import.cpp.
#pragma once

#include "frontend/attributes.h"

#include "ir/dialect.h"

namespace sinter {

class GraphImporter {
public:
  GraphImporter(ImportState &state, mlir::OpBuilder &builder) : state(state), builder(builder) {}

  /// Initializers of a graph, at the builder's place, those aside that `scope` has already (inputs).
  void importInitializers(const onnx::GraphProto &graph, Scope &scope, const Frame &frame);
  /// Nodes in topological order; `graph` is their name in messages.
  void importNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes, llvm::StringRef graph,
                   Scope &scope, const Frame &frame);
  /// What a graph declares of its values, for result types.
  void declare(const onnx::GraphProto &graph, Scope &scope);
  /// A constant, defined by that name.
  void addWeight(Scope &scope, const Frame &frame, llvm::StringRef name, mlir::ElementsAttr value,
                 const ModelPlace &place);
  /// Defines a value of a graph; reports a second definition.
  void define(Scope &scope, llvm::StringRef name, NamedValue value, const ModelPlace &place);
  /// Likewise what a node makes, whose name must also be new to the graphs around.
  void defineResult(Scope &scope, llvm::StringRef name, NamedValue value, const ModelPlace &place);
  /// A graph's output by name; reports one that nothing produces (`what` begins the message), and gives an absent value
  /// for it.
  NamedValue output(const Scope &scope, llvm::StringRef name, llvm::StringRef what, const ModelPlace &place);
  /// What stands for an optional operand that is not given.
  mlir::Value absent();
  mlir::Location locationOf(llvm::StringRef name);
  /// The string, living as long as the context.
  llvm::StringRef kept(llvm::StringRef string) { return mlir::StringAttr::get(state.context, string).getValue(); }

private:
  void importNode(const onnx::NodeProto &node, Scope &scope, const Frame &frame);
  void importCall(const onnx::NodeProto &node, const onnx::FunctionProto &function, Scope &scope, const Frame &frame,
                  const ModelPlace &place);
  /// Behind a Gradient's operands, the values that its attributes name.
  void addNamedValues(const onnx::NodeProto &node, const NodeAttributes &attributes, const Scope &scope,
                      const ModelPlace &place, llvm::SmallVectorImpl<mlir::Value> &operands);
  bool importConstant(const onnx::NodeProto &node, const NodeAttributes &attributes, Scope &scope, const Frame &frame,
                      const ModelPlace &place);
  void importBody(const GraphArgument &argument, mlir::Region &region, const ModelPlace &place);
  NamedValue operand(const Scope &scope, llvm::StringRef name, const ModelPlace &place);
  ModelPlace placeOf(const onnx::NodeProto &node, const Frame &frame);
  bool spend(const onnx::NodeProto &node, const ModelPlace &place);

  ImportState &state;
  mlir::OpBuilder &builder;
};

/// A node's own name, else that of the first value that it makes.
llvm::StringRef nameOfNode(const onnx::NodeProto &node);

/// What locations keep of a name, and so messages and reports.
std::string endOfName(llvm::StringRef name);

/// Opset versions by domain.
Opsets opsetsOf(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports);

/// The key of a model-local function in ImportState::functions.
std::string functionKey(llvm::StringRef domain, llvm::StringRef name, llvm::StringRef overload);

} // namespace sinter
