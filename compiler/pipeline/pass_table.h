// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pass of the compiler by its name: those of ../graph, ../passes and ../memory, and conversion between them.
#pragma once

#include "pass_context.h"

namespace sinter {

struct PassInfo {
  llvm::StringRef name;
  bool optional; ///< may be switched off; the others make the forms that later steps need
  llvm::StringRef summary;
  mlir::LogicalResult (*run)(mlir::ModuleOp module, const PassContext &context);
};

/// The pass called `name`, or null.
const PassInfo *findPass(llvm::StringRef name);
/// Makes each pass known to sinter-opt: `sinter-opt --<name>`.
void registerPasses();

} // namespace sinter
