// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two sources of a program for GPUs: device code (kws.cu), a function per kernel, and the host's C++ (kws.cpp),
// which reaches the driver through runtime-lite/cuda. Both are made of the same functions, which codegen/kernels
// prints.
#pragma once

#include "codegen/abi/abi_header.h"
#include "codegen/kernels/kernel_list.h"
#include "codegen/run/programs.h"

namespace sinter {

/// The device code; `missing` gets the name of a template that does not exist.
mlir::FailureOr<std::string> printDeviceSource(const Interface &interface, const CodegenOptions &options,
                                               const KernelList &kernels, std::string &missing);

/// The host's part. `images`: the device code compiled, as files that lie beside it.
mlir::FailureOr<std::string> printHostSource(const Interface &interface, const ModelNames &names,
                                             llvm::ArrayRef<PrintedProgram> programs, const CodegenOptions &options,
                                             const KernelList &kernels, const WeightsImage &weights,
                                             llvm::ArrayRef<DeviceImageFile> images, std::string &missing);

/// "kws_create", its fellows, and their comments, for the header.
void printDeviceFunctions(Printer &out, const ModelNames &names);

} // namespace sinter
