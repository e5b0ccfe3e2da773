// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/tables.h"

#include "runtime-lite/generation/grammar_mask.h"

#include <algorithm>
#include <numeric>

namespace sinter::grammar {

namespace {

/// An array of numbers; one zero where there are none, since C++ has no empty arrays.
template <class T>
void printArray(std::string &out, const char *type, const std::string &name, const char *part,
                const std::vector<T> &numbers) {
  out += "static const " + std::string(type) + " " + name + "_" + part + "[] = {";
  for (size_t i = 0; i < numbers.size(); ++i)
    out += (i % 24 ? "" : "\n    ") + std::to_string(numbers[i]) + (type == std::string("uint32_t") ? "u," : ",");
  out += numbers.empty() ? "0};\n" : "\n};\n";
}

} // namespace

GrammarTables tablesOf(const Automaton &automaton) {
  GrammarTables made;
  made.classOf = automaton.classOf;
  made.classCount = automaton.classCount;
  made.starts = automaton.starts;
  const auto isEnd = [&](int32_t state) { // and nothing else: who calls in front of it has no need to come back
    const Automaton::State &s = automaton.states[size_t(state)];
    return s.accepts && s.calls.empty() && std::all_of(s.next.begin(), s.next.end(), [](int32_t n) { return n < 0; });
  };
  for (const Automaton::State &state : automaton.states) {
    made.next.insert(made.next.end(), state.next.begin(), state.next.end());
    for (const auto &[rule, to] : state.calls) {
      made.callRules.push_back(rule);
      made.callNext.push_back(isEnd(to) ? -1 : to);
    }
    made.callEnds.push_back(int32_t(made.callRules.size()));
    made.accepts.push_back(state.accepts);
    made.distances.push_back(state.distance);
  }
  for (const ByteSet &first : automaton.firsts)
    for (size_t word = 0; word < 8; ++word) {
      uint32_t bits = 0;
      for (size_t bit = 0; bit < 32; ++bit)
        bits |= uint32_t(first[word * 32 + bit]) << bit;
      made.firsts.push_back(bits);
    }
  return made;
}
sinter_grammar GrammarTables::view() const {
  return {classOf.data(),  classCount,     next.data(),      callEnds.data(), callRules.data(),
          callNext.data(), accepts.data(), distances.data(), starts.data(),   firsts.data()};
}

TrieTables trieOf(const std::vector<std::string> &given) {
  TrieTables made;
  std::vector<std::string> tokens = given;
  for (std::string &token : tokens) {
    if (token.size() > size_t(generation::kLongestAllowed))
      token.clear();
    made.bytes += token;
    made.ends.push_back(int32_t(made.bytes.size()));
  }
  made.order.resize(tokens.size());
  std::iota(made.order.begin(), made.order.end(), 0);
  std::sort(made.order.begin(), made.order.end(), [&](int32_t a, int32_t b) {
    return std::pair(std::string_view(tokens[size_t(a)]), a) < std::pair(std::string_view(tokens[size_t(b)]), b);
  });
  for (size_t i = 0; i < made.order.size(); ++i) {
    const std::string &token = tokens[size_t(made.order[i])];
    const std::string before = i ? tokens[size_t(made.order[i - 1])] : "";
    const auto end = std::mismatch(token.begin(), token.end(), before.begin(), before.end()).first;
    made.shared.push_back(int32_t(end - token.begin()));
  }
  made.jumps.resize(tokens.size());
  std::vector<size_t> waiting; // places that share more and more, whose jump is not known yet
  for (size_t i = 0; i < tokens.size(); ++i) {
    for (; !waiting.empty() && made.shared[i] < made.shared[waiting.back()]; waiting.pop_back())
      made.jumps[waiting.back()] = int32_t(i);
    waiting.push_back(i);
  }
  for (const size_t i : waiting)
    made.jumps[i] = int32_t(tokens.size());
  return made;
}
sinter_token_trie TrieTables::view() const {
  return {bytes.data(), ends.data(), order.data(), shared.data(), jumps.data(), int32_t(order.size())};
}

std::string printGrammar(const GrammarTables &tables, const std::string &name) {
  std::string out;
  printArray(out, "uint8_t", name, "class_of", tables.classOf);
  printArray(out, "int32_t", name, "next", tables.next);
  printArray(out, "int32_t", name, "call_ends", tables.callEnds);
  printArray(out, "int32_t", name, "call_rules", tables.callRules);
  printArray(out, "int32_t", name, "call_next", tables.callNext);
  printArray(out, "uint8_t", name, "accepts", tables.accepts);
  printArray(out, "int32_t", name, "distances", tables.distances);
  printArray(out, "int32_t", name, "starts", tables.starts);
  printArray(out, "uint32_t", name, "firsts", tables.firsts);
  return out + "static const sinter_grammar " + name + " = {" + name + "_class_of, " +
         std::to_string(tables.classCount) + ", " + name + "_next, " + name + "_call_ends, " + name + "_call_rules, " +
         name + "_call_next, " + name + "_accepts, " + name + "_distances, " + name + "_starts, " + name +
         "_firsts};\n";
}
std::string printTrie(const TrieTables &tables, const std::string &name) {
  std::string out;
  // Bytes as numbers: no text of a vocabulary becomes text of the source.
  std::vector<int> bytes;
  for (const char c : tables.bytes)
    bytes.push_back(static_cast<unsigned char>(c));
  printArray(out, "unsigned char", name, "bytes", bytes);
  printArray(out, "int32_t", name, "ends", tables.ends);
  printArray(out, "int32_t", name, "order", tables.order);
  printArray(out, "int32_t", name, "shared", tables.shared);
  printArray(out, "int32_t", name, "jumps", tables.jumps);
  return out + "static const sinter_token_trie " + name + " = {(const char *)" + name + "_bytes, " + name + "_ends, " +
         name + "_order, " + name + "_shared, " + name + "_jumps, " + std::to_string(tables.order.size()) + "};\n";
}

} // namespace sinter::grammar
