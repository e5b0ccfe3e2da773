// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the tensors of a block will lie in the arena, as far as tensor IR tells: what stripe_chains.cpp goes by when
// memory comes first. The plan itself (memory/plan.cpp) looks at buffers.
#pragma once

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace sinter {

class EvaluationCache;

/// The bytes of a tensor of static size; 0 for anything else.
int64_t mapBytes(mlir::Value value);

class MapLifetimes {
public:
  explicit MapLifetimes(mlir::Block &block);

  /// An op's place in the block.
  int64_t positionOf(mlir::Operation *op) const { return positions.lookup(op); }
  /// Maps that live somewhere in from .. to; if more than one op, without those that are made and used up in there. One
  /// op may write over what it reads.
  int64_t liveBytes(int64_t from, int64_t to) const;
  /// The largest need of an op that is not at one of these positions.
  int64_t largestExcept(const llvm::DenseSet<int64_t> &positions) const;

private:
  struct Map {
    int64_t first, last, bytes;
  };
  void add(mlir::Operation *op, EvaluationCache &cache);
  int64_t lastUse(mlir::Value value) const;

  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  std::vector<Map> maps;                        ///< by the beginning of their lives
  std::vector<int64_t> started, ended;          ///< bytes of maps whose life begins, or ends, before a position
  llvm::DenseMap<int64_t, int64_t> overwritten; ///< bytes of what an op reads last, and writes over
};

} // namespace sinter
