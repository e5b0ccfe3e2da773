// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a decoder needs that takes rows of embeddings: the model beside it that looks them up for tokens, and those that
// make such rows of pictures and of sound (front ends). Each is a program of its own in the same library; the session
// (codegen/abi/session_embed.cpp) calls the first, its caller the others.
#pragma once

#include "driver/decoder_folder.h"
#include "driver/part_job.h"
#include "graph/decoder.h"

#include "llvm/ADT/StringSet.h"

namespace sinter {

struct EmbeddedBefore {
  std::optional<EncodeProgram> embed;
  std::vector<EncodeProgram> fronts;
  llvm::StringMap<MadeBefore> made; ///< by inputs of the decoder
  llvm::StringSet<> taken;          ///< dims of the programs that the user has said
};

/// Compiles them, `chunk` new tokens at most. `module`: the decoder as it was recognized. False: problems are reported.
bool settleEmbedding(const CompileJob &job, mlir::ModuleOp module, const Decoder &decoder, const DecoderConfig &config,
                     int64_t batch, int64_t chunk, CompilePart compilePart, Diagnostics &diagnostics,
                     EmbeddedBefore &embedded);

} // namespace sinter
