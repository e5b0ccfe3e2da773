// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device source -> cubin and PTX, by NVRTC, with what each kernel takes of the GPU.
#pragma once

#include "cuda/nvrtc.h"

namespace sinter {

/// A text with the name that #include or messages have for it.
struct NamedText {
  std::string name, text;
};

struct DeviceSource {
  NamedText main;                 ///< kws.cu
  std::vector<NamedText> headers; ///< all that it includes: NVRTC sees no files
};

/// What ptxas says of a kernel: registers of a thread; bytes of a block's static shared memory and of a thread's.
struct KernelResources {
  std::string name;
  int64_t registers = 0, shared = 0, stack = 0, spillStores = 0, spillLoads = 0;
};

struct DeviceCode {
  int sm = 0;
  std::string compiler;                 ///< "NVRTC 11.8"
  std::string cubin;                    ///< runs on its SM; equal for equal sources
  std::string ptx;                      ///< what the driver compiles, for this SM and later ones; ends with a zero
  std::vector<KernelResources> kernels; ///< in the order of ptxas

  const KernelResources *find(llvm::StringRef kernel) const;
};

/// Arithmetic is as C++ states it: no contraction (but with `fast`), correctly rounded quotients and roots, subnormal
/// numbers kept.
/// Empty, with NVRTC's first error and our line, where the source does not compile.
std::optional<DeviceCode> compileDeviceCode(const DeviceSource &source, const GpuArch &arch, const Nvrtc &nvrtc,
                                            Diagnostics &diagnostics, bool fast = false);

/// What the log of `ptxas -v` says of kernels.
std::vector<KernelResources> readPtxasLog(llvm::StringRef log);

/// The first error of NVRTC's log as "kws.cu:12: text"; the line itself in `line` if it is of the source.
std::string firstDeviceError(llvm::StringRef log, const DeviceSource &source, std::string &line);

} // namespace sinter
