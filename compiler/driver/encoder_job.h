// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs before the first token of a decoder that reads an encoder's states: the encoder, whose file lies beside the
// decoder's, and, where the decoder takes keys and values of cross-attention, the part of its first call that makes
// them. Each is a program of its own in the same library; the session (codegen/abi/session_encode.cpp) calls them.
#pragma once

#include "driver/decoder_folder.h"
#include "driver/part_job.h"
#include "graph/decoder.h"

#include "llvm/ADT/StringSet.h"

namespace sinter {

struct EncodedBefore {
  std::vector<EncodeProgram> programs;
  llvm::StringMap<MadeBefore> made; ///< by inputs of the decoder
  std::optional<int64_t> rows;      ///< that the encoder makes; none: as many as it is given,
  std::string rowsBy;               ///< or what the size of this output says
  int64_t most = 0;                 ///< that it is given, and once it is compiled, that it makes
  llvm::StringSet<> taken;          ///< dims of the programs that the user has said
};

/// How many tokens or frames an encoder takes at most.
int64_t sourceLimit(const CompileJob &job, const DecoderConfig &config);

/// Compiles them. `module`: the decoder as it was recognized. ExitOk, or problems are reported.
ExitStatus settleEncoder(const CompileJob &job, mlir::ModuleOp module, const Decoder &decoder,
                         const DecoderConfig &config, CompilePart compilePart, Diagnostics &diagnostics,
                         EncodedBefore &encoded);

} // namespace sinter
