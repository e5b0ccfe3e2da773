// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kws_session.h and kws_session.cpp: what keeps a decoder's caches from token to token. It fills in all that the model
// takes beside tokens, calls kws_run_with in chunks, and takes rows back by lowering a count. Memory is the caller's.
#pragma once

#include "codegen/abi/abi_header.h"
#include "codegen/text/printer.h"

namespace sinter {

/// Readable C of the session beside a model whose interface has been read.
std::string printSessionHeader(const Interface &interface, const ModelNames &names, const CodegenOptions &options);
std::string printSessionSource(const Interface &interface, const ModelNames &names, const CodegenOptions &options);

/// Of a decoder behind an encoder: kws_encode, and what it is called with.
void printEncode(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options);
/// `const int64_t *ids` or `const float *features`.
PrintedCode encodeParameter(const SessionPlan &plan);
/// "ids[1][count]".
Comment encodeComment(const SessionPlan &plan);
/// Where one file has the weights of several programs, the decoder's last: how many bytes those of one take.
int64_t weightsPlace(int64_t bytes);
/// The fewest and the most that a call gives.
std::pair<int64_t, int64_t> encodeBounds(const SessionPlan &plan);

/// Of a decoder that takes rows of embeddings: `embed`, which makes them for a call.
void printEmbed(Printer &out, const Interface &interface, const ModelNames &names, const CodegenOptions &options);
/// And what the caller gives in place of tokens; none where more comes with each row than one vector.
struct EmbeddedRows {
  ElementType type;
  int64_t width;
};
std::optional<EmbeddedRows> embeddedRows(const Interface &interface, const SessionPlan &plan);
/// Whether each row has three positions, of a picture its frame, row and column; text has one number three times.
bool hasGridPositions(const Interface &interface, const SessionPlan &plan);
/// And how these follow from the places of a call's rows in it.
void printPlacesInPictures(Printer &out);
/// Entry points of what makes such rows of pictures and sound.
void printFrontDeclarations(Printer &out, const ModelNames &names, const SessionPlan &plan);
void printFronts(Printer &out, const ModelNames &names, const CodegenOptions &options);

/// `env`, with which a program before the decoder runs, and its call on `in` and `out`.
void printEnvironment(Printer &out, const EncodeProgram &program, const CodegenOptions &options);
void printProgramCall(Printer &out, const EncodeProgram &program, const CodegenOptions &options);

} // namespace sinter
