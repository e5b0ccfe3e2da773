// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What choosing a token is told (C99): settings of a generation by the names of transformers, and where a step stands.
// Zero means absent in every member, so `= {0}` is greedy choice without changes. Members are only added at the end.
#ifndef SINTER_SAMPLER_TYPES_1
#define SINTER_SAMPLER_TYPES_1

#include <stddef.h>
#include <stdint.h>

/* Token ids of the caller's. */
typedef struct sinter_ids {
  const int32_t *ids;
  int32_t count;
} sinter_ids;

/* Sequences of ids, one behind the other: sequence i is ids[ends[i - 1]] up to ids[ends[i]], ends[-1] being 0. */
typedef struct sinter_sequences {
  const int32_t *ids;
  const int32_t *ends;
  int32_t count;
} sinter_sequences;

typedef struct sinter_sampler {
  int32_t do_sample; /* 0: the greatest logit, of equal ones the lowest id */

  /* Changes of logits, in the order in which they are made. */
  sinter_sequences sequence_bias; /* a bias on the last id of a sequence whose others end the text */
  const float *sequence_bias_values;
  float diversity_penalty; /* for each time that a text beside this one has an id at the same place */
  double encoder_repetition_penalty;
  float repetition_penalty;
  float presence_penalty, frequency_penalty; /* over generated ids alone */
  int32_t no_repeat_ngram_size, encoder_no_repeat_ngram_size;
  sinter_sequences bad_words;
  int32_t min_length, min_new_tokens;
  sinter_ids eos;
  sinter_ids forced_bos; /* the id that follows a text of one id */
  sinter_ids forced_eos; /* the ids among which the last one of max_length is */
  int32_t max_length;
  int32_t remove_invalid_values;   /* NaN becomes 0, infinities the greatest floats */
  int32_t exponential_decay_start; /* after so many generated ids ... */
  double exponential_decay_factor; /* ... those of eos grow by this power */
  sinter_ids suppress, begin_suppress;

  /* What is kept of them when do_sample is set, in this order. */
  float temperature;
  int32_t top_k;
  float top_p, min_p, typical_p, epsilon_cutoff, eta_cutoff;
  int32_t min_tokens_to_keep; /* 0: one */

  int32_t renormalize_logits; /* what is left becomes logarithms of probabilities again, before beams add it */

  uint64_t seed;
} sinter_sampler;

/* Where a text stands. */
typedef struct sinter_step {
  const int32_t *tokens; /* the prompt and what was generated */
  int32_t token_count, prompt_count;
  sinter_ids encoder;      /* what the encoder read; of models without one, the prompt */
  const uint32_t *allowed; /* a bit per id, the lowest first; null: all. Bits beyond the vocabulary mean nothing */
  uint32_t sequence;       /* tells texts with one seed apart */
  sinter_ids beside;       /* what earlier groups of beams have chosen for this place */
} sinter_step;

/* What choosing returns in place of an id. */
typedef enum sinter_sample_status {
  SINTER_SAMPLE_NULL = -1,
  SINTER_SAMPLE_SCRATCH = -2,
  SINTER_SAMPLE_SETTING = -3,
  SINTER_SAMPLE_TOKEN = -4,
  SINTER_SAMPLE_NAN = -5,
  SINTER_SAMPLE_INFINITE = -6,
  SINTER_SAMPLE_NONE_ALLOWED = -7,
  SINTER_SAMPLE_DRAFT = -8
} sinter_sample_status;

#ifdef __GNUC__
__attribute__((unused))
#endif
static inline const char *
sinter_text_of_sample(int32_t status) {
  switch (status) {
  case SINTER_SAMPLE_NULL:
    return "a pointer to logits, settings, tokens or scratch is null";
  case SINTER_SAMPLE_SCRATCH:
    return "scratch is smaller than sampler_scratch_bytes says, or not aligned to 8";
  case SINTER_SAMPLE_SETTING:
    return "a setting is outside of its range: temperature and penalties are positive, probabilities between 0 and 1";
  case SINTER_SAMPLE_TOKEN:
    return "a setting names a token outside of the vocabulary";
  case SINTER_SAMPLE_NAN:
    return "a logit is not a number; remove_invalid_values takes it for 0";
  case SINTER_SAMPLE_INFINITE:
    return "a logit is plus infinity; remove_invalid_values takes it for the greatest number";
  case SINTER_SAMPLE_NONE_ALLOWED:
    return "every token is forbidden";
  case SINTER_SAMPLE_DRAFT:
    return "the draft's model has another vocabulary than the model";
  default:
    return status < 0 ? "unknown status" : "a token";
  }
}

#endif
