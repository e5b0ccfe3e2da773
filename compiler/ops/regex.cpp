// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thompson's construction makes places that a match can be at, with steps over ranges of bytes; the subsets of places
// that a text leads to are the states. A state has beside its places what the assertions ask for: whether the text has
// just begun, and whether the last byte was part of a word.
#include "regex.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace sinter {
namespace {

constexpr size_t mostPlaces = 200000;

/// One place: a step over bytes, or ways on that take none; `assertion` must hold for these.
struct RegexPlace {
  uint8_t first = 1, last = 0; ///< a step, if first <= last
  int to = -1;
  std::vector<int> ways;
  Regex::Kind assertion = Regex::Nothing;
};

class RegexPlaces {
public:
  std::vector<RegexPlace> all;
  bool isTooLarge() const { return all.size() > mostPlaces; }

  int add() {
    all.emplace_back();
    return static_cast<int>(all.size()) - 1;
  }

  /// Where `regex` begins that goes on at `end`. Built from its end.
  int build(const Regex &regex, int end) {
    if (isTooLarge())
      return end;
    switch (regex.kind) {
    case Regex::Nothing:
      return end;
    case Regex::Letter:
      return buildLetter(regex, end);
    case Regex::Sequence:
      for (const Regex &part : llvm::reverse(regex.parts))
        end = build(part, end);
      return end;
    case Regex::Choice: {
      int begin = add();
      for (const Regex &part : regex.parts) {
        int way = build(part, end);
        all[begin].ways.push_back(way);
      }
      return begin;
    }
    case Regex::Repeat:
      return buildRepeat(regex, end);
    default:
      int begin = add();
      all[begin].assertion = regex.kind;
      all[begin].ways = {end};
      return begin;
    }
  }

private:
  int buildRepeat(const Regex &regex, int end) {
    const Regex &part = regex.parts.front();
    if (regex.most < 0) { // any number behind those that must be
      int again = add();
      int inner = build(part, again);
      all[again].ways = {inner, end};
      end = again;
    }
    for (int i = regex.least; i < regex.most; ++i) {
      int maybe = add();
      int inner = build(part, end);
      all[maybe].ways = {inner, end};
      end = maybe;
    }
    for (int i = 0; i < regex.least; ++i)
      end = build(part, end);
    return end;
  }

  int step(uint8_t first, uint8_t last, int to) {
    int begin = add();
    all[begin].first = first;
    all[begin].last = last;
    all[begin].to = to;
    return begin;
  }

  int buildLetter(const Regex &regex, int end) {
    int begin = add();
    constexpr CodeRange bySize[] = {{0, 0x7f}, {0x80, 0x7ff}, {0x800, 0xd7ff}, {0xe000, 0xffff}, {0x10000, lastCode}};
    constexpr int sizes[] = {1, 2, 3, 3, 4};
    for (CodeRange range : regex.letters)
      for (auto [group, size] : llvm::zip(bySize, sizes)) {
        CodeRange part{std::max(range.first, group.first), std::min(range.last, group.last)};
        if (part.first <= part.last)
          addBytes(begin, part, size, end);
      }
    return begin;
  }

  /// Steps from `begin` over the encodings of a range, all of `size` bytes: a range of the first byte where the others
  /// are free, else parts of it.
  void addBytes(int begin, CodeRange range, int size, int end) {
    for (int free = size - 1; free > 0; --free) {
      uint32_t low = (1u << (6 * free)) - 1;
      if ((range.first & ~low) == (range.last & ~low))
        continue;
      if (range.first & low) {
        addBytes(begin, {range.first, range.first | low}, size, end);
        addBytes(begin, {(range.first | low) + 1, range.last}, size, end);
        return;
      }
      if ((range.last & low) != low) {
        addBytes(begin, {range.first, (range.last & ~low) - 1}, size, end);
        addBytes(begin, {range.last & ~low, range.last}, size, end);
        return;
      }
    }
    int to = end;
    for (int i = 0; i < size; ++i)
      to = step(byteOf(range.first, size, i), byteOf(range.last, size, i), to);
    all[begin].ways.push_back(to);
  }

