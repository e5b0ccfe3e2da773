// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model that becomes a program beside a decoder's, in the same library: what its encoder needs (encoder_job.h), or a
// draft (draft_job.h).
#pragma once

#include "driver/compile_model.h"

namespace sinter {

/// Compiles one of them to where the decoder goes, and says what was made.
using CompilePart = llvm::function_ref<ExitStatus(const CompileJob &, CompiledModel &)>;

/// The job of `model`, compiled as the decoder is; what was said of the decoder's dims and states is not said of it.
/// Its names begin with the decoder's prefix and this one.
CompileJob partOf(const CompileJob &job, llvm::StringRef model, llvm::StringRef name);

} // namespace sinter
