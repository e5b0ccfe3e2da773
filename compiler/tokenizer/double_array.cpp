// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/double_array.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace sinter::tokenizer {
namespace {
constexpr uint32_t freePlace = 0xffffffff, rootParent = 0xfffffffe, symbols = 257;
/// So many places are tried for a node before it goes behind all others.
constexpr unsigned mostTries = 200;

class DoubleArray {
public:
  explicit DoubleArray(const TrieWords &words) : words(words) { grow(symbols + 1); }

  bool build() {
    take(0, rootParent);
    struct Part {
      uint32_t node;
      size_t from, to, depth;
    };
    std::vector<Part> open = {{0, 0, words.size(), 0}};
    while (!open.empty()) {
      Part part = open.back();
      open.pop_back();
      std::vector<uint32_t> children;
      std::vector<size_t> starts;
      for (size_t i = part.from; i < part.to; ++i) {
        const std::string &word = words[i].first;
        uint32_t symbol = word.size() == part.depth ? 0 : static_cast<uint8_t>(word[part.depth]) + 1u;
        if (children.empty() || children.back() != symbol) {
          children.push_back(symbol);
          starts.push_back(i);
        }
      }
      starts.push_back(part.to);
      uint32_t base = place(children);
      if (nodes.size() / 2 > mostTrieNodes)
        return false;
      nodes[size_t(part.node) * 2] = base;
      for (uint32_t symbol : children)
        take(base + symbol, part.node);
      for (size_t i = 0; i < children.size(); ++i)
        if (children[i] == 0)
          nodes[size_t(base) * 2] = words[starts[i]].second;
        else
          open.push_back({base + children[i], starts[i], starts[i + 1], part.depth + 1});
    }
    grow(nodes.size() / 2 + symbols); // so that a lookup of any byte stays within
    return true;
  }
  std::vector<uint32_t> nodes;

private:
  void grow(size_t count) {
    for (size_t i = nodes.size() / 2; i < count; ++i) {
      nodes.push_back(0);
      nodes.push_back(freePlace);
      nextFree.push_back(static_cast<uint32_t>(i + 1));
    }
  }
  bool isFree(size_t at) const { return at * 2 >= nodes.size() || nodes[at * 2 + 1] == freePlace; }
  void take(uint32_t at, uint32_t parent) {
    grow(at + symbols);
    nodes[size_t(at) * 2 + 1] = parent;
  }
  /// The next free place from `at` on; what was passed is not looked at again.
  uint32_t freeFrom(uint32_t at) {
    uint32_t found = at;
    while (found < nextFree.size() && !isFree(found))
      found = nextFree[found];
    while (at < found) {
      uint32_t next = nextFree[at];
      nextFree[at] = found;
      at = next;
    }
    return found;
  }
  /// Where the children may begin: the first at the first place that has room for all.
  uint32_t place(const std::vector<uint32_t> &children) {
    uint32_t at = freeFrom(std::max(first, children.front() + 1));
    for (unsigned tries = 0;; ++tries, at = freeFrom(at + 1)) {
      uint32_t base = at - children.front();
      if (tries == mostTries) {
        first = freeFrom(first + 1); // few of the places in front are any use
        tries = 0;
        at = static_cast<uint32_t>(nodes.size() / 2) + symbols;
        base = at - children.front();
      }
      if (std::all_of(children.begin(), children.end(), [&](uint32_t symbol) { return isFree(size_t(base) + symbol); }))
        return base;
    }
  }
  const TrieWords &words;
  std::vector<uint32_t> nextFree;
  uint32_t first = 1;
};
} // namespace

Expected<std::vector<uint32_t>> doubleArrayOf(TrieWords words) {
  llvm::sort(words);
  DoubleArray array(words);
  if (!words.empty() && !array.build())
    return createStringError("the vocabulary needs a trie of more than " + Twine(mostTrieNodes) + " nodes");
  return std::move(array.nodes);
}

} // namespace sinter::tokenizer
