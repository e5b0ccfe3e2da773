// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The language of rules, and that every operator has one that speaks of its operands and of nothing else. What rules
// find in models: misfits.test.
#include "ops/rule.h"

#include "frontend/schema.h"
#include "ops/registry.h"

#include "llvm/ADT/StringSet.h"
#include <doctest/doctest.h>

using namespace sinter;

namespace {
Rule parsed(llvm::StringRef text) {
  std::string problem;
  std::optional<Rule> rule = parseRule(text, problem);
  REQUIRE_MESSAGE(rule, problem);
  return *rule;
}

std::string problemOf(llvm::StringRef text) {
  std::string problem;
  CHECK(!parseRule(text, problem));
  return problem;
}

const char *functions[] = {"rank", "value", "dim", "has", "or", "at", "sum", "product", "min", "max", "ceil", "floor"};

/// The names that dims of the rule bind.
llvm::StringSet<> boundBy(const Rule &rule) {
  llvm::StringSet<> names;
  for (const RuleItem &item : rule.items)
    for (const RuleShape &shape : item.shapes)
      for (const RuleDim &dim : shape.dims) {
        if (dim.kind == RuleDim::Run)
          names.insert(dim.name);
        else if (dim.alternatives.size() == 1 && dim.alternatives[0].kind == RuleExpr::Name)
          names.insert(dim.alternatives[0].text);
      }
  return names;
}

void checkCalls(const RuleExpr &expr) {
  if (expr.kind == RuleExpr::Call)
    CHECK_MESSAGE(llvm::is_contained(functions, expr.text), expr.text);
  for (const RuleExpr &argument : expr.arguments)
    checkCalls(argument);
}
} // namespace

TEST_CASE("shapes have single dims, runs and expressions") {
  Rule rule = parsed("X[N,C,D+] W[M,C/group,_*] B[M|1]");
  REQUIRE(rule.items.size() == 3);
  const RuleItem &x = rule.items[0], &w = rule.items[1], &b = rule.items[2];
  CHECK(x.name == "X");
  REQUIRE(x.shapes.size() == 1);
  REQUIRE(x.shapes[0].dims.size() == 3);
  CHECK(x.shapes[0].dims[0].kind == RuleDim::Single);
  CHECK(x.shapes[0].dims[2].kind == RuleDim::Run);
  CHECK(x.shapes[0].dims[2].name == "D");
  CHECK(x.shapes[0].dims[2].least == 1);
  const RuleExpr &quotient = w.shapes[0].dims[1].alternatives[0];
  CHECK(quotient.kind == RuleExpr::Binary);
  CHECK(quotient.text == "/");
  CHECK(w.shapes[0].dims[2].name.empty());
  CHECK(w.shapes[0].dims[2].least == 0);
  CHECK(b.shapes[0].dims[0].alternatives.size() == 2);
  CHECK(b.text == "B[M|1]");
}

TEST_CASE("an operand may have whatever rank, known or not") {
  Rule rule = parsed("sequence[_*] tensor[?] position[]|[1]");
  CHECK(rule.takesAnyRank("tensor"));
  CHECK(!rule.takesAnyRank("sequence"));
  CHECK(!rule.takesAnyRank("position"));
  CHECK(!rule.takesAnyRank("other"));
}

TEST_CASE("shapes have alternatives, guards, lengths and broadcasts") {
  Rule rule = parsed("A[M,K]|{transA}[K,M] C~[M,N] X[S~] Y[P:axis,_] z[]|[1]");
  REQUIRE(rule.items.size() == 5);
  CHECK(rule.items[0].shapes.size() == 2);
  CHECK(rule.items[0].shapes[0].guards.empty());
  CHECK(rule.items[0].shapes[1].guards.size() == 1);
  CHECK(rule.items[1].broadcastsTo);
  CHECK(rule.items[2].shapes[0].dims[0].isBroadcast);
  CHECK(rule.items[3].shapes[0].dims[0].length->text == "axis");
  CHECK(rule.items[3].shapes[0].dims[1].kind == RuleDim::Any);
  CHECK(rule.items[4].shapes[0].dims.empty());
  CHECK(rule.items[4].shapes[1].text == "[1]");
}

