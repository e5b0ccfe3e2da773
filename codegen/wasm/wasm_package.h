// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an npm package of a model has: kws.mjs, its types, package.json, a page to read; and the C++ that joins the
// model with the script. The script is package.mjs, whose first lines are the interface as data: names of a model stand
// there as strings. The module, kws.wasm, is made by the driver (driver/npm_package.h).
#pragma once

#include "codegen/abi/abi_header.h"

namespace sinter {

/// What a package cannot carry among the inputs and outputs; empty: all can.
std::string unpackagedTensor(const Interface &interface);
/// Bytes of memory besides the stack.
int64_t wasmMemoryBytes(const Interface &interface, int64_t weightsBytes);

/// <string.h> for compilers without a C library.
llvm::StringRef wasmStringHeader();
/// The name of the source that joins the model with the script: it is compiled and not published.
std::string wasmModuleSource(const CodegenOptions &options);
/// Of a package with threads: what each of them runs.
std::string wasmWorkerScript(const CodegenOptions &options);
/// In kws.mjs, what the driver replaces by the size of the module.
inline constexpr llvm::StringLiteral unknownWasmBytes = "\"wasmBytes\": 0,";
/// The same of the memory that threads share, in pages.
inline constexpr llvm::StringLiteral unknownPages = "\"pages\": 0,";

std::vector<GeneratedFile> wasmPackage(const Interface &interface, const ModelNames &names,
                                       const CodegenOptions &options, const WeightsImage &weights);

} // namespace sinter
