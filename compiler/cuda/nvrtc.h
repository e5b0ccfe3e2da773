// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's compiler of device code as a library, NVRTC: finding the versions that are on this machine, and choosing
// one. No toolkit takes part: the library is opened at run time, and no header of it is needed. What it makes of a
// source: device_code.h.
#pragma once

#include "cuda/gpu.h"

#include "llvm/ADT/ArrayRef.h"

namespace sinter {

struct NvrtcFunctions;

/// A library that was found and opened.
struct Nvrtc {
  std::string path;
  int version = 0;        ///< 1108 is 11.8
  std::vector<int> archs; ///< SMs that it compiles for
  const NvrtcFunctions *functions = nullptr;

  std::string versionText() const { return std::to_string(version / 100) + "." + std::to_string(version % 100); }
};

/// Where to look when the user names no folder: SINTER_NVRTC alone, or toolkits, the library path, Python packages.
std::vector<std::string> nvrtcFolders();

/// Every library in the folders and where toolkits and wheels have it below them, the oldest first, each once.
std::vector<Nvrtc> findNvrtc(llvm::ArrayRef<std::string> folders);

/// The oldest that knows the SM, since drivers run what is older than they are. Null, with a report, where there is
/// none.
const Nvrtc *chooseNvrtc(llvm::ArrayRef<Nvrtc> found, const GpuArch &arch, Diagnostics &diagnostics);

} // namespace sinter
