// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far an output of a loop must lie below an input that ends with the loop (row_order.h is about single ops).
// Row tiles go through the rows of the map that they read and of the map that they make from the first to the last:
// rows that no later row tile reads are free for what is made.
#pragma once

#include "liveness.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sinter {

/// Of a loop that is gone through, all iterations together: bounds the time.
constexpr int64_t mostLoopAccesses = 1 << 20;

/// What one op of a loop's body does to a buffer from outside of the loop, in one iteration. Ops are counted on from
/// iteration to iteration.
struct LoopAccess {
  int64_t step;
  bool writes;
  int64_t begin, end; ///< bytes of the buffer, from the first to behind the last

  bool operator<(const LoopAccess &other) const {
    return std::tie(step, writes, begin, end) < std::tie(other.step, other.writes, other.begin, other.end);
  }
};

/// By buffer (as Lifetimes numbers them), in the order of steps. Where addresses are not known before the program runs,
/// an access is to all of a buffer. `bytes`: the buffers' sizes.
using LoopAccesses = llvm::DenseMap<unsigned, std::vector<LoopAccess>>;

/// Nullopt for loops whose bounds are not known, or with more accesses.
std::optional<LoopAccesses> accessesOf(mlir::scf::ForOp loop, const Lifetimes &lifetimes,
                                       llvm::ArrayRef<int64_t> bytes);

/// As distanceOf in row_order.h: at least -`inputBytes`, or nullopt if the input is written too. Both in the order of
/// steps. What a step reads counts as read after what it writes.
std::optional<int64_t> distanceOf(llvm::ArrayRef<LoopAccess> input, llvm::ArrayRef<LoopAccess> output,
                                  int64_t inputBytes);

} // namespace sinter
