// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the tensors of a block will lie in the arena, as far as tensor IR tells: what tile_rows.cpp goes by when
// memory comes first. The plan itself (memory/plan.cpp) looks at buffers.
#pragma once

#include "target/target.h"
#include "target/wishes.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace sinter {

class EvaluationCache;

/// The bytes of a tensor of static size; 0 for anything else.
int64_t mapBytes(mlir::Value value);

/// What two maps need less than both of them, if the one lies `distance` bytes below the other, which ends with its
/// maker (row_order.h).
int64_t bytesShared(int64_t above, int64_t below, int64_t distance);

class MapLifetimes {
public:
  /// `overlaps`: whether outputs may lie over inputs that end with them by the orders of kernels and loops.
  MapLifetimes(mlir::Block &block, const Target &target, Threads threads, bool overlaps = true);

  /// An op's place in the block.
  int64_t positionOf(mlir::Operation *op) const { return positions.lookup(op); }
  /// Maps that live somewhere in from .. to; if more than one op, without those that are made and used up in there. One
  /// op may write over what it reads last, as far as its order allows that.
  int64_t liveBytes(int64_t from, int64_t to) const;
  /// The bytes of the map that lies in the arena and that nobody but this operand reads from its op on; 0 if
  /// there is none, or its place is not to be had.
  int64_t endingAt(mlir::OpOperand &operand) const;
  /// The largest need of an op that is not at one of these positions.
  int64_t largestExcept(const llvm::DenseSet<int64_t> &positions) const;

private:
  struct Map {
    int64_t first, last, bytes;
  };
  void add(mlir::Operation *op, EvaluationCache &cache);
  int64_t lastUse(mlir::Value value) const;

  const Target &target;
  Threads threads;
  bool overlaps;
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  std::vector<Map> maps;                        ///< by the beginning of their lives
  std::vector<int64_t> started, ended;          ///< bytes of maps whose life begins, or ends, before a position
  llvm::DenseMap<mlir::Value, int64_t> endings; ///< of maps: where they are read last
  llvm::DenseMap<int64_t, int64_t> overwritten; ///< bytes of what an op reads last, and writes over
};

} // namespace sinter
