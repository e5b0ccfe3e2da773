// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kws_session.h and kws_session.cpp: what keeps a decoder's caches from token to token. It fills in all that the model
// takes beside tokens, calls kws_run_with in chunks, and takes rows back by lowering a count. Memory is the caller's.
#pragma once

#include "codegen/abi/abi_header.h"

namespace sinter {

/// Readable C of the session beside a model whose interface has been read.
std::string printSessionHeader(const Interface &interface, const ModelNames &names, const CodegenOptions &options);
std::string printSessionSource(const Interface &interface, const ModelNames &names, const CodegenOptions &options);

} // namespace sinter
