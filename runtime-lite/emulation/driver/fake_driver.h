// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA driver without a GPU: a shared library with the functions of runtime-lite/cuda/driver.h, which programs open
// by its path. Kernels are functions of the host's, registered by name. Work waits in its stream until somebody waits
// for the stream, device memory cannot be touched between, and both begin as 0xff: who does not wait, copy or allocate
// is found out. This is what a test says to it and asks of it; state.h is its inside.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sinter {

struct FakeDevice {
  int sm = 80;
  bool isIntegrated = false;
  size_t memory = size_t(1) << 30;
};

struct FakeLaunch {
  unsigned grid[3], block[3], sharedBytes;
  void *const *arguments; ///< as the launch had them
  bool beginsEarly;       ///< on a device: before the launch in front has ended, so that each thread has to wait for it
};

struct FakeKernel {
  std::string name;
  std::vector<size_t> argumentBytes; ///< what a real driver reads in the cubin
  std::function<void(const FakeLaunch &)> run;
};

/// How many of each there are.
struct FakeLive {
  int contexts = 0, modules = 0, streams = 0, allocations = 0, hostAllocations = 0, graphs = 0, execs = 0;
  int sum() const { return contexts + modules + streams + allocations + hostAllocations + graphs + execs; }
};

class FakeDriver {
public:
  virtual ~FakeDriver() = default;
  /// No kernels, no failures, nothing alive; GPUs by their numbers. Other threads must be out of the driver.
  virtual void reset(const std::vector<FakeDevice> &devices) = 0;
  virtual void addKernel(FakeKernel kernel) = 0;
  /// The nth call of a function from now on returns this, and does nothing.
  virtual void failAt(const std::string &function, int nth, int result) = 0;
  /// Calls since the last clearCalls, of one function or of all.
  virtual int calls(const std::string &function) const = 0;
  virtual std::vector<std::string> calledFunctions() const = 0;
  virtual void clearCalls() = 0;
  virtual FakeLive live() const = 0;
  /// What a program did wrong that a real driver may not notice: copies out of bounds, unknown handles, what belongs to
  /// another GPU than the current context's.
  virtual std::vector<std::string> mistakes() const = 0;
  /// Contexts on this thread's stack.
  virtual int contextDepth() const = 0;
};

} // namespace sinter

/// The one of the library, to be looked up there.
extern "C" sinter::FakeDriver *sinterFakeDriver();
