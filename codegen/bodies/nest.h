// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop nest of a linalg op in terms of addresses: how far each operand moves per step of each dim. Dims that walk
// through memory together are one dim. What runs in vector lanes is decided here; nest_print.cpp prints it.
#pragma once

#include "codegen/run/values.h"
#include "kernels/cuda/support/block_fold.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sinter {

struct NestOperand {
  mlir::OpOperand *operand = nullptr;
  mlir::BlockArgument argument; ///< the element inside the body
  View view;                    ///< scalars have none (no element type)
  bool isOutput = false;
  bool isUsed = false;                 ///< whether the body reads it
  SizeExpr base;                       ///< address of iteration 0, in elements
  llvm::SmallVector<SizeExpr> strides; ///< per dim
  /// Parts of the index that are not linear, each with its stride: `d0 floordiv 4`.
  llvm::SmallVector<std::pair<mlir::AffineExpr, SizeExpr>> nonlinear;
};

/// The dims of a nest that a value of the body depends on, as bits.
using Dims = llvm::DenseMap<mlir::Value, uint64_t>;
inline bool dependsOn(mlir::Value value, int dim, const Dims &dims) { return dims.lookup(value) >> dim & 1; }

/// What divides the rows along the dim that runs in lanes into parts (lane_split.h).
struct LaneSplit {
  llvm::SmallVector<mlir::arith::CmpIOp, 4> comparisons; ///< none: rows are in one piece
  mlir::Value choosing; ///< what selects by these, known within a part; null where nothing does
};

/// Selection: a reduction to the best element and its place (selection_fold.h).
enum class LaneUse { None, Parallel, Reduction, Selection };

struct Nest {
  llvm::SmallVector<SizeExpr> sizes;
  llvm::SmallVector<bool> isReduction;
  /// For each dim of the op the dim of the nest; those merged into others or of size 1 have -1.
  llvm::SmallVector<int> dimOf;
  std::vector<NestOperand> operands;
  mlir::Block *body = nullptr;
  /// Of a reduction in a launch: the number that it starts from, and the nest that makes the outputs of its results.
  mlir::Value initial;
  std::vector<NestOperand> operandsOfLast; ///< less the results, along the reduction's parallel dims
  mlir::Block *last = nullptr;
  mlir::BlockArgument resultInLast;

  LaneUse laneUse = LaneUse::None;
  int lane = -1;                       ///< the dim that runs in lanes
  mlir::Operation *combiner = nullptr; ///< what merges a value into the accumulator, if the order is free
  mlir::Type widest;                   ///< whose lanes fill a register
  LaneSplit split;                     ///< of parallel lanes on a CPU
  std::optional<BlockFold> sharing;    ///< on a GPU: threads of a block share each result's elements
  mlir::Value partials, counters;      ///< where blocks of a sharing by slices leave theirs

  bool hasReductions() const { return llvm::is_contained(isReduction, true); }
};

/// Builds the nest and decides on lanes. `vectorBytes`: CodegenOptions has it. `last`: a nest over the
/// elements of the only output, in their order, which is printed behind the reduction.
Nest planNest(mlir::linalg::GenericOp op, const Values &values, int vectorBytes,
              mlir::linalg::GenericOp last = nullptr);

/// Of a nest that moves the elements of a buffer that its body loads from, each of them as often as an index divided by
/// a number says: the same as a copy between two operands. Every such dim is two, the inner one of the same element.
std::optional<Nest> planRepeats(mlir::linalg::GenericOp op, const Values &values);

/// The dims that each value of the body depends on; linalg.index and loads included. `known`: those of the results of
/// some operations, by the dims of what stands before them.
Dims dependences(const Nest &nest,
                 llvm::function_ref<std::optional<uint64_t>(mlir::Operation &, const Dims &)> known = nullptr);

} // namespace sinter
