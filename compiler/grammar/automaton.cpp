// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/automaton.h"
#include "grammar/nfa.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace sinter::grammar {

namespace {

/// A state while the table is made: all bytes apart.
struct WideState {
  std::array<int32_t, 256> next;
  std::map<int32_t, int32_t> calls;
  bool accepts = false;
};

using StateSet = std::vector<int32_t>;

/// All that is reached without taking anything, sorted.
StateSet closureOf(const Nfa &nfa, StateSet set) {
  std::vector<bool> isIn(nfa.states.size());
  for (const int32_t s : set)
    isIn[size_t(s)] = true;
  for (size_t i = 0; i < set.size(); ++i)
    for (const int32_t to : nfa.states[size_t(set[i])].empty)
      if (!isIn[size_t(to)]) {
        isIn[size_t(to)] = true;
        set.push_back(to);
      }
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

/// Adds a rule's states by the construction of subsets; false if there are too many.
bool addRule(const Nfa &nfa, std::vector<WideState> &states, size_t &work) {
  std::map<StateSet, int32_t> known;
  std::vector<StateSet> sets;
  const size_t first = states.size();
  const auto stateOf = [&](StateSet set) {
    set = closureOf(nfa, std::move(set));
    work += nfa.states.size() / 64 + set.size();
    const auto [at, isNew] = known.try_emplace(std::move(set), int32_t(first + sets.size()));
    if (isNew) {
      sets.push_back(at->first);
      states.emplace_back();
      states.back().next.fill(-1);
    }
    return at->second;
  };
  stateOf({nfa.start});
  for (size_t i = 0; i < sets.size(); ++i) {
    if (states.size() > kMaxDfaStates || work > kMaxWork)
      return false;
    const StateSet set = sets[i];
    std::map<int32_t, StateSet> calls;
    std::array<StateSet, 256> byByte;
    for (const int32_t s : set) {
      const Nfa::State &state = nfa.states[size_t(s)];
      states[first + i].accepts |= s == nfa.accept;
      if (state.rule >= 0)
        calls[state.rule].push_back(state.next);
      else if (state.next >= 0)
        for (size_t byte = 0; byte < 256; ++byte)
          if (state.bytes[byte])
            byByte[byte].push_back(state.next);
    }
    for (size_t byte = 0; byte < 256; ++byte) {
      // Neighbours mostly go the same way.
      const bool isSame = byte > 0 && byByte[byte] == byByte[byte - 1];
      const int32_t to = byByte[byte].empty() ? -1 : isSame ? states[first + i].next[byte - 1] : stateOf(byByte[byte]);
      states[first + i].next[byte] = to;
    }
    for (auto &[rule, targets] : calls) {
      const int32_t to = stateOf(std::move(targets));
      states[first + i].calls[rule] = to;
    }
  }
  return true;
}

bool canBeEmpty(const PatternNode &p, const std::vector<bool> &rules) {
  const auto isEmpty = [&](const Pattern &part) { return canBeEmpty(*part, rules); };
  switch (p.kind) {
  case PatternNode::Bytes:
  case PatternNode::TooLarge:
    return false;
  case PatternNode::Sequence:
    return std::all_of(p.parts.begin(), p.parts.end(), isEmpty);
  case PatternNode::Choice:
    return std::any_of(p.parts.begin(), p.parts.end(), isEmpty);
  case PatternNode::Repeat:
    return p.min == 0 || isEmpty(p.parts[0]);
  case PatternNode::Call:
    return rules[size_t(p.rule)];
  }
  return false;
}
/// Which rules can be empty; grows until nothing changes.
std::vector<bool> emptyRules(const std::vector<Pattern> &rules) {
  std::vector<bool> empty(rules.size());
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = 0; i < rules.size(); ++i)
      if (!empty[i] && canBeEmpty(*rules[i], empty))
        isChanged = empty[i] = true;
  }
  return empty;
}

constexpr int32_t kNever = 1 << 20; // so far that sums of a stack's stay within 32 bits

/// How many bytes lead from each state to the end of its rule; kNever: none do. Falls until nothing changes.
std::vector<int32_t> distancesOf(const std::vector<WideState> &states, const std::vector<int32_t> &starts) {
  std::vector<std::set<int32_t>> targets(states.size()); // few, while bytes are many and rounds may be
  for (size_t i = 0; i < states.size(); ++i)
    targets[i].insert(states[i].next.begin(), states[i].next.end());
  std::vector<int32_t> distances(states.size(), kNever);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t i = states.size(); i-- > 0;) {
      int32_t least = states[i].accepts ? 0 : kNever;
      for (const int32_t to : targets[i])
        if (to >= 0)
          least = std::min(least, distances[size_t(to)] + 1);
      for (const auto &[rule, to] : states[i].calls)
        least = std::min(least, distances[size_t(starts[size_t(rule)])] + distances[size_t(to)]);
      isChanged |= least < distances[i];
      distances[i] = std::min(least, distances[i]);
    }
  }
  return distances;
}

