// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/nfa.h"
#include "grammar/automaton.h"

namespace sinter::grammar {

namespace {

class NfaBuilder {
public:
  NfaBuilder(Nfa &nfa, const std::vector<bool> &mayBeEmpty) : nfa(nfa), mayBeEmpty(mayBeEmpty) {}

  int32_t add() {
    if (nfa.states.size() >= kMaxNfaStates)
      nfa.isTooLarge = true;
    else
      nfa.states.emplace_back();
    return int32_t(nfa.states.size()) - 1;
  }
  /// From `from` by the pattern: where that ends.
  int32_t append(const PatternNode &p, int32_t from) {
    if (nfa.isTooLarge)
      return from;
    switch (p.kind) {
    case PatternNode::Bytes:
    case PatternNode::Call: {
      const int32_t at = add(), end = add();
      nfa.states[size_t(from)].empty.push_back(at);
      nfa.states[size_t(at)].bytes = p.bytes;
      nfa.states[size_t(at)].rule = p.kind == PatternNode::Call ? p.rule : -1;
      nfa.states[size_t(at)].next = end;
      if (p.kind == PatternNode::Call && mayBeEmpty[size_t(p.rule)]) // rules are entered by a byte
        nfa.states[size_t(at)].empty.push_back(end);
      return end;
    }
    case PatternNode::Sequence:
      for (const Pattern &part : p.parts)
        from = append(*part, from);
      return from;
    case PatternNode::Choice: {
      const int32_t end = add();
      for (const Pattern &part : p.parts) {
        const int32_t begin = add();
        nfa.states[size_t(from)].empty.push_back(begin);
        nfa.states[size_t(append(*part, begin))].empty.push_back(end);
      }
      return end;
    }
    case PatternNode::Repeat: {
      for (int i = 0; i < p.min; ++i)
        from = append(*p.parts[0], from);
      const int32_t end = add();
      nfa.states[size_t(from)].empty.push_back(end);
      if (p.max < 0) {
        const int32_t begin = add();
        nfa.states[size_t(from)].empty.push_back(begin);
        const int32_t last = append(*p.parts[0], begin);
        nfa.states[size_t(last)].empty.push_back(begin);
        nfa.states[size_t(last)].empty.push_back(end);
      }
      for (int i = p.min; i < p.max && !nfa.isTooLarge; ++i) {
        from = append(*p.parts[0], from);
        nfa.states[size_t(from)].empty.push_back(end);
      }
      return end;
    }
    case PatternNode::TooLarge:
      nfa.isTooLarge = true;
      break;
    }
    return from;
  }

private:
  Nfa &nfa;
  const std::vector<bool> &mayBeEmpty;
};

} // namespace

Nfa nfaOf(const Pattern &pattern, const std::vector<bool> &mayBeEmpty) {
  Nfa nfa;
  NfaBuilder builder(nfa, mayBeEmpty);
  nfa.start = builder.add();
  nfa.accept = builder.append(*pattern, nfa.start);
  return nfa;
}

} // namespace sinter::grammar
