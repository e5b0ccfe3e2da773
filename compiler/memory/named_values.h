// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operands of a function's ops named before they became buffers: written by passes/buffers/note_values.cpp,
// read by check_values.cpp. In between it is a set of attributes, so that tests can look at it and write it.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>

namespace sinter {

struct NamedValues {
  enum class Kind : int64_t {
    Undefined, ///< an empty tensor
    Outside,   ///< a constant, or nothing that is followed
    Given,     ///< model input a
    Made,      ///< result b of op a
    Same,      ///< value a: a view or a copy
    Inserted,  ///< value b in value a; or one of both, by a condition
    Carried,   ///< by a loop: starts as value a, next is value b
    Left,      ///< what a loop leaves of the carried value a
  };
  struct Value {
    Kind kind = Kind::Undefined;
    int64_t a = 0, b = 0;
  };
  /// What an output (or state) must hold when the call ends.
  struct Final {
    bool isState;
    int64_t index, value;
  };

  std::vector<Value> values;
  std::vector<llvm::SmallVector<int64_t>> reads;       ///< by op: the value of each operand, -1 for scalars
  std::map<int64_t, llvm::SmallVector<int64_t>> loops; ///< by op: its carried values
  std::vector<Final> left;

  void attachTo(mlir::func::FuncOp function) const;
  /// Takes the attributes off the function; nothing where there are none.
  static std::optional<NamedValues> detachFrom(mlir::func::FuncOp function);
};

/// An op's number is in its location.
mlir::Location withTag(mlir::Location location, int64_t tag);
std::optional<int64_t> tagOf(mlir::Operation *op);
mlir::Location withoutTag(mlir::Location location);

} // namespace sinter