void dropDeadMoves(std::vector<WideState> &states, const std::vector<int32_t> &starts,
                   const std::vector<int32_t> &distances) {
  const auto ends = [&](int32_t state) { return distances[size_t(state)] < kNever; };
  for (WideState &state : states) {
    for (int32_t &to : state.next)
      to = to >= 0 && ends(to) ? to : -1;
    for (auto at = state.calls.begin(); at != state.calls.end();)
      at = ends(starts[size_t(at->first)]) && ends(at->second) ? std::next(at) : state.calls.erase(at);
  }
}

/// What each rule may begin with, through the rules that it begins with.
std::vector<ByteSet> firstsOf(const std::vector<WideState> &states, const std::vector<int32_t> &starts) {
  std::vector<ByteSet> firsts(starts.size());
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t rule = 0; rule < starts.size(); ++rule) {
      const WideState &start = states[size_t(starts[rule])];
      ByteSet set = firsts[rule];
      for (size_t byte = 0; byte < 256; ++byte)
        set[byte] = set[byte] || start.next[byte] >= 0;
      for (const auto &[called, to] : start.calls)
        set |= firsts[size_t(called)];
      isChanged |= set != firsts[rule];
      firsts[rule] = set;
    }
  }
  return firsts;
}

/// Whether rules begin with one another without end.
bool isLeftRecursive(const std::vector<WideState> &states, const std::vector<int32_t> &starts) {
  std::vector<bool> isFine(starts.size());
  for (size_t round = 0; round < starts.size(); ++round)
    for (size_t rule = 0; rule < starts.size(); ++rule) {
      bool fine = true;
      for (const auto &[called, to] : states[size_t(starts[rule])].calls)
        fine = fine && isFine[size_t(called)];
      isFine[rule] = fine;
    }
  return std::find(isFine.begin(), isFine.end(), false) != isFine.end();
}

bool isUnambiguous(const std::vector<WideState> &states, const std::vector<ByteSet> &firsts) {
  for (const WideState &state : states) {
    ByteSet taken;
    for (size_t byte = 0; byte < 256; ++byte)
      taken[byte] = state.next[byte] >= 0;
    for (const auto &[rule, to] : state.calls) {
      if ((taken & firsts[size_t(rule)]).any())
        return false;
      taken |= firsts[size_t(rule)];
    }
  }
  return true;
}

/// The same table by classes of bytes.
Automaton byClasses(const std::vector<WideState> &states) {
  Automaton made;
  std::map<std::vector<int32_t>, uint8_t> classes;
  std::vector<size_t> examples;
  for (size_t byte = 0; byte < 256; ++byte) {
    std::vector<int32_t> column;
    for (const WideState &state : states)
      column.push_back(state.next[byte]);
    const auto [at, isNew] = classes.try_emplace(std::move(column), uint8_t(examples.size()));
    if (isNew)
      examples.push_back(byte);
    made.classOf.push_back(at->second);
  }
  made.classCount = int32_t(examples.size());
  for (const WideState &state : states) {
    Automaton::State narrow;
    for (const size_t byte : examples)
      narrow.next.push_back(state.next[byte]);
    narrow.calls.assign(state.calls.begin(), state.calls.end());
    narrow.accepts = state.accepts;
    made.states.push_back(std::move(narrow));
  }
  return made;
}

} // namespace

std::optional<Automaton> buildAutomaton(const std::vector<Pattern> &rules, Diagnostics &diagnostics) {
  const auto refuse = [&](Code code, const char *message, const char *hint) {
    diagnostics.report({code, message, {}, hint});
    return std::nullopt;
  };
  std::vector<WideState> states;
  std::vector<int32_t> starts;
  size_t work = 0;
  const std::vector<bool> empty = emptyRules(rules);
  for (const Pattern &rule : rules) {
    starts.push_back(int32_t(states.size()));
    const Nfa nfa = nfaOf(rule, empty);
    if (nfa.isTooLarge || !addRule(nfa, states, work))
      return refuse(Code::GrammarTooLarge, "the grammar needs more states than there may be",
                    "make the bounds of repetitions, lengths and numbers of items smaller, or leave them out");
  }
  const std::vector<int32_t> distances = distancesOf(states, starts);
  if (distances[0] >= kNever)
    return refuse(Code::GrammarInvalid, "no text satisfies the grammar", "is there a way out of each recursion?");
  dropDeadMoves(states, starts, distances);
  if (isLeftRecursive(states, starts))
    return refuse(Code::GrammarUnsupported, "a part begins with itself",
                  "let each round of a recursion begin with a text");
  const std::vector<ByteSet> firsts = firstsOf(states, starts);
  if (!isUnambiguous(states, firsts))
    return refuse(Code::GrammarUnsupported, "two alternatives, one of which is recursive, begin with the same byte",
                  "let alternatives differ in their first byte, or have one type for both");
  Automaton made = byClasses(states);
  for (size_t i = 0; i < states.size(); ++i)
    made.states[i].distance = distances[i];
  made.starts = starts;
  made.firsts = firsts;
  return made;
}

} // namespace sinter::grammar
