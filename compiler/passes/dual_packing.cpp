// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word of a pair is 256 w1 + w0 in each half, which is a signed sum: it fits unless w1 is -128 and w0 negative. So
// partners are chosen; a filter that finds none has zeros for a partner. Filters whose factors are proved come first,
// in whole groups.
#include "dual_packing.h"

#include "templates/dual_mac.h"

using namespace mlir;

namespace sinter {
namespace {

int32_t bitsOf(float f) {
  int32_t bits;
  std::memcpy(&bits, &f, sizeof(bits));
  return bits;
}

struct Pairing {
  ArrayRef<DualFilter> filters;
  int64_t elements;
  function_ref<int32_t(int64_t, int64_t)> element;
  using Pair = std::pair<int64_t, int64_t>; // -1: none

  bool fits(int64_t first, int64_t second) const {
    if (!filters[second].mayBeSecond)
      return false;
    for (int64_t i = 0; i < elements; ++i)
      if (element(second, i) == -128 && element(first, i) < 0)
        return false;
    return true;
  }

  std::optional<Pair> pair(int64_t a, int64_t b) const {
    return fits(a, b) ? std::optional(Pair(a, b)) : fits(b, a) ? std::optional(Pair(b, a)) : std::nullopt;
  }
  /// Gives alone[i] and one behind it a partner each out of a pair.
  bool joinPair(SmallVector<Pair> &pairs, SmallVector<int64_t> &alone, size_t i) const {
    for (size_t j = i + 1; j < alone.size(); ++j)
      for (Pair &old : pairs)
        for (auto [a, b] : {std::pair(old.first, old.second), std::pair(old.second, old.first)})
          if (auto one = pair(alone[i], a), other = pair(alone[j], b); one && other) {
            old = *one;
            pairs.push_back(*other);
            alone.erase(alone.begin() + static_cast<int64_t>(j));
            alone.erase(alone.begin() + static_cast<int64_t>(i));
            return true;
          }
    return false;
  }

  /// Pairs of the filters in `some`; those without a partner are left over.
  SmallVector<Pair> pairsOf(SmallVector<int64_t> &some) const {
    SmallVector<Pair> pairs;
    SmallVector<int64_t> alone;
    while (!some.empty()) {
      int64_t first = some.front();
      some.erase(some.begin());
      auto *partner = llvm::find_if(some, [&](int64_t other) { return pair(first, other).has_value(); });
      if (partner == some.end()) {
        alone.push_back(first);
        continue;
      }
      pairs.push_back(*pair(first, *partner));
      some.erase(partner);
    }
    for (size_t i = 0; i + 1 < alone.size();) // two that do not fit each other: they may fit the two of a pair
      i = joinPair(pairs, alone, i) ? 0 : i + 1;
    some = alone;
    return pairs;
  }
};

class GroupWriter {
public:
  GroupWriter(const Pairing &pairing, DualWords &out) : pairing(pairing), out(out) {}

  void write(ArrayRef<Pairing::Pair> pairs, bool isProved) {
    for (auto [first, second] : pairs) {
      push(bias(first));
      push(bias(first) + 256 * bias(second));
    }
    for (int64_t i = 0; i < pairing.elements; i += 2)
      for (auto [first, second] : pairs)
        push(
            halves(256 * element(second, i) + element(first, i), 256 * element(second, i + 1) + element(first, i + 1)));
    SmallVector<int64_t> channels;
    for (auto [first, second] : pairs)
      channels.append({first, second});
    if (pairing.filters[0].rescaling)
      for (int64_t f : channels)
        push(f < 0 ? 0 : isProved ? *rescaling(f).fixed : bitsOf(rescaling(f).factor));
    for (size_t i = 0; i < channels.size(); i += 2)
      push(halves(static_cast<int32_t>(channels[i]), static_cast<int32_t>(channels[i + 1])));
    ++out.groups;
    out.proved += isProved;
  }

private:
  void push(int64_t word) { out.words.push_back(static_cast<int32_t>(static_cast<uint32_t>(word))); }
  const Rescaling &rescaling(int64_t f) const { return *pairing.filters[f].rescaling; }
  int64_t bias(int64_t f) const { return f < 0 ? 0 : pairing.filters[f].bias; }
  int32_t element(int64_t f, int64_t i) const { return f < 0 ? 0 : pairing.element(f, i); }

  const Pairing &pairing;
  DualWords &out;
};

} // namespace

DualWords packPairs(ArrayRef<DualFilter> filters, int64_t steps, int64_t pairs,
                    function_ref<int32_t(int64_t, int64_t)> element) {
  DualWords out;
  Pairing pairing{filters, 2 * steps, element};
  SmallVector<int64_t> proved, others;
  for (int64_t f = 0; f < static_cast<int64_t>(filters.size()); ++f)
    (filters[f].rescaling && filters[f].rescaling->fixed ? proved : others).push_back(f);
  GroupWriter writer(pairing, out);
  SmallVector<Pairing::Pair> made = pairing.pairsOf(proved);
  ArrayRef<Pairing::Pair> rest = made;
  for (; static_cast<int64_t>(rest.size()) >= pairs; rest = rest.drop_front(pairs))
    writer.write(rest.take_front(pairs), true);

  others.append(proved);
  SmallVector<Pairing::Pair> last(rest);
  last.append(pairing.pairsOf(others));
  for (int64_t f : others)
    last.push_back({f, -1});
  while (static_cast<int64_t>(last.size()) % pairs)
    last.push_back({-1, -1});
  for (rest = last; !rest.empty(); rest = rest.drop_front(pairs))
    writer.write(rest.take_front(pairs), false);
  return out;
}

DualWords packPlanes(ArrayRef<DualFilter> filters, int64_t rows,
                     function_ref<int32_t(int64_t, int64_t, int64_t)> element) {
  DualWords out;
  for (int64_t c = 0; c < static_cast<int64_t>(filters.size()); ++c) {
    const std::optional<Rescaling> &rescaling = filters[c].rescaling;
    bool isProved = rescaling && rescaling->fixed;
    out.words.push_back(static_cast<int32_t>(filters[c].bias));
    out.words.push_back(!rescaling ? 0 : isProved ? *rescaling->fixed : bitsOf(rescaling->factor));
    out.words.push_back(isProved);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t tap = 0; tap < 2; ++tap)
        out.words.push_back(halves(element(c, row, tap), element(c, row, tap + 1)));
    out.proved += isProved;
  }
  out.groups = static_cast<int64_t>(filters.size());
  return out;
}

} // namespace sinter
