// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is in a model, counted from the file before anything is checked: `sinter analyze` shows it even of a model that
// cannot be imported.
#pragma once

#include "ir/element_type.h"

#include <map>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace sinter {
struct OperatorSchema;

struct Inventory {
  struct Operator {
    std::string domain, name;
    int64_t opset;                ///< of its domain; 0: the model imports none
    const OperatorSchema *schema; ///< that it is read by; null: there is none, or a function of the model stands for it
    bool isModelFunction;         ///< defined by the model itself
    int64_t nodes;                ///< in the graph, its subgraphs, and once in each function of the model
    std::string firstNode;        ///< its name, or that of its first output
  };
  struct Weights {
    int64_t tensors = 0, elements = 0, bytes = 0;
  };
  /// An input that the caller gives, or an output.
  struct Value {
    struct Dim {
      int64_t size = -1;  ///< -1: it varies
      std::string symbol; ///< then its name, if it has one
    };
    std::string name;
    ElementType type = ElementType::Undefined; ///< Undefined: no tensor, or not stated
    std::string structure;                     ///< of what is no tensor: "map(string,tensor(float))"
    bool hasRank = false;
    std::vector<Dim> dims;

    /// "float[batch, 3]", "float[...]".
    std::string describe() const;
  };
  std::vector<Value> inputs, outputs;
  std::map<std::string, std::string, std::less<>> operatorOf; ///< by the name of a node, or that of its first output
  std::vector<Operator> operators;                            ///< in order of domain, name, opset
  std::map<ElementType, Weights> weights;                     ///< initializers and Constant nodes' tensors, by type
};

Inventory takeInventory(const onnx::ModelProto &model);

} // namespace sinter
