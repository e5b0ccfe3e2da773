// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -o folder of WebAssembly: the module of an npm package, of the sources and the script that codegen/wasm prints.
#pragma once

#include "codegen/codegen.h"
#include "diagnostics/diagnostics.h"
#include "driver/cxx.h"
#include "driver/staging.h"

namespace sinter {

/// Whether inputs, outputs or memory are such that no package of npm or for Triton can be made, with a diagnostic.
bool reportUnpackaged(mlir::ModuleOp planned, const CodegenOptions &options, int64_t weightsBytes,
                      Diagnostics &diagnostics);

/// The linker that goes with the compiler. The message says what was looked for.
llvm::Expected<std::string> findWasmLinker(const Cxx &cxx);

/// Compiles `sources` in the staging folder and links them to kws.wasm there; `linker` as findWasmLinker() gives it.
llvm::Error makeWasmModule(const Cxx &cxx, llvm::StringRef linker, const Staging &staging,
                           llvm::ArrayRef<std::string> sources, const CodegenOptions &options);

/// Of the files that were made, those of the package.
std::vector<std::string> packageFiles(llvm::ArrayRef<std::string> made, const CodegenOptions &options);

} // namespace sinter
