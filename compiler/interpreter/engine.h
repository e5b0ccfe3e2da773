// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one interpretation: values by SSA name, the budget, the table of what each op does. Lazy evaluation:
// evaluate.cpp.
#pragma once

#include "interpreter.h"
#include "movement.h"
#include "program.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Operation.h"

namespace sinter {

class Engine;
/// Runs one op whose operands have values: sets its results, or answers false.
using Handler = bool (*)(Engine &, mlir::Operation *);
/// The handler of an op; null for ops that the interpreter does not know.
Handler findHandler(mlir::Operation *op);

class Engine {
public:
  using Tensors = llvm::SmallVector<HostTensor, 4>;

  Engine(EvaluationCache &cache, const EvaluationBudget &budget) : cache(cache), budget(budget) {}

  /// The value, evaluated from its backward slice if nobody has yet.
  std::optional<HostTensor> get(mlir::Value value);
  std::optional<int64_t> index(mlir::Value value);
  std::optional<int64_t> index(mlir::OpFoldResult value);
  std::optional<llvm::SmallVector<int64_t>> indices(llvm::ArrayRef<mlir::OpFoldResult> values);
  std::optional<llvm::SmallVector<int64_t>> indices(mlir::ValueRange values);
  void set(mlir::Value value, HostTensor tensor) { values[value] = std::move(tensor); }
  /// The value with data that nobody else reads: its own if this is its only use in the running block, else a copy.
  std::optional<HostTensor> own(mlir::Value value);

  /// The value, out of the engine if this is its only use in the running block, so that whoever gets it may own it.
  std::optional<HostTensor> take(mlir::Value value);
  void forget(mlir::Value value) { values.erase(value); }

  /// A new zeroed tensor for a result, within the budget.
  std::optional<HostTensor> allocate(mlir::Type elementType, llvm::ArrayRef<int64_t> shape);
  /// Takes points from the budget.
  bool spend(int64_t points) {
    pointsSpent += points;
    return pointsSpent <= budget.points || overBudget();
  }

  bool execute(mlir::Operation *op) {
    Handler handler = findHandler(op);
    return handler && handler(*this, op);
  }
  /// Runs a block on arguments; `results` are what its terminator yields.
  bool runBlock(mlir::Block &block, Tensors arguments, Tensors &results);

  /// A scalar program per op or block, made once.
  Program *programFor(mlir::Operation *op, size_t lanes);
  Program *programFor(mlir::Block *block, size_t lanes);

  /// False, for handlers to answer where a check that generated code makes does not hold.
  bool refuse() {
    refused = true;
    return false;
  }

  /// Where each enclosing pointwise linalg body stands (linalg.index).
  llvm::SmallVector<llvm::SmallVector<int64_t>> positions;
  // what only run() has
  const llvm::StringMap<int64_t> *dims = nullptr;
  llvm::ArrayRef<HostTensor> inputs;
  std::vector<HostTensor> outputs;

private:
  friend std::optional<HostTensor> evaluate(mlir::Value, EvaluationCache &, const EvaluationBudget &, NoValue *);
  bool overBudget() {
    budgetExceeded = true;
    return false;
  }
  bool demand(mlir::Value root);
  const HostTensor *known(mlir::Value value) const;

  EvaluationCache &cache;
  EvaluationBudget budget;
  llvm::DenseMap<mlir::Value, HostTensor> values;
  llvm::DenseSet<mlir::Value> failed;
  llvm::DenseMap<void *, std::unique_ptr<Program>> programs;
  int64_t pointsSpent = 0;
  bool budgetExceeded = false, refused = false;
};

/// Values that an op's regions use from outside.
llvm::SmallVector<mlir::Value> capturedValues(mlir::Operation *op);

/// The size of a dim where it follows from the IR without contents: static, or an operand that states it. Null value:
/// none.
mlir::OpFoldResult statedDim(mlir::Value tensor, int64_t dim);

/// Handlers by dialect.
using HandlerTable = llvm::DenseMap<mlir::TypeID, Handler>;
template <class OpTy, bool (*function)(Engine &, OpTy)>
void addHandler(HandlerTable &table) {
  table[mlir::TypeID::get<OpTy>()] = [](Engine &engine, mlir::Operation *op) {
    return function(engine, llvm::cast<OpTy>(op));
  };
}
void addTensorHandlers(HandlerTable &table);
void addSliceHandlers(HandlerTable &table);
void addLayoutHandlers(HandlerTable &table);
void addControlFlowHandlers(HandlerTable &table);
void addSinterHandlers(HandlerTable &table);
void addContractionHandlers(HandlerTable &table);
void addEdgeHandlers(HandlerTable &table);
void addKernelHandlers(HandlerTable &table);

/// Anything with linalg's structured interface (generic.cpp).
bool runStructured(Engine &engine, mlir::Operation *op);
/// Scalar and elementwise ops, by a program of one op (elementwise.cpp).
bool runElementwise(Engine &engine, mlir::Operation *op);

} // namespace sinter
