// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main graph of a model with what every rewrite asks for: who makes a value, who reads it, which are constants,
// names that are free. Made again after nodes were added or removed.
#pragma once

#include "quantize/outside_weights.h"
#include "quantize/tensors.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace sinter::quantize {

struct Reader {
  int node;  ///< index; -1: the graph's output, or a subgraph
  int input; ///< index
};

class GraphEdit {
public:
  /// `outside`: where initializers lie that are no part of the message. Without it nobody knows their elements.
  explicit GraphEdit(onnx::ModelProto &model, OutsideWeights *outside = nullptr)
      : model(model), graph(*model.mutable_graph()), outside(outside) {
    index();
  }

  onnx::ModelProto &model;
  onnx::GraphProto &graph;

  /// Looks at everything again.
  void index();

  int nodes() const { return graph.node_size(); }
  onnx::NodeProto &node(int i) { return *graph.mutable_node(i); }
  const onnx::NodeProto &node(int i) const { return graph.node(i); }
  /// Index of the node that makes a value; -1: a graph input or an initializer.
  int maker(llvm::StringRef value) const;
  llvm::ArrayRef<Reader> readers(llvm::StringRef value) const;
  /// The initializer of that name; null: none.
  onnx::TensorProto *constant(llvm::StringRef value);
  const onnx::TensorProto *constant(llvm::StringRef value) const {
    return const_cast<GraphEdit *>(this)->constant(value);
  }
  /// The elements of an initializer in raw_data's form; none where they are in another.
  std::optional<llvm::StringRef> bytes(const onnx::TensorProto &tensor) const;
  /// Memory of elements in files counts as the program's until this is called, and bytes() are good no longer.
  void release() const {
    if (outside)
      outside->release();
  }
  /// The elements of an initializer of float32; none for other types and values.
  std::optional<FloatTensor> floats(llvm::StringRef value) const;
  /// Adds an initializer under a name made of `tensor`'s, and returns the name.
  std::string addConstant(onnx::TensorProto tensor);
  /// Makes `tensor` the node's operand: in place of the one before where only this node reads it, else beside it.
  void setConstant(onnx::NodeProto &node, int input, onnx::TensorProto tensor);
  /// A name that nothing has; it is taken from then on.
  std::string freshName(const llvm::Twine &wanted);
  /// Removes initializers (and graph inputs of their names) that nothing reads.
  void dropUnread();
  /// Replaces all nodes. Those whose name one before has are called otherwise: onnxruntime takes no two of one name.
  void setNodes(std::vector<onnx::NodeProto> nodes);

private:
  OutsideWeights *outside;
  llvm::StringMap<int> makers, constants;
  llvm::StringMap<std::vector<Reader>> readersOf;
  llvm::StringSet<> names;
};

/// What messages and reports call a node: its name, else its first output's.
std::string nameOf(const onnx::NodeProto &node);
bool isStandard(const onnx::NodeProto &node, llvm::StringRef type);

const onnx::AttributeProto *attributeOf(const onnx::NodeProto &node, llvm::StringRef name);
int64_t integerOf(const onnx::NodeProto &node, llvm::StringRef name, int64_t otherwise);
float floatOf(const onnx::NodeProto &node, llvm::StringRef name, float otherwise);
llvm::StringRef stringOf(const onnx::NodeProto &node, llvm::StringRef name);
void setInteger(onnx::NodeProto &node, llvm::StringRef name, int64_t value);
void setTensor(onnx::NodeProto &node, llvm::StringRef name, onnx::TensorProto value);
/// What a Constant holds, whichever of its attributes has it; none for other nodes, and for sparse ones.
std::optional<onnx::TensorProto> constantOf(const onnx::NodeProto &node);
void removeAttribute(onnx::NodeProto &node, llvm::StringRef name);

onnx::NodeProto makeNode(llvm::StringRef type, llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> outputs,
                         llvm::StringRef name);

} // namespace sinter::quantize
