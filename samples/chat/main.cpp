// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a story: a decoder that Sinter compiled, its tokenizer, and the library's sampler. All memory but the
// tokenizer's is on this page: no files, no threads.
//   stories [PROMPT [SEED]]     without SEED the most likely tokens; with it they are drawn
#include "stories_session.h"
#include "stories_tokens.h"

#include "runtime-lite/generation/sampler.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

alignas(STORIES_SESSION_ALIGN) static unsigned char memory[STORIES_SESSION_BYTES]; // caches, logits, arena
alignas(8) static unsigned char scratch[sinter::sampler_scratch_bytes(STORIES_SESSION_VOCABULARY)];
static int32_t text[STORIES_SESSION_CONTEXT];               // the prompt and what was made of it
static float logits[STORIES_SESSION_VOCABULARY];            // a copy, which the sampler changes
static constexpr int64_t longest = 256, begin = 1, end = 2; // tokens of the net

static int fail(const char *what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

int main(int count, char **arguments) {
  const char *prompt = count > 1 ? arguments[1] : "Once upon a time";
  sinter_sampler settings = {};
  if (count > 2) {
    settings.do_sample = 1;
    settings.temperature = 0.9f;
    settings.top_p = 0.9f;
    settings.seed = std::strtoull(arguments[2], nullptr, 10);
  }
  int64_t tokens = stories_tokens_encode(prompt, std::strlen(prompt), text, STORIES_SESSION_CONTEXT, 0);
  if (tokens < 0 || tokens > STORIES_SESSION_CONTEXT)
    return fail("the prompt is too long");

  stories_session session;
  if (int status = stories_session_init(&session, memory, nullptr))
    return fail(sinter_text_of_status(status));
  static int64_t ids[STORIES_SESSION_CONTEXT];
  for (int64_t i = 0; i < tokens; ++i)
    ids[i] = text[i];
  if (int status = stories_prefill(&session, ids, tokens))
    return fail(sinter_text_of_status(status));

  std::printf("%s", prompt);
  sinter_step step = {};
  step.tokens = text;
  step.prompt_count = static_cast<int32_t>(tokens);
  stories_tokens_stream stream = {};
  char shown[STORIES_TOKENS_TOKEN_BYTES + 4];
  // The prompt's last token goes through the stream unseen, so that a blank behind it is kept.
  stories_tokens_stream_next(&stream, text[tokens - 1], shown, sizeof shown, 0);
  while (tokens < longest && tokens < STORIES_SESSION_CONTEXT) {
    std::memcpy(logits, session.logits, sizeof logits);
    step.token_count = static_cast<int32_t>(tokens);
    const int32_t id = sinter::sample(settings, step, logits, STORIES_SESSION_VOCABULARY, scratch, sizeof scratch);
    if (id < 0)
      return fail(sinter_text_of_sample(id));
    if (id == begin || id == end)
      break;
    const size_t size = stories_tokens_stream_next(&stream, id, shown, sizeof shown, 0);
    std::fwrite(shown, 1, size, stdout);
    text[tokens++] = id;
    const int64_t next = id;
    if (int status = stories_step(&session, &next, nullptr))
      return fail(sinter_text_of_status(status));
  }
  std::printf("\n");
  return 0;
}
