// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The headers of runtime-lite/generation as C functions, which the scripts beside this call by ctypes (chosen.py).
#include "runtime-lite/generation/sampler.h"

using namespace sinter;

extern "C" {

size_t choose_scratch_bytes(int32_t vocab) { return sampler_scratch_bytes(vocab); }

/// Logits as they are before a draw: those that are not kept become -inf.
int32_t choose_prepare(const sinter_sampler *settings, const sinter_step *step, float *logits, int32_t vocab,
                       void *scratch, size_t scratch_bytes) {
  Candidates c;
  if (const int32_t status = prepare(*settings, *step, logits, vocab, scratch, scratch_bytes, c))
    return status;
  if (!settings->do_sample)
    return c.ids[0];
  for (int32_t id = 0, i = 0; id < vocab; ++id)
    if (i < c.count && c.ids[i] == id)
      ++i;
    else
      logits[id] = kForbidden;
  return c.count;
}

int32_t choose_sample(const sinter_sampler *settings, const sinter_step *step, float *logits, int32_t vocab,
                      void *scratch, size_t scratch_bytes) {
  return sample(*settings, *step, logits, vocab, scratch, scratch_bytes);
}
}
