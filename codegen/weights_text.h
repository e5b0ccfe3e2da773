// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the weights stand in the source: .incbin, string literals, a pointer that the caller maps, or a named section.
#pragma once

#include "codegen.h"
#include "printer.h"

namespace sinter {
/// Prints the definition of `<prefix>_weights`, or nothing where the caller brings the weights.
void printWeights(Printer &out, const CodegenOptions &options, const Identifier &prefix, const Code &macroPrefix,
                  const WeightsImage &weights);
bool callerBringsWeights(const CodegenOptions &options);
} // namespace sinter
