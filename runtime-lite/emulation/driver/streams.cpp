// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: work waits in them until somebody waits for it.
#include "state.h"

#include <cstring>

namespace sinter::fake {

CuResult State::makeLaunch(const CuKernelNode &kernel, Work &work) {
  work.function = reinterpret_cast<const Function *>(kernel.function);
  const Module *of = nullptr;
  for (const auto &[handle, module] : modules)
    for (const auto &[name, function] : module->functions)
      if (function.get() == work.function)
        of = module.get();
  if (!of)
    return mistake("a launch of an unknown function", kInvalidHandle);
  if (!isOwn(of->owner, "a function"))
    return kInvalidHandle;
  unsigned threads = 1;
  for (int d = 0; d < 3; ++d) {
    work.launch.grid[d] = kernel.grid[d];
    work.launch.block[d] = kernel.block[d];
    threads *= kernel.block[d];
    if (kernel.grid[d] == 0)
      return mistake("a launch without blocks", kInvalidValue);
  }
  work.launch.sharedBytes = kernel.sharedBytes;
  if (threads == 0 || threads > 1024 || static_cast<int>(kernel.sharedBytes) > work.function->maxDynamicShared)
    return mistake("a block that is too large", kInvalidValue);
  size_t index = 0;
  for (size_t bytes : work.function->kernel->argumentBytes) {
    const char *value = static_cast<const char *>(kernel.arguments[index++]);
    work.arguments.emplace_back(value, value + bytes);
  }
  return kSuccess;
}

CuResult State::makeCopy(const CuCopyNode &copy, Work &work) {
  work.bytes = copy.widthInBytes;
  work.isFromHost = copy.from.memoryType == kCuHost;
  work.isToHost = copy.to.memoryType == kCuHost;
  work.from = work.isFromHost ? reinterpret_cast<uintptr_t>(copy.from.host) : copy.from.device;
  work.to = work.isToHost ? reinterpret_cast<uintptr_t>(copy.to.host) : copy.to.device;
  return copy.height == 1 && copy.depth == 1 ? kSuccess : mistake("a copy that is not one row", kInvalidValue);
}

CuResult State::perform(const Work &work, Context &owner) {
  if (work.function) {
    std::vector<void *> arguments;
    for (const std::vector<char> &value : work.arguments)
      arguments.push_back(const_cast<char *>(value.data()));
    FakeLaunch launch = work.launch;
    launch.arguments = arguments.data();
    work.function->kernel->run(launch);
    return kSuccess;
  }
  if ((!work.isFromHost && !isDevice(work.from, work.bytes, &owner)) ||
      (!work.isToHost && !isDevice(work.to, work.bytes, &owner))) {
    mistake("a copy out of bounds", 0);
    return owner.lasting = kIllegalAddress;
  }
  memmove(reinterpret_cast<void *>(static_cast<uintptr_t>(work.to)),
          reinterpret_cast<const void *>(static_cast<uintptr_t>(work.from)), work.bytes);
  return kSuccess;
}

Stream *State::streamOf(CuStream stream) {
  auto found = streams.find(stream);
  return found == streams.end() || !isOwn(found->second->owner, "a stream") ? nullptr : found->second.get();
}

CuResult State::submit(CuStream handle, Work work) {
  Stream *stream = streamOf(handle);
  if (!stream)
    return mistake("work for an unknown stream", kInvalidHandle);
  if (stream->capture) {
    stream->capture->nodes.push_back(std::make_unique<Node>());
    stream->capture->nodes.back()->waits = true;
    stream->capture->nodes.back()->work = std::move(work);
  } else {
    stream->queue.push_back(std::move(work));
  }
  return kSuccess;
}

} // namespace sinter::fake

using namespace sinter;
using namespace sinter::fake;

