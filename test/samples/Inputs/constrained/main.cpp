// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// people SEED: draws a text of the schema, of so many tokens at most.
#include "net_session.h"
#include "net_tokens.h"

#include "runtime-lite/generation/sampler.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

alignas(NET_SESSION_ALIGN) static unsigned char memory[NET_SESSION_BYTES];
alignas(8) static unsigned char scratch[sinter::sampler_scratch_bytes(NET_SESSION_VOCABULARY)];
alignas(4) static unsigned char cache[NET_TOKENS_GRAMMAR_CACHE_BYTES];

int main(int, char **arguments) {
  constexpr int32_t most = 100, end = 2;
  net_session session;
  const int64_t begin = 1;
  if (net_session_init(&session, memory, nullptr) || net_step(&session, &begin, nullptr))
    return 1;
  sinter_sampler settings = {};
  settings.do_sample = 1;
  settings.seed = std::strtoull(arguments[1], nullptr, 10);
  int32_t text[most + 1] = {1};
  sinter_step step = {};
  step.tokens = text;
  step.token_count = step.prompt_count = 1;
  uint32_t mask[(NET_SESSION_VOCABULARY + 31) / 32];
  step.allowed = mask;
  net_tokens_grammar grammar = {};
  net_tokens_grammar_wish wish = {&end, 1, most};
  for (; wish.budget > 0; --wish.budget) {
    if (!net_tokens_grammar_mask(&grammar, &wish, cache, mask, NET_SESSION_VOCABULARY))
      return 2;
    float logits[NET_SESSION_VOCABULARY];
    std::memcpy(logits, session.logits, sizeof logits);
    const int32_t id = sinter::sample(settings, step, logits, NET_SESSION_VOCABULARY, scratch, sizeof scratch);
    if (id < 0)
      return 3;
    if (id == end)
      break;
    text[step.token_count++] = id;
    const int64_t next = id;
    if (!net_tokens_grammar_take(&grammar, id) || net_step(&session, &next, nullptr))
      return 4;
  }
  char shown[most * NET_TOKENS_TOKEN_BYTES];
  const int64_t size = net_tokens_decode(text, size_t(step.token_count), shown, sizeof shown, 0);
  std::fwrite(shown, 1, size_t(size), stdout);
  return net_tokens_grammar_is_complete(&grammar) ? 0 : 5;
}
