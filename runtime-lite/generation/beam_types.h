// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Settings of a beam search (C99), by transformers' names.
#ifndef SINTER_BEAM_TYPES_1
#define SINTER_BEAM_TYPES_1

#include <stdint.h>

/* When a search ends before max_length: once no beam seems able to beat the worst that is done, judged by its length
 * now; once enough are done; once none can, judged by max_length if longer texts are favoured. */
typedef enum sinter_early_stopping {
  SINTER_STOP_HEURISTIC = 0,
  SINTER_STOP_WHEN_FULL = 1,
  SINTER_STOP_NEVER_EARLY = 2
} sinter_early_stopping;

/* Which length the penalty is a power of: transformers counts what was generated, with the token that ends it;
 * ONNX Runtime GenAI the whole text with its prompt, without that token. */
typedef enum sinter_length_base { SINTER_LENGTH_GENERATED = 0, SINTER_LENGTH_WHOLE = 1 } sinter_length_base;

typedef struct sinter_beams {
  int32_t num_beams;
  int32_t max_length;   /* with the prompt; texts have room for so many */
  float length_penalty; /* scores are divided by length^penalty; transformers' default is 1 */
  sinter_early_stopping early_stopping;
  sinter_length_base length_base;
} sinter_beams;

#endif
