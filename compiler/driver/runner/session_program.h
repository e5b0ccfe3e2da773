// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs around a decoder's session share (generate.cpp, chat.cpp): the names of its interface, which are
// made of SINTER_PREFIX=kws and SINTER_MACRO=KWS, its weights, the threads that share its work (SINTER_THREADS=4), and
// how a program ends that cannot go on.
#pragma once

#include "end_with.h"
#include "weights_file.h"

#include SINTER_SESSION
#if SINTER_THREADS > 1
#include "pool.h"
#endif
#include "sampling.h" // the library, behind the types that the session has, too

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#define SINTER_JOIN2(a, b) a##b
#define SINTER_JOIN(a, b) SINTER_JOIN2(a, b)
#define NET(name) SINTER_JOIN(SINTER_PREFIX, name)
#define SIZE(name) SINTER_JOIN(SINTER_MACRO, name)

[[noreturn]] inline void endWithStatus(int status) {
  const std::string what =
      "the call ended with status " + std::to_string(status) + ": " + sinter_text_of_status(status);
  const std::string room = "there is room for " + std::to_string(SIZE(_SESSION_CONTEXT)) +
                           " tokens, prompt and text together: sinter's --context N makes more";
  const std::string own = "the model's tokens are 0 to " + std::to_string(SIZE(_SESSION_VOCABULARY) - 1) +
                          "; if these are, it knows fewer positions than sinter's --context " +
                          std::to_string(SIZE(_SESSION_CONTEXT)) + " has";
  endWith(what.c_str(), status == SINTER_CAPACITY_EXCEEDED    ? room.c_str()
                        : status == SINTER_INDEX_OUT_OF_RANGE ? own.c_str()
                                                              : nullptr);
}

/// Ends where a text is too long before anything follows it.
inline void requireRoomFor(size_t tokens) {
  constexpr auto context = static_cast<size_t>(SIZE(_SESSION_CONTEXT));
  if (tokens > context)
    endWith(("the prompt has " + std::to_string(tokens) + " tokens, and the context has room for " +
             std::to_string(context) + ", prompt and text together")
                .c_str(),
            "sinter's --context N makes more room");
}

/// What choosing a token says in place of one.
[[noreturn]] inline void endWithSample(int32_t status) {
  const char *hint =
      status == SINTER_SAMPLE_NAN || status == SINTER_SAMPLE_INFINITE
          ? "--remove-invalid-values does; `sinter verify MODEL` says whether another runtime computes so"
      : status == SINTER_SAMPLE_NONE_ALLOWED
          ? "biases, suppressed and forced tokens, bad words and runs that may not come again leave none"
          : nullptr;
  endWith(sinter_text_of_sample(status), hint);
}

SINTER_DECODER(SINTER_PREFIX, SINTER_MACRO);
using Net = NET(_decoder);

/// The weights of a program whose file has them; null where `path` is null or "": they are in the program.
inline const void *weightsIn(const char *path) { return path && *path ? mappedWeights(path, Net::alignment) : nullptr; }

/// What all sessions share their work by, one after the other; null: the caller does it all.
inline const sinter_parallel *threadsOfProgram() {
#if SINTER_THREADS > 1
  static const sinter::Pool pool(SINTER_THREADS);
  return pool.parallel();
#else
  return nullptr;
#endif
}

/// A session with memory of its own. `weights`: of the file that has them; null: they are in the program.
template <class Decoder>
struct OwnSession {
  explicit OwnSession(const void *weights) : memory(::operator new(Decoder::bytes(), alignment, std::nothrow)) {
    if (!memory)
      endWith(("there is no memory for a session: it takes " + std::to_string(Decoder::bytes()) + " bytes").c_str(),
              "fewer tokens of context (sinter's --context N), caches of --cache int8, or fewer beams");
    env.size = sizeof env;
    env.weights = weights;
    env.parallel = threadsOfProgram();
    if (int status = Decoder::init(session, memory, &env))
      endWithStatus(status);
  }
  OwnSession(const OwnSession &) = delete;
  OwnSession &operator=(const OwnSession &) = delete;
  ~OwnSession() { ::operator delete(memory, alignment); }

  static constexpr auto alignment = static_cast<std::align_val_t>(Decoder::alignment);
  sinter_env env = {};
  void *memory;
  typename Decoder::Session session;
};
