// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges to a perfect hash: pairs fall into buckets, and each bucket gets a seed that sends its pairs to places that no
// other pair has. Largest buckets choose first.
#pragma once

#include "tokenizer/tokenizer.h"

namespace sinter::tokenizer {

struct MergeTable {
  std::vector<generation::Merge> merges; ///< places; of empty ones `left` is noToken
  std::vector<uint32_t> seeds;           ///< of buckets
};
/// Of several merges of a pair the last counts, as in the package tokenizers.
MergeTable mergeTableOf(const std::vector<generation::Merge> &merges);

} // namespace sinter::tokenizer
