// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the scalar operations of a body, each as one named value, at the outermost loop where its operands are known.
// What depends on the lane is printed for many lanes, the rest for one.
#pragma once

#include "codegen/kernels/kernel_function.h"
#include "index_check.h"
#include "lane_split.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace sinter {

class BodyPrinter {
public:
  BodyPrinter(KernelFunction &function, IndexCheck indexCheck) : function(function), indexCheck(indexCheck) {}

  /// The dims (bits) that a value depends on, for values of the body; others depend on nothing.
  llvm::DenseMap<mlir::Value, uint64_t> dims;
  /// The dim that runs in lanes, and the widest type, whose value type the body calls V; -1 for none.
  int lane = -1;
  Identifier laneVariable;
  mlir::Type widest;
  /// f16 and bf16 are only moved, one by one: as they lie in memory, not as the floats that they are computed with.
  bool movesHalfs = false;
  /// The loop variable of each dim of the linalg op; an expression, because merged dims are gone.
  std::vector<SizeExpr> loopVariables;

  /// Within a part of a row: what is needed there, and what selects are.
  std::optional<BodyVariant> variant;

  void bind(mlir::Value value, const PrintedCode &text) { texts[value] = text; }
  bool isBound(mlir::Value value) const { return texts.count(value) || indices.count(value); }

  bool isNeeded(mlir::BlockArgument argument) const { return !variant || variant->arguments.contains(argument); }

  /// The caller prints this operation himself.
  void skip(mlir::Operation *op) { printed.insert(op); }
  /// Prints the operations whose dims all lie in `scope` and that were not printed yet.
  mlir::LogicalResult printReady(mlir::Block &body, uint64_t scope);
  /// Prints what these values are computed by, each operation once.
  mlir::LogicalResult printOperandsOf(mlir::Block &body, llvm::ArrayRef<mlir::Value> values);
  /// The text of a value, for lanes if `inLanes`: one value for all lanes is spread.
  PrintedCode use(mlir::Value value, bool inLanes);
  bool varies(mlir::Value value) const;
  /// `V`, `Like<V, int8_t>`; a plain type outside of lanes.
  PrintedCode typeText(mlir::Type type, bool inLanes) const;
  /// An index as an expression of loop variables and sizes; a value that is none becomes a variable.
  SizeExpr index(mlir::Value value);
  /// Prints `const auto x = load...` from an address.
  void printLoad(mlir::Value value, const Identifier &pointer, const PrintedCode &address, bool inLanes);
  /// The same, each lane `step` elements behind the one before.
  void printStridedLoad(mlir::Value value, const Identifier &pointer, const PrintedCode &address,
                        const PrintedCode &step);
  /// The same, of lanes that lie at an offset each behind an address, the sum of several.
  void printGather(mlir::Value value, const Identifier &pointer, const SizeExpr &address,
                   llvm::ArrayRef<PrintedCode> offsets);
  PrintedCode loadText(mlir::Type type, const Identifier &pointer, const PrintedCode &address, bool inLanes);
  void printStore(mlir::Type type, const Identifier &pointer, const PrintedCode &address, const PrintedCode &value,
                  bool inLanes);
  /// Lanes that go `step` elements apart.
  void printStridedStore(const Identifier &pointer, const PrintedCode &address, const PrintedCode &step,
                         const PrintedCode &value);
  /// `floorDiv(i0, 4)`: an affine expression of dims that `operand` names.
  PrintedCode affineText(mlir::AffineExpr expr, llvm::ArrayRef<SizeExpr> dimValues, llvm::ArrayRef<SizeExpr> symbols);

private:
  /// A value's type outside of lanes, and one from outside of the body, or a constant, in it.
  PrintedCode scalarType(mlir::Type type) const;
  PrintedCode asScalar(mlir::Type type, const PrintedCode &text) const;
  mlir::LogicalResult printOp(mlir::Operation &op);
  mlir::LogicalResult printBranch(mlir::Operation &op);
  bool printIndexOp(mlir::Operation &op);
  /// The lanes of an index as integers of a type.
  PrintedCode lanesOf(const SizeExpr &index, mlir::Type type, bool isVarying);
  mlir::Value resolved(mlir::Value value) const { return variant ? variant->resolved(value) : value; }
  void define(mlir::Value value, const PrintedCode &text);

  KernelFunction &function;
  IndexCheck indexCheck;
  llvm::DenseMap<mlir::Value, PrintedCode> texts;
  llvm::DenseMap<mlir::Value, SizeExpr> indices;
  llvm::DenseMap<mlir::Value, Identifier> pointers; // buffers that the body loads from
  llvm::DenseSet<mlir::Operation *> printed;
};

} // namespace sinter
