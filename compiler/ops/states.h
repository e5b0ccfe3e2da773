// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State that is carried from call to call (--state OUT=IN): which graph output goes back into which input. How its
// memory becomes one buffer: passes/buffers/bind_states.cpp.
#pragma once

#include "diagnostics/diagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

struct States {
  std::map<unsigned, unsigned> inputs; ///< by the output's place in the graph, the input's

  std::optional<unsigned> inputOf(unsigned output) const {
    auto found = inputs.find(output);
    return found == inputs.end() ? std::nullopt : std::optional(found->second);
  }
  /// How many outputs before `output` are states.
  unsigned before(unsigned output) const {
    return static_cast<unsigned>(std::distance(inputs.begin(), inputs.lower_bound(output)));
  }
};

/// The pairs OUT=IN by the names of node IR's @main. Reports names that are unknown or used twice.
States resolveStates(mlir::func::FuncOp main, llvm::ArrayRef<std::string> pairs, Diagnostics &diagnostics);

/// Of an input of node IR's @main: the place of the output that goes back into it.
inline constexpr llvm::StringLiteral stateAttribute = "sinter.state";
/// Whether the result of a node is the new value of a state, and `old` the old one: both will be the same memory.
bool isStateOf(mlir::OpResult result, mlir::Value old);

/// Reports an output and an input (as sinter.outputs and sinter.inputs describe them) that differ in type or shape.
void reportStateMismatch(mlir::DictionaryAttr output, mlir::DictionaryAttr input, Diagnostics &diagnostics);

} // namespace sinter
