// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of scalar ops, flattened once into instructions on registers of up to `lanes` elements. Which instructions an
// op becomes: program_ops.cpp.
#pragma once

#include "host_tensor.h"
#include "scalars.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Block.h"
#include "llvm/Support/Allocator.h"

namespace sinter {

class Engine;

class Program {
public:
  explicit Program(size_t lanes) : lanes(lanes) {}

  /// Arguments are the block's, results what it yields. False: the block needs the slow path.
  bool addBlock(mlir::Block &block);
  /// Arguments are the op's operands, results its results.
  bool addSingle(mlir::Operation *op);

  size_t capacity() const { return lanes; }
  char *argument(size_t i) { return arguments[i]; }
  const char *result(size_t i) const { return results[i]; }
  /// x where result i is x + the argument of output i (the last arguments are the outputs'), in float32 and nowhere
  /// else; nullptr for other results.
  const char *addend(size_t i) const { return addends[i]; }
  /// Registers of I64 that hold the position in a loop (linalg.index).
  llvm::ArrayRef<std::pair<unsigned, char *>> positions() const { return positionRegisters; }

  /// Reads the values that come from outside the block. Needed before the first run.
  bool bind(Engine &engine);
  /// False when an index was out of range.
  bool run(size_t n) {
    for (const Instruction &instruction : instructions)
      instruction.run(instruction, n);
    return !fault;
  }

private:
  struct Gather {
    HostTensor tensor;
    llvm::SmallVector<const int64_t *> indices;
    bool *fault;
  };
  static void gather(const Instruction &instruction, size_t n);
  static void checkIndex(const Instruction &instruction, size_t n);

  char *addendOf(mlir::Block &block, unsigned result);
  char *newRegister(ElementKind kind);
  char *registerOf(mlir::Value value);
  /// The value in kind `kind`, through a conversion if it is held in another.
  char *operandIn(mlir::Value value, ElementKind kind, bool isSigned);
  char *converted(char *from, ElementKind fromKind, ElementKind toKind, bool isSigned);
  void emit(Instruction::Run run, char *out, llvm::ArrayRef<const char *> in, int64_t immediate = 0,
            void *extra = nullptr);
  char *emitTable(llvm::StringRef op, ElementKind kind, llvm::ArrayRef<const char *> in);
  char *emitAffine(mlir::AffineExpr expr, llvm::ArrayRef<char *> dims, llvm::ArrayRef<char *> symbols);
  char *emitConstantIndex(int64_t value);
  void fill(char *target, ElementKind kind, const char *element);

  void emitConversion(ConvertFn convert, const char *from, char *to);

  bool addOp(mlir::Operation *op);
  bool addRounding(mlir::Operation *op, llvm::StringRef name);
  bool addNamedConversion(mlir::Operation *op, llvm::StringRef name);
  bool addTableOp(mlir::Operation *op, const ScalarOp &entry);
  bool addSpecial(mlir::Operation *op);
  bool addConstant(mlir::Operation *op, mlir::Attribute value);
  bool addConversion(mlir::Operation *op, bool isSigned);
  bool addExtract(mlir::Operation *op);
  bool addCheckIndex(mlir::Operation *op);
  bool addRequantize(mlir::Operation *op);
  void define(mlir::Value value, char *reg) { registers[value] = reg; }

  size_t lanes;
  llvm::BumpPtrAllocator memory;
  llvm::DenseMap<mlir::Value, char *> registers;
  llvm::SmallVector<char *> arguments;
  llvm::SmallVector<char *> results;
  llvm::SmallVector<char *> addends;
  std::vector<Instruction> instructions;
  llvm::SmallVector<std::pair<unsigned, char *>> positionRegisters;
  llvm::SmallVector<std::pair<mlir::Value, char *>> captures;
  llvm::SmallVector<std::pair<mlir::Value, std::unique_ptr<Gather>>> gathers;
  bool unsupported = false;
  bool fault = false;
};

} // namespace sinter
