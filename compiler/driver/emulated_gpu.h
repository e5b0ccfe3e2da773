// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running programs for GPUs where there is none: the device code is built for the CPU, with a fiber for each CUDA
// thread (runtime-lite/emulation), into a library that stands in for the driver's. Slow, and of no use for timing.
#pragma once

#include "driver/cxx.h"

namespace sinter {

/// The name of the first GPU, if the system's driver opens and has one.
std::optional<std::string> gpuName();

/// What all programs share: the emulation's sources and their objects, in a folder of its own.
struct Emulation {
  std::string folder;
  std::vector<std::string> objects;
};
llvm::Expected<Emulation> compileEmulation(const Cxx &cxx, llvm::StringRef folder);

/// Builds the library for the program of that prefix whose device code lies in `folder`, as a GPU of the target's last
/// SM; its path.
llvm::Expected<std::string> buildEmulatedGpu(const Cxx &cxx, const Target &target, llvm::StringRef folder,
                                             llvm::StringRef prefix, const Emulation &emulation);

} // namespace sinter
