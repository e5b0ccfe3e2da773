// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inside of the fake driver: what its functions (devices.cpp, memory.cpp, modules.cpp, streams.cpp, graphs.cpp)
// share, behind one lock.
#pragma once

#include "fake_driver.h"

#include "runtime-lite/cuda/driver.h"

#include <map>
#include <memory>
#include <mutex>

namespace sinter::fake {

enum Result {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinary = 209,
  kInvalidPtx = 218,
  kInvalidHandle = 400,
  kNotFound = 500,
  kIllegalAddress = 700,
  kCaptureUnsupported = 900,
};

/// A GPU's primary context.
struct Context {
  FakeDevice device;
  int retained = 0;
  int lasting = 0; ///< the error that it died of
  size_t used = 0; ///< bytes of the GPU's memory
};

struct Function {
  const FakeKernel *kernel = nullptr;
  int maxDynamicShared = 48 * 1024;
};

struct Module {
  const Context *owner;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

/// A launch with its own copy of the arguments, or a copy.
struct Work {
  const Function *function = nullptr; ///< null: a copy
  FakeLaunch launch = {};
  std::vector<std::vector<char>> arguments;
  CuPointer to = 0, from = 0;
  size_t bytes = 0;
  bool isToHost = false, isFromHost = false;
};

struct Node {
  Work work;
  bool waits = false; ///< for another node
};
struct Graph {
  const Context *owner;
  std::vector<std::unique_ptr<Node>> nodes;
};
struct Exec {
  const Context *owner;
  std::vector<std::pair<const Node *, Work>> nodes; ///< work as of now, by the node that it was made from
};

struct Stream {
  Context *owner;
  std::vector<Work> queue;
  std::unique_ptr<Graph> capture; ///< where work goes while it is captured
};

/// Device memory: pages of its own that cannot be accessed but while work is done. It ends where they end, before a
/// page that is never accessible.
struct Allocation {
  Context *owner = nullptr;
  size_t bytes = 0, pageBytes = 0;
  char *pages = nullptr;
};

struct State final : FakeDriver {
  mutable std::recursive_mutex mutex;
  std::vector<Context> contexts = std::vector<Context>(1); ///< by the GPUs' numbers; their addresses are the handles
  std::vector<std::unique_ptr<FakeKernel>> kernels;
  std::map<std::string, std::map<int, int>> failures; ///< by function, then by calls that are left
  std::map<std::string, int> callCounts;
  std::vector<std::string> found;
  std::map<CuPointer, Allocation> allocations;
  std::map<char *, std::pair<size_t, const Context *>> hostAllocations;
  std::map<void *, std::unique_ptr<Module>> modules;
  std::map<void *, std::unique_ptr<Stream>> streams;
  std::map<void *, std::unique_ptr<Graph>> graphs;
  std::map<void *, std::unique_ptr<Exec>> execs;

  void reset(const std::vector<FakeDevice> &devices) override;
  void addKernel(FakeKernel kernel) override;
  void failAt(const std::string &function, int nth, int result) override;
  int calls(const std::string &function) const override;
  std::vector<std::string> calledFunctions() const override;
  void clearCalls() override;
  FakeLive live() const override;
  std::vector<std::string> mistakes() const override { return found; }
  int contextDepth() const override;

  /// Counts a call; what it is to return at once, or 0. `needsContext`: one must be current.
  CuResult enter(const char *function, bool needsContext);
  CuResult mistake(const std::string &text, CuResult result);

  /// The one on top of this thread's stack; null: none.
  Context *current();
  /// Whether it is the current context's; else a mistake.
  bool isOwn(const Context *owner, const char *what);

  /// Whether bytes from `pointer` on lie in one allocation, of `owner` where that is one.
  bool isDevice(CuPointer pointer, size_t bytes, const Context *owner) const;
  void setAccess(const Context *owner, bool isAllowed);
  void freeAll(const Context *owner);
  /// A context that died takes everything along when the last one lets it go.
  void discard(Context &context);

  /// Does work of a stream now. The GPU's memory must be accessible.
  CuResult perform(const Work &work, Context &owner);
  /// Work for a stream: into its queue, or into what is being captured.
  CuResult submit(CuStream stream, Work work);
  CuResult makeLaunch(const CuKernelNode &kernel, Work &work);
  CuResult makeCopy(const CuCopyNode &copy, Work &work);
  Stream *streamOf(CuStream stream);
};

State &state();
std::vector<CuContext> &contextStack();
inline CuContext handleOf(Context &context) { return reinterpret_cast<CuContext>(&context); }

} // namespace sinter::fake

/// Opens a function of the driver: lock, count, fail where a test wishes so.
#define FAKE_ENTER(name, needsContext)                                                                                 \
  sinter::fake::State &fake = sinter::fake::state();                                                                   \
  std::lock_guard<std::recursive_mutex> lock(fake.mutex);                                                              \
  if (const sinter::CuResult failed = fake.enter(name, needsContext))                                                  \
    return failed;