TEST_CASE("conditions are chains of relations") {
  Rule rule = parsed("group>=1 mode=linear|nearest -rank(X)<=axis<=rank(X) {layout=1}S%(2*b)=0 axes@X");
  REQUIRE(rule.items.size() == 5);
  for (const RuleItem &item : rule.items)
    CHECK(item.name.empty());
  CHECK(rule.items[1].condition.links[0].alternatives.size() == 2);
  CHECK(rule.items[2].condition.links.size() == 2);
  CHECK(rule.items[2].condition.links[0].relation == "<=");
  CHECK(rule.items[3].guards.size() == 1);
  CHECK(rule.items[4].condition.links[0].relation == "@");
}

TEST_CASE("products bind before sums") {
  const RuleExpr expr = parsed("1+2*3=7").items[0].condition.first;
  CHECK(expr.text == "+");
  CHECK(expr.arguments[1].text == "*");
}

TEST_CASE("what is no rule says where it ends") {
  CHECK(llvm::StringRef(problemOf("X[f(1)]")).starts_with("expected one of the functions at, ceil"));
  CHECK(problemOf("X[N") == "expected ',' at the end");
  CHECK(problemOf("X[N,") == "expected a name at the end");
  CHECK(problemOf("X[N]Y[N]") == "expected a blank at 'Y[N]'");
  CHECK(problemOf("{a=1 X[N]") == "expected '}' at ' X[N]'");
  CHECK(problemOf("a>=") == "expected a name at the end");
  CHECK(problemOf("a>=99999999999999999999") == "expected a number at '99999999999999999999'");
  CHECK(problemOf("(a+b>=1") == "expected ')' at '>=1'");
}

TEST_CASE("every operator has a rule that names all operands, and nothing that it does not have") {
  for (const auto &entry : operatorRegistry().all()) {
    const auto &name = entry.first;
    const auto &versions = entry.second;
    std::map<const RegisteredOperator *, std::vector<const OperatorSchema *>> schemas;
    for (const auto &[version, registered] : versions)
      if (const OperatorSchema *schema = findSchema(name.first, name.second, version))
        schemas[registered.get()].push_back(schema);
    for (const auto &found : schemas) {
      const RegisteredOperator *registered = found.first;
      const auto &known = found.second;
      CAPTURE(name.second);
      CAPTURE(registered->rule);
      llvm::StringSet<> named;
      for (const RuleItem &item : registered->parsed.items) {
        named.insert(item.name);
        checkCalls(item.condition.first);
        for (const RuleCondition::Link &link : item.condition.links)
          for (const RuleExpr &alternative : link.alternatives)
            checkCalls(alternative);
      }
      llvm::StringSet<> theirs;
      for (const OperatorSchema *schema : known) {
        for (const SchemaParameter &input : schema->inputs) {
          CHECK_MESSAGE(named.contains(input.name), std::string(input.name));
          theirs.insert(input.name);
        }
        for (const SchemaAttribute &attribute : schema->attributes)
          theirs.insert(attribute.name);
      }
      for (const RuleItem &item : registered->parsed.items)
        CHECK_MESSAGE((item.name.empty() || theirs.contains(item.name)), item.name);
      // What conditions speak of is bound somewhere, but for the words that a text may be.
      llvm::StringSet<> bound = boundBy(registered->parsed);
      auto isKnown = [&](llvm::StringRef word) { return bound.contains(word) || theirs.contains(word); };
      for (const RuleItem &item : registered->parsed.items) {
        for (const RuleCondition &guard : item.guards)
          forEachName(guard.first, [&](llvm::StringRef word) { CHECK_MESSAGE(isKnown(word), std::string(word)); });
        if (item.name.empty())
          forEachName(item.condition.first,
                      [&](llvm::StringRef word) { CHECK_MESSAGE(isKnown(word), std::string(word)); });
        for (const RuleShape &shape : item.shapes)
          for (const RuleDim &dim : shape.dims)
            for (const RuleExpr &expr : dim.alternatives)
              forEachName(expr, [&](llvm::StringRef word) { CHECK_MESSAGE(isKnown(word), std::string(word)); });
      }
    }
  }
}
