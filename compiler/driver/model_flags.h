// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that say which model, and how far it is trusted: shared by all verbs that read one.
#pragma once

#include "driver/compile_model.h"
#include "driver/flags.h"

namespace sinter {

struct ModelFlags {
  Flag<std::string> model{llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("MODEL.onnx"),
                          llvm::cl::value_desc("model")};
  FlagList<std::string> dims{"dim", llvm::cl::desc("the size of a symbolic dim, or its bounds"),
                             llvm::cl::value_desc("batch=1 | seq=1..128 | input:0=1..8")};
  FlagList<std::string> externalRoots{"external-root",
                                      llvm::cl::desc("a folder that may hold external data besides the model's own"),
                                      llvm::cl::value_desc("folder")};
  Flag<std::string> expandLimit{
      "expand-limit", llvm::cl::desc("the most nodes that the model may have once its functions are expanded"),
      llvm::cl::value_desc("nodes")};
  Flag<bool> untrusted{"untrusted", llvm::cl::desc("refuse what a stranger's model should not do")};

  /// Checks that there is such a file, and the dims; false after a message.
  bool toImport(CompileJob &job) const;
};

} // namespace sinter
