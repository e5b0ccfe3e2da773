// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model that becomes a program beside a decoder's, in the same library: what its encoder needs (encoder_job.h), what
// makes rows of embeddings (embed_job.h), or a draft (draft_job.h).
#pragma once

#include "driver/compile_model.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sinter {

/// Compiles one of them to where the decoder goes, and says what was made.
using CompilePart = llvm::function_ref<ExitStatus(const CompileJob &, CompiledModel &)>;

/// The job of `model`, compiled as the decoder is; what was said of the decoder's dims and states is not said of it.
/// Its names begin with the decoder's prefix and this one. Of an adapter it has what belongs to it.
CompileJob partOf(const CompileJob &job, llvm::StringRef model, llvm::StringRef name);

/// What settles such models has in common: they are looked at before their jobs are known.
class PartSettings {
protected:
  PartSettings(const CompileJob &job, CompilePart compilePart, Diagnostics &diagnostics)
      : job(job), compilePart(compilePart), diagnostics(diagnostics) {}

  /// False, for who ends with it.
  bool fail(Code code, const llvm::Twine &what, const llvm::Twine &hint);
  /// With dims as they are: what the inputs are is asked.
  mlir::OwningOpRef<mlir::ModuleOp> import(llvm::StringRef path, mlir::MLIRContext &context);
  /// Of the program all that is known once it is compiled.
  bool compile(const CompileJob &part, EncodeProgram &program);

  const CompileJob &job;
  CompilePart compilePart;
  Diagnostics &diagnostics;
};

} // namespace sinter
