// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device code of a program for GPUs, compiled beside its sources: a cubin for each SM, and PTX of the last one for
// GPUs that are newer.
#pragma once

#include "codegen/codegen.h"
#include "cuda/device_code.h"

namespace sinter {

class Staging;

/// How device code is compiled.
struct DeviceFlags {
  std::vector<std::string> nvrtcFolders; ///< --nvrtc; empty: nvrtcFolders()
  bool fast = false;                     ///< products and sums may be contracted
  bool isEmulated = false;               ///< for emulated_gpu.h alone
  bool mayBeEmulated = false;            ///< for that too, where no NVRTC is
};

/// Writes the files. Where no NVRTC is found there are none, and a note says what to install: the sources stand
/// without.
mlir::FailureOr<DeviceBuild> compileDeviceImages(const Target &target, const GeneratedFile &source,
                                                 llvm::ArrayRef<DeviceKernelUse> kernels, const DeviceFlags &flags,
                                                 const Staging &staging, Diagnostics &diagnostics);

/// What a kernel takes of an SM, by what ptxas said of it. A report, and nothing, where the SM holds not one block.
std::optional<KernelOnSm> placeOnSm(const DeviceKernelUse &kernel, const KernelResources &taken, const GpuArch &arch,
                                    Diagnostics &diagnostics);

} // namespace sinter
