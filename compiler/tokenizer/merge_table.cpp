// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/merge_table.h"

#include "runtime-lite/generation/tokenizer_bpe.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

namespace sinter::tokenizer {
using generation::Merge;
using generation::noToken;

MergeTable mergeTableOf(const std::vector<Merge> &merges) {
  std::map<std::pair<uint32_t, uint32_t>, const Merge *> pairs;
  for (const Merge &merge : merges)
    pairs[{merge.left, merge.right}] = &merge;
  MergeTable table;
  if (pairs.empty())
    return table;
  auto places = static_cast<uint32_t>(pairs.size() + pairs.size() / 16 + 1);
  auto buckets = static_cast<uint32_t>(pairs.size() / 3 + 1);
  auto scaled = [](uint32_t hash, uint32_t count) { return static_cast<uint32_t>(uint64_t(hash) * count >> 32); };
  std::vector<std::vector<const Merge *>> inBucket(buckets);
  for (const auto &[pair, merge] : pairs)
    inBucket[scaled(generation::hashPair(merge->left, merge->right, 0), buckets)].push_back(merge);
  std::vector<uint32_t> order(buckets);
  for (uint32_t i = 0; i < buckets; ++i)
    order[i] = i;
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return inBucket[a].size() != inBucket[b].size() ? inBucket[a].size() > inBucket[b].size() : a < b;
  });
  table.merges.assign(places, {noToken, noToken, 0, 0});
  table.seeds.assign(buckets, 0);
  for (uint32_t bucket : order) {
    std::vector<uint32_t> taken;
    // Some seed is good: each sends the pairs elsewhere, and one place in sixteen at least is free.
    for (uint32_t seed = 1; !inBucket[bucket].empty(); ++seed) {
      taken.clear();
      for (const Merge *merge : inBucket[bucket]) {
        uint32_t place = scaled(generation::hashPair(merge->left, merge->right, seed), places);
        if (table.merges[place].left != noToken || std::find(taken.begin(), taken.end(), place) != taken.end())
          break;
        taken.push_back(place);
      }
      if (taken.size() < inBucket[bucket].size())
        continue;
      for (size_t i = 0; i < taken.size(); ++i)
        table.merges[taken[i]] = *inBucket[bucket][i];
      table.seeds[bucket] = seed;
      break;
    }
  }
  return table;
}

} // namespace sinter::tokenizer
