// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the headers of this folder call a decoder's session, whatever its names begin with: SINTER_DECODER(kws, KWS);
// behind kws_session.h defines kws_decoder.
#pragma once

#include "runtime-lite/compiler.h"

// Names that are macros themselves are replaced on the way from the first to the second.
#define SINTER_DECODER(prefix, macro) SINTER_DECODER_OF(prefix, macro)
#define SINTER_DECODER_OF(prefix, macro)                                                                               \
  struct prefix##_decoder {                                                                                            \
    using Session = prefix##_session;                                                                                  \
    static constexpr int64_t context = macro##_SESSION_CONTEXT, batch = macro##_SESSION_BATCH,                         \
                             rows = macro##_SESSION_ROWS, chunk = macro##_SESSION_CHUNK;                               \
    static constexpr int32_t vocabulary = macro##_SESSION_VOCABULARY;                                                  \
    static constexpr size_t alignment = macro##_SESSION_ALIGN;                                                         \
    static size_t bytes() { return prefix##_session_bytes(); }                                                         \
    static int init(Session &session, void *memory, const sinter_env *env) {                                           \
      return prefix##_session_init(&session, memory, env);                                                             \
    }                                                                                                                  \
    static int prefill(Session &session, const int64_t *ids, int64_t count) {                                          \
      return prefix##_prefill(&session, ids, count);                                                                   \
    }                                                                                                                  \
    static int rewind(Session &session, int64_t length) { return prefix##_rewind(&session, length); }                  \
  }
