// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device code of a program for GPUs, compiled beside its sources: a cubin for each SM, and PTX of the last one for
// GPUs that are newer.
#pragma once

#include "codegen/codegen.h"
#include "cuda/device_code.h"

namespace sinter {

class Staging;

struct DeviceImages {
  std::vector<DeviceImageFile> files;
  std::vector<DeviceCode> cubins; ///< without their bytes: what each kernel takes
};

/// Writes the files. Where no NVRTC is found there are none, and a note says what to install: the sources stand
/// without.
mlir::FailureOr<DeviceImages> compileDeviceImages(const Target &target, const GeneratedFile &source,
                                                  const Staging &staging, Diagnostics &diagnostics);

/// What an emulated GPU takes for an image (emulated_gpu.h).
mlir::FailureOr<DeviceImages> emulatedImages(const GeneratedFile &source, const Staging &staging,
                                             Diagnostics &diagnostics);

} // namespace sinter
