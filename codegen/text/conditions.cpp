// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition is read with three truths: what depends on nothing unknown becomes a number, the rest stays text.
#include "conditions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {

namespace {
/// A part of a condition: its value, or as much of its text as decides.
struct Term {
  std::optional<int64_t> value;
  std::string text;

  bool is(bool truth) const { return value && (*value != 0) == truth; }
};

struct Operator {
  StringRef text;
  int level;
  int64_t (*compute)(int64_t, int64_t);
};
/// Longer ones before those that they begin with.
constexpr Operator operators[] = {
    {"||", 1, [](int64_t a, int64_t b) { return int64_t(a || b); }},
    {"&&", 2, [](int64_t a, int64_t b) { return int64_t(a && b); }},
    {"==", 4, [](int64_t a, int64_t b) { return int64_t(a == b); }},
    {"!=", 4, [](int64_t a, int64_t b) { return int64_t(a != b); }},
    {"<=", 5, [](int64_t a, int64_t b) { return int64_t(a <= b); }},
    {">=", 5, [](int64_t a, int64_t b) { return int64_t(a >= b); }},
    {"<", 5, [](int64_t a, int64_t b) { return int64_t(a < b); }},
    {">", 5, [](int64_t a, int64_t b) { return int64_t(a > b); }},
    {"&", 3, [](int64_t a, int64_t b) { return a & b; }},
};
} // namespace

/// Reads one condition.
class ConditionReader {
public:
  ConditionReader(const Conditions &known, StringRef text) : known(known), rest(text) {}

  Term read(int level = 1) {
    Term left = single();
    while (const Operator *op = nextOperator(level)) {
      rest = rest.ltrim().drop_front(op->text.size());
      left = combine(*op, left, read(op->level + 1));
    }
    return left;
  }

private:
  const Operator *nextOperator(int level) const {
    const Operator *found =
        llvm::find_if(operators, [&](const Operator &op) { return rest.ltrim().starts_with(op.text); });
    return found != std::end(operators) && found->level >= level ? found : nullptr;
  }

  static Term combine(const Operator &op, const Term &left, const Term &right) {
    if (left.value && right.value)
      return {op.compute(*left.value, *right.value), ""};
    if (op.text == "&&" || op.text == "||") {
      bool deciding = op.text == "||";
      if (left.is(deciding) || right.is(deciding))
        return {int64_t(deciding), ""};
      if (left.value)
        return right;
      if (right.value)
        return left;
    }
    return {std::nullopt, textOf(left) + " " + op.text.str() + " " + textOf(right)};
  }
  static std::string textOf(const Term &term) { return term.value ? std::to_string(*term.value) : term.text; }

  Term single() {
    rest = rest.ltrim();
    if (rest.consume_front("!")) {
      Term term = single();
      return term.value ? Term{int64_t(*term.value == 0), ""} : Term{std::nullopt, "!" + term.text};
    }
    if (rest.consume_front("(")) {
      Term term = read();
      rest = rest.ltrim();
      rest.consume_front(")");
      return term.value ? term : Term{std::nullopt, "(" + term.text + ")"};
    }
    if (rest.consume_front("'")) {
      Term term{static_cast<unsigned char>(rest.front()), ""};
      rest = rest.drop_front(2);
      return term;
    }
    StringRef word = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    rest = rest.drop_front(word.size());
    if (word == "defined") {
      rest = rest.ltrim();
      rest.consume_front("(");
      StringRef name = rest.take_until([](char c) { return c == ')'; }).trim();
      rest = rest.drop_front(name.size() + 1);
      std::optional<bool> is = isDefined(name);
      return is ? Term{int64_t(*is), ""} : Term{std::nullopt, "defined(" + name.str() + ")"};
    }
    if (word.starts_with("__has_")) { // of a file or an attribute: asked of the compiler alone
      StringRef asked = rest.take_until([](char c) { return c == ')'; });
      rest = rest.drop_front(asked.size() + 1);
      return {std::nullopt, (word + asked + ")").str()};
    }
    StringRef digits = word;
    digits.consume_back("L");
    if (int64_t number; !digits.getAsInteger(0, number))
      return {number, ""};
    return {valueOf(word), word.str()};
  }

  std::optional<bool> isDefined(StringRef name) const {
    auto own = known.defined.find(name);
    if (own != known.defined.end())
      return own->second.isSure ? std::optional(true) : std::nullopt;
    return name.starts_with(known.prefix) ? std::optional(false) : known.oracle(name);
  }
  std::optional<int64_t> valueOf(StringRef name) const {
    auto own = known.defined.find(name);
    if (own != known.defined.end())
      return own->second.isSure ? own->second.value : std::nullopt;
    return isDefined(name) == false ? std::optional<int64_t>(0) : std::nullopt;
  }

  const Conditions &known;
  StringRef rest;
};

std::optional<std::string> Conditions::begin(StringRef condition) {
  Group group = {isLive(), false, false, false};
  if (!group.wasLive) {
    groups.push_back(group);
    return std::nullopt;
  }
  Term term = ConditionReader(*this, condition).read();
  group.isDecided = group.isLive = term.is(true);
  group.isLive |= !term.value;
  group.isPrinted = !term.value;
  groups.push_back(group);
  return term.value ? std::nullopt : std::optional("#if " + term.text);
}

std::optional<std::string> Conditions::otherwise(std::optional<StringRef> condition) {
  Group &group = groups.back();
  if (!group.wasLive || group.isDecided) {
    group.isLive = false;
    return std::nullopt;
  }
  Term term = condition ? ConditionReader(*this, *condition).read() : Term{1, ""};
  group.isDecided = term.is(true);
  group.isLive = !term.is(false);
  if (!group.isLive || (term.value && !group.isPrinted))
    return std::nullopt;
  std::string directive = term.value ? "#else" : (group.isPrinted ? "#elif " : "#if ") + term.text;
  group.isPrinted = true;
  return directive;
}

std::optional<std::string> Conditions::end() {
  Group group = groups.pop_back_val();
  return group.isPrinted ? std::optional<std::string>("#endif") : std::nullopt;
}

void Conditions::define(StringRef definition) {
  StringRef name = definition.take_while([](char c) { return isAlnum(c) || c == '_'; });
  Definition what;
  what.isSure = llvm::all_of(groups, [](const Group &group) { return group.isSure(); });
  int64_t number;
  if (!definition.drop_front(name.size()).split("//").first.trim().getAsInteger(0, number))
    what.value = number;
  defined[name] = what;
}

std::optional<std::string> Conditions::keep(StringRef line) {
  StringRef directive = line.ltrim();
  if (directive.consume_front("#")) {
    directive = directive.ltrim();
    StringRef word = directive.take_while([](char c) { return isAlpha(c); });
    StringRef rest = directive.drop_front(word.size()).split("//").first.trim();
    if (word == "if")
      return begin(rest);
    if (word == "ifdef")
      return begin("defined(" + rest.str() + ")");
    if (word == "ifndef")
      return begin("!defined(" + rest.str() + ")");
    if (word == "elif")
      return otherwise(rest);
    if (word == "else")
      return otherwise(std::nullopt);
    if (word == "endif")
      return end();
    if (word == "define" && isLive())
      define(rest);
    if (word == "undef" && isLive())
      defined.erase(rest);
  }
  return isLive() ? std::optional(line.str()) : std::nullopt;
}

} // namespace sinter
