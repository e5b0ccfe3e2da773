// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether conditions of rules hold, and what follows for the names in them.
#include "rule_values.h"

using namespace mlir;

namespace sinter {

bool RuleValues::learn(const RuleExpr &expr, int64_t value, const std::string &place) {
  if (expr.kind == RuleExpr::Name) {
    auto found = meanings.find(expr.text);
    if (found == meanings.end() || found->second.isRun || constantOf(found->second.sizes.front()))
      return true;
    if (relationHolds(op, "=", found->second.sizes.front(), sizeOf(op.b, value)).kind == Holds::AtRunTime)
      found->second = {Sizes{sizeOf(op.b, value)}, place, false}; // what cannot be is said where it is compared
    return true;
  }
  if (expr.kind != RuleExpr::Binary)
    return true;
  for (unsigned known : {1, 0}) {
    std::optional<Sizes> number = evaluate(expr.arguments[known]);
    std::optional<int64_t> by = number && number->size() == 1 ? constantOf(number->front()) : std::nullopt;
    if (!by || *by < 1)
      continue;
    if (expr.text == "*")
      return value % *by == 0 && learn(expr.arguments[1 - known], value / *by, place);
    int64_t whole;
    if (expr.text == "/" && known == 1)
      return !__builtin_mul_overflow(value, *by, &whole) && learn(expr.arguments[0], whole, place);
  }
  return true;
}

bool RuleValues::learn(const RuleCondition &condition, const std::string &place) {
  if (condition.links.size() != 1 || condition.links[0].relation != "=" || condition.links[0].alternatives.size() != 1)
    return true;
  const RuleExpr &left = condition.first, &right = condition.links[0].alternatives[0];
  auto numberIn = [&](const RuleExpr &expr) {
    std::optional<Sizes> sizes = evaluate(expr);
    return sizes && sizes->size() == 1 ? constantOf(sizes->front()) : std::nullopt;
  };
  if (std::optional<int64_t> value = numberIn(left))
    return learn(right, *value, place);
  std::optional<int64_t> value = numberIn(right);
  return !value || learn(left, *value, place);
}

Holds RuleValues::isOneOf(StringRef relation, Size size, ArrayRef<RuleExpr> alternatives) {
  Holds any{Holds::No};
  for (const RuleExpr &alternative : alternatives) {
    std::optional<Sizes> value = evaluate(alternative);
    if (!value)
      return {Holds::Yes}; // nothing is known against it
    for (Size one : *value)
      any = either(op, any, relationHolds(op, relation, size, one));
  }
  return any;
}

std::optional<Holds> RuleValues::ofWords(const RuleCondition &condition) const {
  const SchemaAttribute *attribute =
      condition.first.kind == RuleExpr::Name ? schema.attribute(condition.first.text) : nullptr;
  bool isText = attribute && (attribute->kind == AttributeKind::String || attribute->kind == AttributeKind::Strings);
  if (!isText || condition.links.size() != 1)
    return std::nullopt;
  auto isWord = [&](StringRef word) {
    return llvm::any_of(condition.links[0].alternatives, [&](const RuleExpr &e) { return e.text == word; });
  };
  bool wanted = condition.links[0].relation == "=";
  SmallVector<StringRef> given = op.strings(attribute->name);
  if (op.hasAttribute(attribute->name) && attribute->kind == AttributeKind::String)
    given.push_back(op.string(attribute->name));
  bool holds = llvm::all_of(given, [&](StringRef word) { return isWord(word) == wanted; });
  return Holds{holds ? Holds::Yes : Holds::No};
}

/// Each number is an axis of an operand, or below a number, counted from the end if negative; none is there twice.
Holds RuleValues::areAxes(const RuleExpr &axes, const RuleExpr &of) {
  std::optional<unsigned> input = of.kind == RuleExpr::Name ? inputNamed(of.text) : std::nullopt;
  std::optional<Sizes> numbers = evaluate(axes), limit = evaluate(of);
  std::optional<int64_t> rank = input                         ? op.input(*input).rank()
                                : limit && limit->size() == 1 ? constantOf(limit->front())
                                                              : std::nullopt;
  if (!numbers || !rank)
    return {Holds::Yes};
  if (*rank == 0 && !numbers->empty())
    return {Holds::No};
  Holds all{Holds::Yes};
  Sizes seen;
  for (Size number : *numbers) {
    all = both(op, all, relationHolds(op, ">=", number, sizeOf(op.b, -*rank)));
    all = both(op, all, relationHolds(op, "<", number, sizeOf(op.b, *rank)));
    for (Size other : seen)
      for (int64_t turn : {int64_t(0), *rank, -*rank})
        all = both(op, all, relationHolds(op, "!=", number, add(op.b, op.loc, other, sizeOf(op.b, turn))));
    if (all.kind == Holds::No)
      return all;
    seen.push_back(number);
  }
  return all;
}

Holds RuleValues::holds(const RuleCondition &condition) {
  if (std::optional<Holds> words = ofWords(condition))
    return *words;
  std::optional<Sizes> left = evaluate(condition.first);
  if (condition.links.empty())
    return left && left->size() == 1 ? relationHolds(op, "!=", left->front(), sizeOf(op.b, 0)) : Holds{Holds::Yes};
  Holds all{Holds::Yes};
  const RuleExpr *leftExpr = &condition.first;
  for (const RuleCondition::Link &link : condition.links) {
    if (link.relation == "@")
      all = both(op, all, areAxes(*leftExpr, link.alternatives[0]));
    else if (std::optional<Sizes> right = evaluate(link.alternatives[0]);
             left && right && link.alternatives.size() == 1 && right->size() != 1) {
      if (left->size() != 1 && left->size() != right->size())
        return {Holds::No};
      for (auto [i, size] : llvm::enumerate(*right))
        all = both(op, all, relationHolds(op, link.relation, (*left)[left->size() == 1 ? 0 : i], size));
    } else if (left) {
      for (Size size : *left)
        all = both(op, all, isOneOf(link.relation, size, link.alternatives));
    }
    if (all.kind == Holds::No)
      return all;
    leftExpr = &link.alternatives[0];
    left = evaluate(*leftExpr);
  }
  return all;
}

/// The guard of an attribute that is not there does not hold.
bool RuleValues::hold(ArrayRef<RuleCondition> guards) {
  return llvm::all_of(guards, [&](const RuleCondition &guard) {
    const SchemaAttribute *attribute = schema.attribute(guard.first.text);
    if (guard.first.kind == RuleExpr::Name && (!attribute || !op.hasAttribute(attribute->name)))
      return !guard.links.empty() && guard.links[0].relation == "!=";
    return holds(guard).kind == Holds::Yes;
  });
}

} // namespace sinter
