// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a verb's flags look like to a reader: help on a terminal, a section of the man page, words for completion, JSON.
#pragma once

#include "driver/flags.h"

namespace sinter {

/// "sinter compile MODEL.onnx [flags]".
std::string usageLine(llvm::StringRef program, llvm::ArrayRef<FlagBase *> flags);

/// The values that a flag has, where they are words that are known.
std::vector<std::string> knownFlagValues(const FlagBase &flag);

/// `form`: empty for text (in colours on a terminal), or "man", "words" (flags), "values" (a line for each flag
/// whose values are known), "json".
void printHelp(llvm::StringRef program, const VerbText &text, llvm::ArrayRef<FlagBase *> flags, llvm::StringRef form);

} // namespace sinter
