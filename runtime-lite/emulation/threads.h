// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the emulation know of a thread and its warp.
#pragma once

#include "fiber.h"
#include "grid.h"

#include <vector>

namespace sinter::cuda::emulation {

/// A copy into shared memory that has been asked for.
struct PendingCopy {
  unsigned char *to;
  const unsigned char *from;
  int bytes;
  int64_t group;
};

enum class State { Ready, AtWarp, AtBlock, Done };

struct Thread {
  Fiber fiber;
  State state = State::Ready;
  const char *operation = nullptr; ///< which one of its warp's it waits in, and with what
  void *operands = nullptr;
  void (*all)(void *const *lanes) = nullptr;
  std::vector<PendingCopy> copies;
  int64_t group = 0;
  char meetings[2] = {};                  ///< what TSan knows the warp's operations by, in the warp's first thread
  unsigned warpTurns = 0, blockTurns = 0; ///< how many operations of the warp, how many barriers
};

/// The running thread.
Thread &running();
/// Waits until all lanes of the warp are in the same operation, which is then done by `all`, on what each brought.
void meetWarp(const char *operation, void *operands, void (*all)(void *const *lanes));
/// Tells TSan what the running thread reads and writes by way of this emulation.
void noteRead(const void *from, size_t bytes);
void noteWrite(void *to, size_t bytes);
size_t sharedBytes();

} // namespace sinter::cuda::emulation
