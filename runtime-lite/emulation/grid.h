// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a grid of CUDA threads on the CPU, block by block.
#pragma once

#include "emulation.h"

#include <cstddef>
#include <string>

namespace sinter::cuda::emulation {

enum class Order { Forward, Backward, Shuffled };

struct Grid {
  int x = 1, y = 1, z = 1;
  int threads = 32; ///< a multiple of 32
  size_t sharedBytes = 0;
  Order order = Order::Forward; ///< of blocks, and of warps in each
};

/// What the kernel does wrong, empty if nothing: "a barrier that some threads never reach".
std::string launchBody(const Grid &grid, void (*body)(void *), void *argument);

/// How many threads of the last launch waited for the one before it; how many sectors were brought to L2 since the
/// program's start.
int64_t threadsThatAwaited();
int64_t sectorsBrought();

/// `kernel()` is what one thread runs.
template <class Kernel>
std::string launch(const Grid &grid, Kernel kernel) {
  return launchBody(grid, [](void *argument) { (*static_cast<Kernel *>(argument))(); }, &kernel);
}

/// In the three orders.
template <class Kernel>
std::string launchInAllOrders(Grid grid, Kernel kernel) {
  for (const Order order : {Order::Forward, Order::Backward, Order::Shuffled}) {
    grid.order = order;
    if (std::string error = launch(grid, kernel); !error.empty())
      return error;
  }
  return "";
}

/// Extra cycles that rows of loadMatrices lost to each other since the program's start, and how many loads there were.
struct BankConflicts {
  int64_t loads = 0, extra = 0;
};
BankConflicts &bankConflicts();

} // namespace sinter::cuda::emulation
