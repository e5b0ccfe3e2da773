// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that users call: checks of arguments, kws_run, kws_run_with, kws_info.
#pragma once

#include "codegen/abi/abi_header.h"
#include "codegen/kernels/kernel_list.h"

namespace sinter {
struct EntryNeeds {
  bool arena, weights;
};
void printEntry(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                const KernelList &kernels, int64_t weightsBytes);
/// Parts of it, for programs on GPUs: `check(in, out)`, and kws_info.
void printArgumentCheck(Printer &out, const Interface &interface, const ModelNames &names,
                        const CodegenOptions &options, const KernelList &kernels, int64_t weightsBytes);
void printModelInfo(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                    const KernelList &kernels, int64_t weightsBytes);
} // namespace sinter