namespace {
CuResult submitCopy(State &fake, CuPointer to, CuPointer from, size_t bytes, CuStream stream, bool isToHost,
                    bool isFromHost) {
  Work work;
  work.to = to;
  work.from = from;
  work.bytes = bytes;
  work.isToHost = isToHost;
  work.isFromHost = isFromHost;
  return fake.submit(stream, std::move(work));
}
} // namespace

extern "C" {
#pragma GCC visibility push(default)

CuResult cuStreamCreate(CuStream *stream, unsigned) {
  FAKE_ENTER("cuStreamCreate", true)
  auto made = std::make_unique<Stream>();
  made->owner = fake.current();
  *stream = reinterpret_cast<CuStream>(made.get());
  fake.streams[made.get()] = std::move(made);
  return kSuccess;
}

CuResult cuStreamDestroy_v2(CuStream stream) {
  FAKE_ENTER("cuStreamDestroy_v2", true)
  if (!fake.streamOf(stream))
    return fake.mistake("a stream was destroyed that is none", kInvalidHandle);
  fake.streams.erase(stream);
  return kSuccess;
}

CuResult cuStreamSynchronize(CuStream handle) {
  FAKE_ENTER("cuStreamSynchronize", true)
  Stream *stream = fake.streamOf(handle);
  if (!stream)
    return fake.mistake("waiting for an unknown stream", kInvalidHandle);
  if (stream->capture)
    return kCaptureUnsupported;
  CuResult result = kSuccess;
  fake.setAccess(stream->owner, true);
  for (const Work &work : stream->queue)
    if (result == kSuccess)
      result = fake.perform(work, *stream->owner);
  fake.setAccess(stream->owner, false);
  stream->queue.clear();
  return result;
}

CuResult cuStreamIsCapturing(CuStream handle, int *status) {
  FAKE_ENTER("cuStreamIsCapturing", true)
  Stream *stream = fake.streamOf(handle);
  if (!stream)
    return fake.mistake("a question about an unknown stream", kInvalidHandle);
  *status = stream->capture ? 1 : 0;
  return kSuccess;
}

CuResult cuStreamBeginCapture_v2(CuStream handle, int) {
  FAKE_ENTER("cuStreamBeginCapture_v2", true)
  fake.streamOf(handle)->capture = std::make_unique<Graph>(Graph{fake.current(), {}});
  return kSuccess;
}

CuResult cuStreamEndCapture(CuStream handle, CuGraph *graph) {
  FAKE_ENTER("cuStreamEndCapture", true)
  std::unique_ptr<Graph> made = std::move(fake.streamOf(handle)->capture);
  *graph = reinterpret_cast<CuGraph>(made.get());
  fake.graphs[made.get()] = std::move(made);
  return kSuccess;
}

CuResult cuMemcpyHtoDAsync_v2(CuPointer to, const void *from, size_t bytes, CuStream stream) {
  FAKE_ENTER("cuMemcpyHtoDAsync_v2", true)
  return submitCopy(fake, to, reinterpret_cast<uintptr_t>(from), bytes, stream, false, true);
}
CuResult cuMemcpyDtoHAsync_v2(void *to, CuPointer from, size_t bytes, CuStream stream) {
  FAKE_ENTER("cuMemcpyDtoHAsync_v2", true)
  return submitCopy(fake, reinterpret_cast<uintptr_t>(to), from, bytes, stream, true, false);
}
CuResult cuMemcpyDtoDAsync_v2(CuPointer to, CuPointer from, size_t bytes, CuStream stream) {
  FAKE_ENTER("cuMemcpyDtoDAsync_v2", true)
  return submitCopy(fake, to, from, bytes, stream, false, false);
}

CuResult cuLaunchKernel(CuFunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned sharedBytes, CuStream stream, void **arguments,
                        void **extra) {
  FAKE_ENTER("cuLaunchKernel", true)
  Work work;
  const CuResult result =
      fake.makeLaunch({function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, arguments, extra}, work);
  return result ? result : fake.submit(stream, std::move(work));
}

#pragma GCC visibility pop
}
