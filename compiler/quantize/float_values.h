// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a model are float32, as far as its declarations, the schemas and bodies of branches, loops and
// functions tell. The types alone: what sizes there are does not matter to who asks.
#pragma once

#include "frontend/schema.h"
#include "onnx-ml.pb.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace sinter::quantize {

inline constexpr const char *floatType = "tensor(float)";

class FloatValues {
public:
  explicit FloatValues(const onnx::ModelProto &model);

  bool contains(llvm::StringRef value) const { return main.floats.contains(value); }
  void insert(llvm::StringRef value) { main.floats.insert(value); }
  /// What a node of the model's graphs is read by; null: a function of the model, or unknown.
  const OperatorSchema *schemaOf(const onnx::NodeProto &node) const { return schemaOf(node, main); }

private:
  /// What names mean: all graphs of a model, or one call of a function.
  struct Scope {
    llvm::StringMap<int64_t> opsets;
    llvm::StringSet<> floats;
    llvm::StringSet<> holders; ///< sequences, maps and optionals of such tensors
  };
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

  const OperatorSchema *schemaOf(const onnx::NodeProto &node, const Scope &scope) const;
  const onnx::FunctionProto *functionOf(const onnx::NodeProto &node) const;
  void declare(const onnx::ValueInfoProto &value, Scope &scope) const;
  void learn(const onnx::GraphProto &graph, Scope &scope) const;
  void learn(const onnx::NodeProto &node, Scope &scope) const;
  void learnCall(const onnx::NodeProto &call, const onnx::FunctionProto &function, Scope &scope) const;
  bool isFloatResult(const onnx::NodeProto &node, size_t index, const Scope &scope) const;
  bool isHolder(const onnx::NodeProto &node, size_t index, const Scope &scope) const;

  llvm::StringMap<const onnx::FunctionProto *> functions; ///< by domain, name and overload
  Scope main;
};

} // namespace sinter::quantize
