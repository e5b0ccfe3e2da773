// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in force while nodes are imported: values by graph and subgraph, and what a function's body sees of its call.
#pragma once

#include "frontend/import_state.h"
#include "frontend/schema.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace sinter {

/// A value by its ONNX name, with its ONNX type string ("": unknown), which lives in the context.
struct NamedValue {
  mlir::Value value;
  llvm::StringRef type;
};

/// The values of one graph. A subgraph also sees those of the graphs around it; a function's body does not.
class Scope {
public:
  explicit Scope(const Scope *outer = nullptr) : outer(outer) {}

  const NamedValue *find(llvm::StringRef name) const {
    for (const Scope *scope = this; scope; scope = scope->outer) {
      auto found = scope->values.find(name);
      if (found != scope->values.end())
        return &found->second;
    }
    return nullptr;
  }
  /// False: this graph has a value of that name already.
  bool define(llvm::StringRef name, NamedValue value) { return values.try_emplace(name, value).second; }
  /// Whether a graph around this one has a value of that name.
  bool isOuter(llvm::StringRef name) const { return outer && outer->find(name); }

  bool isOwn(llvm::StringRef name) const { return values.contains(name); }

  /// Types that the graph declares for values by name: value_info and outputs.
  llvm::StringMap<const onnx::TypeProto *> declared;
  /// Names that nodes of this graph produce, for telling "defined later" from "defined nowhere".
  llvm::StringSet<> produced;

private:
  const Scope *outer;
  llvm::StringMap<NamedValue> values;
};

struct Frame;

/// A graph given as an attribute: it sees the names of where it was written.
struct GraphArgument {
  const onnx::GraphProto *graph;
  Scope *scope;
  const Frame *frame;
};

/// What nodes are read in: the model itself, or one call of a function.
struct Frame {
  Opsets opsets;
  const Frame *caller = nullptr;
  const onnx::FunctionProto *function = nullptr; ///< null: the model
  std::string prefix;                            ///< of node and value names: "call/"
  llvm::StringMap<mlir::Attribute> attributes;   ///< what the function's attributes stand for in this call
  llvm::StringMap<GraphArgument> graphs;         ///< likewise, graph-valued ones
  llvm::StringMap<std::string> renamed;          ///< the function's outputs, as the caller names them
  unsigned depth = 0;

  /// The name that a value or node of this frame has in the model as a whole.
  std::string fullName(llvm::StringRef name) const;
};

} // namespace sinter
