// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Penalties on ids that a text already has, each id once however often it occurs: repetition as transformers computes
// it, presence and frequency as servers of the OpenAI interface do, over generated ids.
#pragma once

#include "runtime-lite/generation/bans.h"
#include "runtime-lite/generation/fixed_math.h"
#include "runtime-lite/generation/sampler_types.h"

namespace sinter {
namespace {

/// Calls change(id, times) once for each id of the list that is in the vocabulary. `counts` has room for all ids.
template <class Change>
SINTER_FUNCTION void eachDistinct(sinter_ids list, int32_t vocab, int32_t *counts, Change change) {
  const auto inside = [=](int32_t id) { return id >= 0 && id < vocab; };
  for (int32_t i = 0; i < list.count; ++i)
    if (inside(list.ids[i]))
      counts[list.ids[i]] = 0;
  for (int32_t i = 0; i < list.count; ++i)
    if (inside(list.ids[i]))
      ++counts[list.ids[i]];
  for (int32_t i = 0; i < list.count; ++i) {
    const int32_t id = list.ids[i];
    if (!inside(id) || counts[id] == 0)
      continue;
    change(id, counts[id]);
    counts[id] = 0;
  }
}

/// A penalty above 1 takes from logits of either sign.
SINTER_FUNCTION void penalizeRepetition(float *logits, int32_t vocab, sinter_ids list, float penalty, int32_t *counts) {
  eachDistinct(list, vocab, counts,
               [=](int32_t id, int32_t) { logits[id] = logits[id] < 0 ? logits[id] * penalty : logits[id] / penalty; });
}

SINTER_FUNCTION void penalizeFrequency(float *logits, int32_t vocab, sinter_ids list, float presence, float frequency,
                                       int32_t *counts) {
  eachDistinct(list, vocab, counts, [=](int32_t id, int32_t times) {
    logits[id] = rounded(logits[id] - rounded(float(times) * frequency)) - presence;
  });
}

/// Of each id as often as it stands beside this text.
SINTER_FUNCTION void penalizeAlikeness(float *logits, sinter_ids beside, float penalty) {
  for (int32_t i = 0; i < beside.count; ++i) {
    const int32_t id = beside.ids[i];
    if (isAmong({beside.ids, i}, id))
      continue;
    int32_t times = 0;
    for (int32_t j = i; j < beside.count; ++j)
      times += beside.ids[j] == id;
    logits[id] -= rounded(penalty * float(times));
  }
}

} // namespace
} // namespace sinter
