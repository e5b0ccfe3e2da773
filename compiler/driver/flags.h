// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command-line flags. Each verb declares those it has as locals before it parses, so `sinter VERB --help` shows no
// others; groups of flags that several verbs share are structs (model_flags.h, compile_flags.h).
#pragma once

#include "driver/verbs.h"

#include "llvm/Support/CommandLine.h"

namespace sinter {

/// The category of all our flags; flags of LLVM's libraries stay hidden.
llvm::cl::OptionCategory &flagCategory();

template <class T>
struct Flag : llvm::cl::opt<T> {
  template <class... Mods>
  explicit Flag(const Mods &...mods) : llvm::cl::opt<T>(mods..., llvm::cl::cat(flagCategory())) {}
};
template <class T>
struct FlagList : llvm::cl::list<T> {
  template <class... Mods>
  explicit FlagList(const Mods &...mods) : llvm::cl::list<T>(mods..., llvm::cl::cat(flagCategory())) {}
};

/// Parses; wrong usage ends the process with status 1, after a message.
void parseFlags(const Arguments &arguments, const char *overview);

/// Prints "sinter: error: ..." and, when there is one, "sinter: hint: ...".
void printError(const llvm::Twine &message, const llvm::Twine &hint = "");

} // namespace sinter
