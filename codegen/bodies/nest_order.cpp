// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that little of a body depends on go inside of the others, so that the rest is computed once for all of their
// iterations: the places and weights of samples for all channels.
#include "nest_printer.h"

#include <algorithm>

using namespace mlir;

namespace sinter {

int NestPrinter::innerLoop(ArrayRef<int> parallel) const {
  if (nest.laneUse == LaneUse::Reduction || isInParts())
    return -1;
  SmallVector<int> order(parallel);
  if (nest.lane >= 0)
    order.push_back(nest.lane);
  auto extent = [&](int dim) { return double(nest.sizes[dim].constant().value_or(64)); };
  // Operations that are done: each as often as the innermost loop that it depends on is gone through.
  auto work = [&](ArrayRef<int> loops) {
    double sum = 0;
    for (Operation &op : nest.body->without_terminator()) {
      uint64_t mask = op.getNumResults() ? body.dims.lookup(op.getResult(0)) : 0;
      double all = 1, times = 1;
      for (int dim : loops) {
        all *= extent(dim);
        if (mask >> dim & 1)
          times = all;
      }
      sum += times;
    }
    return sum;
  };
  // Neighbours in memory are then no neighbours in time: worth it for a good deal of arithmetic only.
  constexpr double worthMoving = 16;
  double elements = 1;
  for (int dim : order)
    elements *= extent(dim);
  int best = -1;
  double least = std::min(work(order) / 2, work(order) - worthMoving * elements);
  for (int dim : parallel) {
    SmallVector<int> moved = order;
    llvm::erase(moved, dim);
    moved.push_back(dim);
    if (double moving = work(moved); moving < least) {
      least = moving;
      best = dim;
    }
  }
  return best;
}

} // namespace sinter
