// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints `run`: what the top level of planned IR does, in order. Payload ops become calls (kernel_list.h), views and
// sizes vanish into arguments (values.h), control flow and scalars stay statements.
#pragma once

#include "codegen/abi/interface.h"
#include "codegen/kernels/kernel_list.h"
#include "dialect.h"
#include "ir/launch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sinter {

/// On a GPU: the host needs a value that kernels have made, so the call waits for it.
struct HostRead {
  size_t behind;     ///< how many calls stand before it
  std::string nodes; ///< what reads it
  std::string cause; ///< what the value is for
};

class RunPrinter {
public:
  RunPrinter(const Interface &interface, KernelList &kernels, const CodegenOptions &options);
  /// Prints the function's statements into `body`.
  mlir::LogicalResult print(mlir::Block &main);

  Printer constants;       ///< tables: constant strings
  Printer prologue, body;  ///< sizes given by the caller, then all else
  bool usesStatus = false; ///< `int status` is needed
  bool usesWeights = false, usesArena = false;
  std::vector<HostRead> reads;
  std::set<Identifier> defined; ///< names of sizes, scalars and places, each by one line of prologue or body

private:
  mlir::LogicalResult printBlock(mlir::Block &block);
  mlir::LogicalResult printOp(mlir::Operation &op);
  void printPayload(const PrintedCode &call);
  /// On a GPU: all that stands before is done.
  void printWait();
  /// Views inside of a launch, and of what it hands on without memory.
  void resolveInside(LaunchOp launch);
  bool isOnDevice() const { return options.target.isGpu(); }
  PrintedCode placeOfTensor(const InterfaceTensor &tensor, const View &view, bool isInput);
  // edges of the graph and buffers
  bool printBuffer(mlir::Operation &op);
  void printInput(InputOp op);
  void printStateRows(mlir::Value rows, uint64_t input);
  void printOutput(OutputOp op);
  /// What the call tells the caller of an output whose size varies.
  void printDims(const InterfaceTensor &tensor, llvm::ArrayRef<SizeExpr> sizes);
  /// A pointer of its own, for what is a tensor of the model.
  void namePlace(mlir::Operation &op, View &view);
  Identifier stringTable(mlir::ArrayAttr texts);
  // sizes and scalars: run_scalars.cpp
  bool printSize(mlir::Operation &op);
  mlir::LogicalResult printScalar(mlir::Operation &op);
  Identifier define(mlir::Value value, const PrintedCode &text);
  PrintedCode affineText(mlir::AffineExpr expr, llvm::ArrayRef<SizeExpr> dims, llvm::ArrayRef<SizeExpr> symbols) const;
  bool isPlain(mlir::Value index) const;
  PrintedCode elementAddress(mlir::Value buffer, mlir::ValueRange indices) const;
  // control flow: run_control.cpp
  mlir::LogicalResult printIf(mlir::scf::IfOp op);
  mlir::LogicalResult printFor(mlir::scf::ForOp op);
  mlir::LogicalResult printBands(mlir::scf::ForOp op);
  mlir::LogicalResult printWhile(mlir::scf::WhileOp op);
  /// Variables that stand for values which change along control flow.
  void declare(mlir::Value value, mlir::Value initial);
  void assign(mlir::ValueRange targets, mlir::ValueRange sources);
  void adopt(mlir::Value value, mlir::Value other);
  std::vector<PrintedCode> parts(mlir::Value value) const;
  PrintedCode valueOf(mlir::Value value) const;
  PrintedCode text(mlir::Value value) const;

  const Interface &interface;
  KernelList &kernels;
  const CodegenOptions &options;
  Names names;
  Values values;
  llvm::StringMap<Identifier> dimVariables;
  llvm::DenseMap<mlir::Value, std::vector<Identifier>> carried;
  llvm::DenseMap<mlir::Attribute, Identifier> stringTables;
  PrintedCode statusOfFailure = " status"; ///< what stands behind `return` where a kernel has failed
  std::set<Identifier> unbounded;          ///< integers from data, which must not enter expressions that may overflow
};

} // namespace sinter
