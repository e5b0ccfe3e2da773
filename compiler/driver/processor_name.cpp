// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/processor_name.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace sinter {

std::string processorName() {
  std::string core = sys::getHostCPUName().str();
  ErrorOr<std::unique_ptr<MemoryBuffer>> facts = MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (!facts)
    return core;
  StringRef after = (*facts)->getBuffer().split("model name").second.split(':').second;
  StringRef name = after.split('\n').first.trim();
  return name.empty() ? core : (name + " (" + core + ")").str();
}

} // namespace sinter
