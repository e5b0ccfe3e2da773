// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of constrained output (C99), which the compiler's `grammar` makes: which bytes may follow, and a vocabulary in
// the order of its bytes.
#ifndef SINTER_GRAMMAR_TYPES_1
#define SINTER_GRAMMAR_TYPES_1

#include <stdint.h>

/* Rules as states over classes of bytes. Rule 0 is the text, and begins with state 0. */
typedef struct sinter_grammar {
  const uint8_t *class_of; /* of each of 256 bytes */
  int32_t class_count;
  const int32_t *next;       /* [state][class]: a state, or -1 */
  const int32_t *call_ends;  /* state s calls from call_ends[s - 1] to call_ends[s] */
  const int32_t *call_rules; /* the rule that is entered ... */
  const int32_t *call_next;  /* ... and the state behind it; -1: the end of the rule that calls */
  const uint8_t *accepts;    /* whether a state may end its rule */
  const int32_t *distances;  /* how many bytes end a state's rule at the soonest */
  const int32_t *starts;     /* of rules */
  const uint32_t *firsts;    /* [rule][8]: a bit per byte with which it may begin */
} sinter_grammar;

/* Tokens with bytes, sorted by these: a trie, as what neighbours share is known. */
typedef struct sinter_token_trie {
  const char *bytes;     /* of all ids, one behind the other */
  const int32_t *ends;   /* of id i: ends[i - 1] up to ends[i] */
  const int32_t *order;  /* ids by their bytes */
  const int32_t *shared; /* how many bytes each of these begins with as the one before it */
  const int32_t *jumps;  /* the next place of `order` that shares less than this one; `count` where there is none */
  int32_t count;         /* of `order` */
} sinter_token_trie;

#endif
