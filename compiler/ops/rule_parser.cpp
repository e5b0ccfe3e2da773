// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules from their text: recursive descent over one line. Blanks separate items and stand nowhere else.
#include "rule.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr StringLiteral functions[] = {"at",  "ceil", "dim",     "floor", "has", "max",
                                       "min", "or",   "product", "rank",  "sum", "value"};

class RuleParser {
public:
  explicit RuleParser(StringRef text) : rest(text) {}

  std::optional<Rule> parse() {
    Rule rule;
    for (rest = rest.ltrim(); !rest.empty() && problem.empty(); rest = rest.ltrim()) {
      StringRef begin = rest;
      RuleItem item = parseItem();
      if (problem.empty() && !rest.empty() && rest.front() != ' ')
        fail("a blank");
      item.text = begin.drop_back(rest.size()).str();
      rule.items.push_back(std::move(item));
    }
    return problem.empty() ? std::optional(rule) : std::nullopt;
  }

  std::string problem;

private:
  void fail(StringRef expected) {
    if (problem.empty())
      problem = ("expected " + expected + (rest.empty() ? " at the end" : " at '" + rest + "'")).str();
    rest = "";
  }

  bool accept(StringRef token) { return rest.consume_front(token); }

  void expect(StringRef token) {
    if (!accept(token))
      fail(("'" + token + "'").str());
  }

  std::string name() {
    StringRef taken = rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
    if (taken.empty() || isDigit(taken.front()))
      fail("a name");
    rest = rest.drop_front(std::min(taken.size(), rest.size()));
    return taken.str();
  }

  RuleItem parseItem() {
    RuleItem item;
    while (accept("{"))
      item.guards.push_back(guard());
    StringRef begin = rest;
    StringRef ahead = rest.drop_while([](char c) { return isAlnum(c) || c == '_'; });
    if (ahead.size() == begin.size() || !(ahead.starts_with("[") || ahead.starts_with("~") || ahead.starts_with("{"))) {
      item.condition = condition();
      return item;
    }
    item.name = name();
    item.broadcastsTo = accept("~");
    do
      item.shapes.push_back(shape());
    while (accept("|"));
    return item;
  }

  RuleCondition guard() {
    RuleCondition result = condition();
    expect("}");
    return result;
  }

  RuleShape shape() {
    RuleShape result;
    while (accept("{"))
      result.guards.push_back(guard());
    StringRef begin = rest;
    expect("[");
    while (problem.empty() && !accept("]")) {
      if (!result.dims.empty())
        expect(",");
      result.dims.push_back(dim());
    }
    result.text = begin.drop_back(rest.size()).str();
    return result;
  }

  RuleDim dim() {
    RuleDim result;
    if (accept("?")) {
      result.kind = RuleDim::Run;
      result.isOpen = true;
      return result;
    }
    StringRef ahead = rest.drop_while([](char c) { return isAlnum(c) || c == '_'; });
    StringRef word = rest.drop_back(ahead.size());
    bool isRun = ahead.starts_with("~") || ahead.starts_with(":") || ahead.starts_with("*,") ||
                 ahead.starts_with("*]") || ahead.starts_with("+,") || ahead.starts_with("+]");
    if (word == "_" && !isRun) {
      rest = ahead;
      return result;
    }
    if (word.empty() || !isRun) {
      result.kind = RuleDim::Single;
      do
        result.alternatives.push_back(expression());
      while (accept("|"));
      return result;
    }
    result.kind = RuleDim::Run;
    result.name = word == "_" ? "" : word.str();
    rest = ahead.drop_front();
    result.least = ahead.front() == '+';
    result.isBroadcast = ahead.front() == '~';
    if (ahead.front() == ':')
      result.length = expression();
    return result;
  }

  RuleCondition condition() {
    RuleCondition result;
    result.first = expression();
    for (;;) {
      StringRef relation;
      for (StringRef candidate : {"!=", "<=", ">=", "=", "<", ">", "@"})
        if (accept(candidate)) {
          relation = candidate;
          break;
        }
      if (relation.empty())
        return result;
      RuleCondition::Link link{relation.str(), {}};
      if (rest.starts_with("|")) // the empty word
        link.alternatives.push_back({RuleExpr::Name, 0, "", {}});
      else
        link.alternatives.push_back(expression());
      while (accept("|"))
        link.alternatives.push_back(expression());
      result.links.push_back(std::move(link));
    }
  }

  RuleExpr binary(RuleExpr (RuleParser::*operand)(), StringRef operations) {
    RuleExpr left = (this->*operand)();
    while (!rest.empty() && operations.contains(rest.front())) {
      RuleExpr both{RuleExpr::Binary, 0, rest.take_front().str(), {}};
      rest = rest.drop_front();
      both.arguments = {std::move(left), (this->*operand)()};
      left = std::move(both);
    }
    return left;
  }
  RuleExpr expression() { return binary(&RuleParser::term, "+-"); }
  RuleExpr term() { return binary(&RuleParser::factor, "*/%"); }

  RuleExpr factor() {
    if (accept("#"))
      return {RuleExpr::Length, 0, name(), {}};
    if (accept("(")) {
      RuleExpr inner = expression();
      expect(")");
      return inner;
    }
    bool isNegative = accept("-");
    if (rest.empty() || !isDigit(rest.front())) {
      if (isNegative)
        return {RuleExpr::Binary, 0, "-", {RuleExpr(), factor()}};
      RuleExpr result{RuleExpr::Name, 0, name(), {}};
      if (!accept("("))
        return result;
      result.kind = RuleExpr::Call;
      if (!llvm::is_contained(functions, result.text))
        fail(("one of the functions " + join(ArrayRef(functions), ", ") + " instead of " + result.text).c_str());
      do
        result.arguments.push_back(expression());
      while (accept(","));
      expect(")");
      return result;
    }
    RuleExpr result;
    if (rest.consumeInteger(10, result.number))
      fail("a number");
    result.number = isNegative ? -result.number : result.number;
    return result;
  }

  StringRef rest;
};

} // namespace

std::optional<Rule> parseRule(StringRef text, std::string &problem) {
  RuleParser parser(text);
  std::optional<Rule> rule = parser.parse();
  problem = parser.problem;
  return rule;
}

bool Rule::takesAnyRank(StringRef name) const {
  return llvm::any_of(items, [&](const RuleItem &item) {
    return item.name == name && !item.shapes.empty() && !item.shapes.front().dims.empty() &&
           item.shapes.front().dims.front().isOpen;
  });
}

void forEachName(const RuleExpr &expr, llvm::function_ref<void(StringRef)> visit) {
  if (expr.kind == RuleExpr::Name || expr.kind == RuleExpr::Length)
    visit(expr.text);
  for (const RuleExpr &argument : expr.arguments)
    forEachName(argument, visit);
}

void forEachName(const RuleCondition &condition, llvm::function_ref<void(StringRef)> visit) {
  forEachName(condition.first, visit);
  for (const RuleCondition::Link &link : condition.links)
    for (const RuleExpr &alternative : link.alternatives)
      forEachName(alternative, visit);
}

} // namespace sinter
