// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First a machine of many threads (Thompson's), then one of one thread, whose states are lists of those threads in the
// order of what is preferred. Where a thread has matched, those behind it are given up: that is what makes the first
// alternative win, and greedy loops greedy.
#include "tokenizer/regex_automaton.h"

#include <map>

using namespace llvm;

namespace sinter::tokenizer {
namespace {
constexpr size_t mostThreads = 20000, mostStates = 4000, mostSteps = 50'000'000, mostBuilds = 1'000'000;

struct Thread {
  enum Kind { Take, Fork, Look, Match } kind;
  std::vector<bool> classes; ///< Take and Look; Look's last is the end of text
  int next = -1, other = -1; ///< `next` is preferred
};

class ThreadBuilder {
public:
  ThreadBuilder(const CharacterClasses &classes) : classes(classes) {}
  std::vector<Thread> threads;

  /// The first thread of a node that goes on at `next`; -1 where there are too many.
  int build(const RegexNode &node, int next) {
    if (next < 0 || threads.size() > mostThreads || ++builds > mostBuilds) // what is empty makes no threads
      return -1;
    switch (node.kind) {
    case RegexNode::Characters:
      return add({Thread::Take, sorted(node.set, false), next, -1});
    case RegexNode::LookAhead:
      return add({Thread::Look, sorted(node.set, node.atEnd), next, -1});
    case RegexNode::Sequence:
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
        next = build(*child, next);
      return next;
    case RegexNode::Choice: {
      int first = build(node.children.back(), next);
      for (auto child = std::next(node.children.rbegin()); child != node.children.rend() && first >= 0; ++child) {
        int start = build(*child, next);
        first = start < 0 ? -1 : add({Thread::Fork, {}, start, first});
      }
      return first;
    }
    case RegexNode::Repeat:
      return repeat(node, next);
    }
    return -1;
  }

  int add(Thread thread) {
    threads.push_back(std::move(thread));
    return static_cast<int>(threads.size()) - 1;
  }

private:
  std::vector<bool> sorted(const CodePointSet &set, bool atEnd) const {
    std::vector<bool> in = classes.in(set);
    in.push_back(atEnd);
    return in;
  }
  /// Where a loop ends. A possessive one ends only where it could not go on.
  int leave(const RegexNode &node, int next) {
    if (node.taste != RegexNode::Possessive || next < 0)
      return next;
    return add({Thread::Look, sorted(node.children[0].set.complement(), true), next, -1});
  }
  int fork(const RegexNode &node, int inside, int out) {
    if (inside < 0 || out < 0)
      return -1;
    return node.taste == RegexNode::Lazy ? add({Thread::Fork, {}, out, inside}) : add({Thread::Fork, {}, inside, out});
  }
  int repeat(const RegexNode &node, int next) {
    const RegexNode &child = node.children[0];
    int start = next;
    if (node.most == UINT32_MAX) {
      int loop = add({Thread::Fork, {}, -1, -1}), inside = build(child, loop), out = leave(node, next);
      if (inside < 0 || out < 0)
        return -1;
      threads[loop].next = node.taste == RegexNode::Lazy ? out : inside;
      threads[loop].other = node.taste == RegexNode::Lazy ? inside : out;
      start = loop;
    } else {
      for (uint32_t i = node.least; i < node.most && start >= 0; ++i)
        start = fork(node, build(child, start), leave(node, next));
    }
    for (uint32_t i = 0; i < node.least && start >= 0; ++i)
      start = build(child, start);
    return start;
  }
  const CharacterClasses &classes;
  size_t builds = 0;
};

class StateBuilder {
public:
  StateBuilder(const std::vector<Thread> &threads, uint32_t kinds)
      : threads(threads), kinds(kinds), seen(threads.size()), taken(threads.size()) {}

