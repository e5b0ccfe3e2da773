// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/merge_table.h"

#include "runtime-lite/generation/tokenizer_bpe.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

namespace sinter::tokenizer {
using generation::Merge;
using generation::noToken;

namespace {
constexpr uint32_t mostSalts = 64, mostSeeds = 1u << 16;
constexpr size_t mostOfBucket = 32; // it has three on average

uint32_t scaled(uint32_t hash, uint32_t count) { return static_cast<uint32_t>(uint64_t(hash) * count >> 32); }

class MergeSpreader {
public:
  explicit MergeSpreader(const std::vector<Merge> &merges) {
    for (const Merge &merge : merges)
      pairs[{merge.left, merge.right}] = &merge;
    places = static_cast<uint32_t>(pairs.size() + pairs.size() / 16 + 1);
    buckets = static_cast<uint32_t>(pairs.size() / 3 + 1);
  }
  bool isEmpty() const { return pairs.empty(); }

  /// False: a bucket has found no seed.
  bool spread(MergeTable &table) const {
    std::vector<std::vector<const Merge *>> inBucket(buckets);
    for (const auto &[pair, merge] : pairs)
      inBucket[scaled(generation::hashPair(merge->left, merge->right, table.salt), buckets)].push_back(merge);
    std::vector<uint32_t> order(buckets);
    for (uint32_t i = 0; i < buckets; ++i)
      order[i] = i;
    llvm::sort(order, [&](uint32_t a, uint32_t b) {
      return inBucket[a].size() != inBucket[b].size() ? inBucket[a].size() > inBucket[b].size() : a < b;
    });
    table.merges.assign(places, {noToken, noToken, 0, 0});
    table.seeds.assign(buckets, 0);
    return llvm::all_of(order, [&](uint32_t bucket) { return place(inBucket[bucket], table, table.seeds[bucket]); });
  }

private:
  /// A seed sends the pairs to places that are free and apart; one place in sixteen at least is free at the end.
  bool place(const std::vector<const Merge *> &bucket, MergeTable &table, uint32_t &seed) const {
    if (bucket.empty() || bucket.size() > mostOfBucket)
      return bucket.empty();
    std::vector<uint32_t> taken;
    while (++seed <= mostSeeds) {
      taken.clear();
      for (const Merge *merge : bucket) {
        uint32_t at = scaled(generation::hashPair(merge->left, merge->right, seed), places);
        if (table.merges[at].left != noToken || llvm::is_contained(taken, at))
          break;
        taken.push_back(at);
      }
      if (taken.size() < bucket.size())
        continue;
      for (size_t i = 0; i < taken.size(); ++i)
        table.merges[taken[i]] = *bucket[i];
      return true;
    }
    return false;
  }

  std::map<std::pair<uint32_t, uint32_t>, const Merge *> pairs;
  uint32_t places, buckets;
};
} // namespace

std::optional<MergeTable> mergeTableOf(const std::vector<Merge> &merges) {
  MergeSpreader spreader(merges);
  MergeTable table;
  if (spreader.isEmpty())
    return table;
  for (; table.salt < mostSalts; ++table.salt)
    if (spreader.spread(table))
      return table;
  return std::nullopt;
}

} // namespace sinter::tokenizer
