// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what a decoder's inputs and outputs mean (graph/decoder.h) to the settings that a user would otherwise spell:
// --state for each cache, --dim for each symbol, --specialize for single tokens; and what the session is printed by.
#pragma once

#include "driver/compile_model.h"
#include "driver/encoder_job.h"

namespace sinter {

/// Reads the model once more for that. ExitOk where job.decoder is empty, or all is settled; else problems are
/// reported. A session behind an encoder needs other programs before it, which `compilePart` compiles.
ExitStatus settleDecoder(CompileJob &job, Diagnostics &diagnostics, CompilePart compilePart);

} // namespace sinter
