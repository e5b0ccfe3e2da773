// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printer of a nest: what it knows, and its parts. The loops of a CPU and what both share are in nest_print.cpp,
// threads of a GPU in nest_threads.cpp, sums of rows in nest_rows.cpp, of short ones in nest_columns.cpp, parts of rows
// in nest_parts.cpp.
#pragma once

#include "body_printer.h"
#include "codegen/codegen.h"
#include "codegen/text/element_text.h"
#include "nest.h"

namespace sinter {

/// The neutral element of an associative operation and the function object of templates/loops/reduce_lanes.h that
/// merges two values.
struct Merge {
  PrintedCode neutral, function;
};

Merge mergeOf(mlir::Operation *op);

/// On a GPU: whether a warp finds the best of each row: where threads would have long ones, and be few.
bool selectsByWarps(const Nest &nest);

class NestPrinter {
public:
  NestPrinter(const Nest &nest, KernelFunction &function, const CodegenOptions &options)
      : nest(nest), function(function), body(function, options.indexCheck), options(options) {}
  mlir::LogicalResult print();

private:
  void nameOperands();
  void prepareBody();
  /// The first parallel dim that is no lane, else the lanes' own, is what threads share.
  void splitWork();
  /// Where the loop over a dim begins and ends.
  PrintedCode begin(int dim) const { return dim == splitDim ? PrintedCode(share.first) : PrintedCode(0); }

  PrintedCode end(int dim) const { return dim == splitDim ? PrintedCode(share.second) : sizes[dim].print(); }
  /// Without iterations of such a dim there still is a result: what a reduction starts from.
  bool isStarted(size_t dim) const { return nest.initial && nest.isReduction[dim]; }

  /// Values that no loop changes are loaded before the loops: not if there is nothing to load.
  void printEmptyGuard();
  PrintedCode address(const NestOperand &operand);
  /// Whether the operand's lanes are no neighbours in memory, and how far they are from each other.
  bool isApart(const NestOperand &operand) const;
  PrintedCode stepOfLanes(const NestOperand &operand);
  /// Loads and operations that are known once the loops of `dims` are entered.
  mlir::LogicalResult printStage(uint64_t dims);
  mlir::LogicalResult printLoops(llvm::ArrayRef<int> dims, llvm::function_ref<mlir::LogicalResult()> inner);
  /// On a GPU a thread has one iteration of the parallel dims: item = i0 n1 n2 + i1 n2 + i2.
  mlir::LogicalResult printThreads(llvm::ArrayRef<int> parallel);
  /// Each lane folds a part of the dim; then what each has found is looked at in the parts' order.
  mlir::LogicalResult printWarpSelection();
  /// The lanes of a warp take turns along the dim that runs in lanes; their parts are merged at the end.
  mlir::LogicalResult printWarpReduction();
  /// Threads of a block are columns, each a result, whose threads share its elements; neighbours in memory are
  /// neighbours among threads.
  mlir::LogicalResult printSharedReduction(llvm::ArrayRef<int> parallel, const SizeExpr &results);
  /// What a thread of a block adds up: loads of several elements are under way at a time, also of the last ones, which
  /// are read once more instead of what is behind them.
  mlir::LogicalResult printOwnElements(const Identifier &part, const SizeExpr &elements, const PrintedCode &number,
                                       const Merge &merge);
  /// A number as the indices of dims, and what is known by them.
  mlir::LogicalResult printIndices(const Identifier &number, llvm::ArrayRef<int> dims);
  /// What a reduction starts from.
  PrintedCode start(const NestOperand &output, const Identifier &pointer, bool inLanes);
  /// What the nest behind the reduction does with a result.
  mlir::LogicalResult printLast(const PrintedCode &result);
  mlir::LogicalResult printOuter();
  /// The loop that is best gone through inside of all others, of those given and of lanes: where most of what the body
  /// computes does not depend on it. -1: as they are.
  int innerLoop(llvm::ArrayRef<int> parallel) const;
  /// Whether the steps of a reduction are whole rows that lie far apart: each is read in one go, and added to what the
  /// output has so far, rather than a few elements of every row at a time. The order of each sum is the same.
  bool isByRows() const;
  mlir::LogicalResult printRows();
  /// What a part of the sums begins with, where this is a number.
  void printFirstSums(const Identifier &first, const Identifier &last);
  mlir::LogicalResult printRow(const PrintedCode &first, const PrintedCode &last);
  /// Whether a reduction's steps are rows behind each other that fill no vector: lanes go on from row to row.
  bool isByColumns() const;
  mlir::LogicalResult printColumns();
  mlir::LogicalResult printParallelLanes(llvm::ArrayRef<int> inside);
  /// Vectors of a range, printed as the beginning of a call, with the loops inside of each.
  mlir::LogicalResult printLanes(const PrintedCode &range, llvm::ArrayRef<int> inside);
  bool isInParts() const { return !nest.split.comparisons.empty() && !function.isOnDevice(); }
  /// The elements from `first` to before `last` of a row, by the parts that comparisons divide it into: `print` with a
  /// printer that knows what these give, for each way in which the body goes in a part.
  mlir::LogicalResult
  printParts(const PrintedCode &first, const PrintedCode &last,
             llvm::function_ref<mlir::LogicalResult(NestPrinter &, const PrintedCode &, const PrintedCode &)> print);
  /// Whether no sum changes in parts of rows where the split's condition is so.
  bool keepsSums(bool chosen) const;
  PrintedCode laneText() const { return nest.widest.isInteger(1) ? PrintedCode("int8_t") : valueText(nest.widest); }
  /// One element (or one vector of them) of each output: reductions around the body, if there are any.
  mlir::LogicalResult printElement(bool inLanes);
  /// The accumulator stays one value; the innermost dim goes through lanes, whose order templates/loops/reduce_lanes.h
  /// states.
  mlir::LogicalResult printLaneReduction();
  /// Each lane finds the best of its elements; templates/loops/select_lanes.h has them meet.
  mlir::LogicalResult printLaneSelection();

  const Nest &nest;
  KernelFunction &function;
  BodyPrinter body;
  std::vector<Identifier> pointers, variables;
  std::vector<SizeExpr> sizes;
  llvm::SmallVector<int> reductions;
  uint64_t scope = 0;
  const CodegenOptions &options;
  int splitDim = -1;
  int joined = -1; ///< the reduction's dim whose rows lanes go on through
  std::pair<Identifier, Identifier> share;
};

} // namespace sinter
