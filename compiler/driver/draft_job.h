// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --draft: a smaller decoder beside the one that it drafts for, as a program of the same library with a session of its
// own. What decides whether it goes with the model is said before either is compiled.
#pragma once

#include "driver/decoder_folder.h"
#include "driver/part_job.h"
#include "graph/decoder.h"

namespace sinter {

/// What the draft's names begin with.
std::string draftPrefix(const CodegenOptions &options);

/// Nothing, or why a decoder is no draft of the one that job.decoder->draftOf tells of.
std::optional<Problem> whyNoDraft(const DraftOf &model, const Decoder &decoder, const DecoderConfig &config);

/// Compiles job.decoder->draft for the decoder whose job is settled. ExitOk, or problems are reported.
ExitStatus addDraft(const CompileJob &job, CompilePart compilePart, Diagnostics &diagnostics);

} // namespace sinter
