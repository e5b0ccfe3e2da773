// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges to a perfect hash: pairs fall into buckets, and each bucket gets a seed that sends its pairs to places that no
// other pair has. Largest buckets choose first. Whoever writes the merges may choose them so that one bucket has them
// all: then another salt spreads them.
#pragma once

#include "tokenizer/tokenizer.h"

namespace sinter::tokenizer {

struct MergeTable {
  std::vector<generation::Merge> merges; ///< places; of empty ones `left` is noToken
  std::vector<uint32_t> seeds;           ///< of buckets
  uint32_t salt = 0;                     ///< of what chooses the bucket
};
/// Of several merges of a pair the last counts, as in the package tokenizers. None where no salt spreads them.
std::optional<MergeTable> mergeTableOf(const std::vector<generation::Merge> &merges);

} // namespace sinter::tokenizer