  Expected<std::vector<uint16_t>> build(int start) {
    lists = {{}, {start}};
    numbers = {{lists[0], 0}, {lists[1], 1}};
    std::vector<uint16_t> table(kinds, 0);
    for (size_t state = 1; state < lists.size(); ++state) {
      std::vector<int> list = lists[state];
      for (uint32_t kind = 0; kind < kinds; ++kind) {
        std::vector<int> after;
        bool matches = step(list, kind, after);
        if (matches && state == 1)
          return createStringError("it matches where there is nothing");
        if (kind + 1 == kinds)
          after.clear(); // behind the end of text is nothing
        steps += after.size();
        auto [known, isNew] = numbers.insert({after, lists.size()});
        if (isNew)
          lists.push_back(after);
        table.push_back(static_cast<uint16_t>(known->second | (matches ? 0x8000 : 0)));
        if (lists.size() > mostStates || steps > mostSteps)
          return createStringError("its automaton is too large");
      }
    }
    return table;
  }

private:
  /// All threads that a list leads to in front of a character of this kind, and those that take it. True where one
  /// matches.
  bool step(const std::vector<int> &list, uint32_t kind, std::vector<int> &after) {
    ++stamp;
    std::vector<int> stack(list.rbegin(), list.rend());
    while (!stack.empty()) {
      ++steps;
      int at = stack.back();
      stack.pop_back();
      if (seen[at] == stamp)
        continue;
      seen[at] = stamp;
      const Thread &thread = threads[at];
      if (thread.kind == Thread::Match)
        return true;
      if (thread.kind == Thread::Fork) {
        stack.push_back(thread.other);
        stack.push_back(thread.next);
      } else if (thread.kind == Thread::Look && thread.classes[kind]) {
        stack.push_back(thread.next);
      } else if (thread.kind == Thread::Take && thread.classes[kind] && taken[thread.next] != stamp) {
        taken[thread.next] = stamp;
        after.push_back(thread.next);
      }
    }
    return false;
  }
  const std::vector<Thread> &threads;
  uint32_t kinds;
  std::vector<size_t> seen, taken; ///< by thread: the step that met it, and the one behind which it stands
  size_t stamp = 0, steps = 0;
  std::vector<std::vector<int>> lists;
  std::map<std::vector<int>, size_t> numbers;
};

void collectSets(const RegexNode &node, std::vector<const CodePointSet *> &sets) {
  sets.push_back(&node.set);
  for (const RegexNode &child : node.children)
    collectSets(child, sets);
}
} // namespace

std::vector<bool> CharacterClasses::in(const CodePointSet &set) const {
  std::vector<bool> result(count);
  for (size_t i = 0; i < ranges.size(); ++i)
    if (set.contains(ranges[i].first))
      result[classOf[i]] = true;
  return result;
}

Expected<CharacterClasses> classesOf(ArrayRef<RegexNode> regexes) {
  std::vector<const CodePointSet *> sets;
  for (const RegexNode &regex : regexes)
    collectSets(regex, sets);
  std::sort(sets.begin(), sets.end(), [](auto *a, auto *b) { return a->ranges() < b->ranges(); });
  sets.erase(std::unique(sets.begin(), sets.end(), [](auto *a, auto *b) { return *a == *b; }), sets.end());
  std::vector<uint32_t> starts = {0};
  for (const CodePointSet *set : sets)
    for (auto [first, last] : set->ranges()) {
      starts.push_back(first);
      starts.push_back(last + 1);
    }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  CharacterClasses classes;
  std::map<std::vector<bool>, uint16_t> known;
  for (size_t i = 0; i < starts.size() && starts[i] <= lastCodePoint; ++i) {
    std::vector<bool> in;
    for (const CodePointSet *set : sets)
      in.push_back(set->contains(starts[i]));
    auto number = known.insert({in, static_cast<uint16_t>(known.size())}).first->second;
    uint32_t last = i + 1 < starts.size() ? starts[i + 1] - 1 : lastCodePoint;
    classes.ranges.push_back({starts[i], last});
    classes.classOf.push_back(number);
    if (known.size() > 1000)
      return createStringError("the expressions tell more than 1000 kinds of characters apart");
  }
  classes.count = static_cast<uint32_t>(known.size());
  return classes;
}

Expected<std::vector<uint16_t>> automatonOf(const RegexNode &regex, const CharacterClasses &classes) {
  ThreadBuilder builder(classes);
  int end = builder.add({Thread::Match, {}, -1, -1});
  int start = builder.build(regex, end);
  if (start < 0)
    return createStringError("it has too many parts");
  return StateBuilder(builder.threads, classes.count + 1).build(start);
}

} // namespace sinter::tokenizer
