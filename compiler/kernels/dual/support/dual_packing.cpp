// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word of a pair is 256 w1 + w0 in each half, which is a signed sum: it fits unless w1 is -128 and w0 negative. So
// partners are chosen; a filter that finds none has zeros for a partner. Groups of filters whose factors are proved
// come first.
#include "dual_packing.h"

#include "templates/dual/dual_mac.h"

using namespace mlir;

namespace sinter {
namespace {

struct Pairing {
  ArrayRef<DualFilter> filters;
  int64_t elements;
  function_ref<int32_t(int64_t, int64_t)> element;
  bool areRescaled;
  using Pair = std::pair<int64_t, int64_t>; // -1: none

  bool isProved(int64_t f) const { return areRescaled && filters[f].isProved; }
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

  void write(ArrayRef<Pairing::Pair> pairs) {
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
    if (pairing.areRescaled)
      for (int64_t &channel : channels) {
        push(channel < 0 ? 0 : pairing.filters[channel].factor);
        channel = channel < 0 ? channels[0] : channel; // overwritten: results are stored from the last to the first
      }
    for (size_t i = 0; i < channels.size(); i += 2)
      push(halves(static_cast<int32_t>(channels[i]), static_cast<int32_t>(channels[i + 1])));
    bool isProved = pairing.areRescaled && llvm::all_of(channels, [&](int64_t f) { return pairing.isProved(f); });
    assert((!isProved || out.proved == out.groups) && "groups with a proof come first");
    ++out.groups;
    out.proved += isProved;
  }

private:
  void push(int64_t word) { out.words.push_back(static_cast<int32_t>(static_cast<uint32_t>(word))); }
  int64_t bias(int64_t f) const { return f < 0 ? 0 : pairing.filters[f].bias; }
  int32_t element(int64_t f, int64_t i) const { return f < 0 ? 0 : pairing.element(f, i); }

  const Pairing &pairing;
  DualWords &out;
};

} // namespace

std::vector<int32_t> DualFilters::table() const {
  std::vector<int32_t> table;
  for (const DualFilter &filter : each) // biases are added modulo 2^32
    table.insert(table.end(), {static_cast<int32_t>(static_cast<uint32_t>(filter.bias)), filter.factor, filter.isProved,
                               filter.mayBeSecond});
  return table;
}
DualFilters DualFilters::ofTable(ArrayRef<int32_t> table, bool areRescaled) {
  DualFilters filters;
  filters.areRescaled = areRescaled;
  for (; table.size() >= 4; table = table.drop_front(4))
    filters.each.push_back({table[0], table[1], table[2] != 0, table[3] != 0});
  return filters;
}

int64_t DualSteps::weightAt(int64_t i) const {
  int64_t perRow = 2 * run(), row = i / perRow, at = i % perRow;
  if (byFours)
    at = at / 4 * 4 + (at % 4 == 1 ? 2 : at % 4 == 2 ? 1 : at % 4);
  int64_t column = at / lineChannels, channel = at % lineChannels;
  return column < kernelW && channel < channels ? (channel * kernelH + row) * kernelW + column : -1;
}

DualWords packDualPairs(const DualFilters &filters, const DualSteps &steps, int64_t pairs, ArrayRef<int8_t> weights) {
  DualWords out;
  auto count = static_cast<int64_t>(filters.each.size()), perFilter = static_cast<int64_t>(weights.size()) / count;
  std::vector<int64_t> places(2 * steps.steps());
  for (auto [i, place] : llvm::enumerate(places))
    place = steps.weightAt(static_cast<int64_t>(i));
  auto element = [&](int64_t f, int64_t i) -> int32_t {
    return places[i] < 0 ? 0 : weights[f * perFilter + places[i]];
  };
  Pairing pairing{filters.each, 2 * steps.steps(), element, filters.areRescaled};
  SmallVector<int64_t> proved, others;
  for (int64_t f = 0; f < count; ++f)
    (pairing.isProved(f) ? proved : others).push_back(f);
  SmallVector<Pairing::Pair> all = pairing.pairsOf(proved);
  others.insert(others.begin(), proved.begin(), proved.end()); // those that found no partner among their own
  all.append(pairing.pairsOf(others));
  for (int64_t f : others)
    all.push_back({f, -1});
  std::stable_partition(all.begin(), all.end(), [&](Pairing::Pair pair) {
    return pairing.isProved(pair.first) && (pair.second < 0 || pairing.isProved(pair.second));
  });
  while (static_cast<int64_t>(all.size()) % pairs)
    all.push_back({-1, -1});
  GroupWriter writer(pairing, out);
  for (ArrayRef<Pairing::Pair> rest = all; !rest.empty(); rest = rest.drop_front(pairs))
    writer.write(rest.take_front(pairs));
  return out;
}

DualWords packDualPlanes(const DualFilters &filters, int64_t rows, ArrayRef<int8_t> weights) {
  DualWords out;
  for (auto [c, filter] : llvm::enumerate(filters.each)) {
    out.words.push_back(static_cast<int32_t>(static_cast<uint32_t>(filter.bias)));
    out.words.push_back(filters.areRescaled ? filter.factor : 0);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t tap = 0; tap < 2; ++tap) {
        auto at = static_cast<size_t>((static_cast<int64_t>(c) * rows + row) * 3 + tap);
        out.words.push_back(halves(weights[at], weights[at + 1]));
      }
    out.proved += filters.areRescaled && filter.isProved;
  }
  out.groups = static_cast<int64_t>(filters.each.size());
  return out;
}

} // namespace sinter
