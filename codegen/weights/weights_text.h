// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the weights stand in the source: .incbin, string literals, a pointer that the caller maps, or a named section;
// and the part that start-up code copies to RAM.
#pragma once

#include "codegen/codegen.h"
#include "codegen/text/printer.h"

namespace sinter {
/// Prints the definitions of `<prefix>_weights_in_ram`, the first `inRam` bytes, and `<prefix>_weights`, what is behind
/// them; nothing for a part without bytes, or where the caller brings the weights.
void printWeights(Printer &out, const CodegenOptions &options, const Identifier &prefix, const PrintedCode &macroPrefix,
                  const WeightsImage &weights, int64_t inRam);
/// Whether a section of so many bytes goes behind all others: code for x86-64 reaches 2 GiB. It finds the weights by
/// their first byte, so that what lies beyond its reach is their own end.
bool liesFar(int64_t bytes, const Target &target);
/// For what the sources of a model share; DLLs show what they are told to.
PrintedCode hiddenAttribute(const Target &target);
/// Bytes that the assembler puts into some source of the model, as an array without a size.
void declareBytes(Printer &out, const PrintedCode &symbol, const Target &target);
/// The bytes of a file beside the source, as the constant array `symbol`.
void printFileBytes(Printer &out, const PrintedCode &symbol, llvm::StringRef file, const Target &target);
/// Where the part behind the first `inRam` bytes begins in the image.
int64_t beginBehind(int64_t inRam, const CodegenOptions &options);
bool callerBringsWeights(const CodegenOptions &options);
} // namespace sinter
