// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --custom-ops: operators of the user's own become known to this program, their headers go along with what is
// generated, and oracles are told where their references are.
#pragma once

#include "driver/compile_model.h"
#include "driver/flags.h"

namespace sinter {

struct CustomOpsFlag {
  FlagList customOps{
      FlagGroup::Model, "custom-ops",
      Says("a description of operators of your own, each a C++ function that the program calls (may be given again)"),
      Takes("ops.yaml")};

  /// Reads the descriptions and adds what they describe, once each; false after a message.
  bool addOperators() const;
  /// What of them goes with a compilation. After addOperators.
  void toJob(CompileJob &job) const;
};

/// False after a message: a file that goes along has the name of one that is made.
bool checkCustomFiles(const CompileJob &job);

/// Whether a file that was made is a copy of the user's.
bool isUserFile(const CodegenOptions &options, llvm::StringRef name);

/// Where a C++ compiler refuses what has code of the user's in it.
constexpr const char *userCodeHint =
    "`sinter ops NAME --custom-ops ops.yaml` prints what a custom operator's function has to match";

/// What scripts need to know of custom operators, as JSON; empty where there are none.
std::string customOpsJson();

} // namespace sinter