  /// Byte `fromEnd` of a code point's encoding, the last one first.
  static uint8_t byteOf(uint32_t code, int size, int fromEnd) {
    uint32_t bits = code >> (6 * fromEnd);
    if (fromEnd + 1 < size)
      return static_cast<uint8_t>(0x80 | (bits & 0x3f));
    return static_cast<uint8_t>(size == 1 ? bits : (0xf00u >> size & 0xff) | bits);
  }
};

bool isWordByte(int byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '_';
}

class Subsets {
public:
  Subsets(const RegexPlaces &places, int begin, int end) : places(places.all), end(end) {
    findKinds();
    numberOf({{begin}, true, false});
  }

  bool run(size_t mostStates) {
    for (size_t i = 0; i < states.size(); ++i) {
      if (states.size() > mostStates)
        return false;
      State from = states[i]; // a copy: the list grows
      result.accepts.push_back(std::binary_search(from.at.begin(), from.at.end(), end) ||
                               llvm::is_contained(closure(from, -1), end));
      for (int byte : exemplars)
        result.next.push_back(stepFrom(from, byte));
    }
    auto never = static_cast<int32_t>(states.size());
    for (int32_t &to : result.next)
      to = to < 0 ? never : to;
    return true;
  }

  Automaton result;

private:
  struct State {
    std::vector<int> at;
    bool isBegin, isBehindWord;
    bool operator<(const State &other) const {
      return std::tie(at, isBegin, isBehindWord) < std::tie(other.at, other.isBegin, other.isBehindWord);
    }
  };

  void findKinds() {
    std::set<int> starts{0, 256};
    for (const RegexPlace &place : places)
      if (place.first <= place.last)
        starts.insert({place.first, place.last + 1});
    for (int byte = 1; byte < 256; ++byte)
      if (isWordByte(byte) != isWordByte(byte - 1))
        starts.insert(byte);
    result.kindOf.resize(256);
    for (auto from = starts.begin(); std::next(from) != starts.end(); ++from) {
      std::fill(result.kindOf.begin() + *from, result.kindOf.begin() + *std::next(from),
                static_cast<uint8_t>(exemplars.size()));
      exemplars.push_back(*from);
    }
    result.kinds = static_cast<int64_t>(exemplars.size());
  }

  int32_t numberOf(State state) {
    auto [known, isNew] = numbers.try_emplace(state, static_cast<int32_t>(states.size()));
    if (isNew)
      states.push_back(std::move(state));
    return known->second;
  }

  /// The places that a state is at before the next byte; below 0: the text's end.
  std::vector<int> closure(const State &state, int byte) const {
    bool isAtEdge = state.isBehindWord != (byte >= 0 && isWordByte(byte));
    auto holds = [&](Regex::Kind assertion) {
      return assertion == Regex::Begin        ? state.isBegin
             : assertion == Regex::End        ? byte < 0
             : assertion == Regex::WordEdge   ? isAtEdge
             : assertion == Regex::NoWordEdge ? !isAtEdge
                                              : true;
    };
    std::set<int> seen(state.at.begin(), state.at.end());
    std::vector<int> all(seen.begin(), seen.end());
    for (size_t i = 0; i < all.size(); ++i)
      if (const RegexPlace &place = places[all[i]]; holds(place.assertion))
        for (int way : place.ways)
          if (seen.insert(way).second)
            all.push_back(way);
    return all;
  }

  int32_t stepFrom(const State &from, int byte) {
    std::set<int> to;
    for (int at : closure(from, byte))
      if (const RegexPlace &place = places[at]; place.first <= byte && byte <= place.last)
        to.insert(place.to);
    if (to.empty())
      return -1;
    return numberOf({{to.begin(), to.end()}, false, isWordByte(byte)});
  }

  const std::vector<RegexPlace> &places;
  int end;
  std::vector<int> exemplars; ///< a byte of each kind
  std::vector<State> states;
  std::map<State, int32_t> numbers;
};

} // namespace

std::optional<Automaton> automatonOf(const Regex &regex, size_t mostStates) {
  RegexPlaces places;
  int end = places.add(), begin = places.build(regex, end);
  if (places.isTooLarge())
    return std::nullopt;
  Subsets subsets(places, begin, end);
  if (!subsets.run(mostStates))
    return std::nullopt;
  return std::move(subsets.result);
}

} // namespace sinter
