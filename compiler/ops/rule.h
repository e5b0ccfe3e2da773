// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an operator's operands and attributes must be to fit each other, as data: one line of text beside its lowering,
// such as `X[N,C,D+] W[M,C/group,K+] B[M] strides[#D] group>=1`. The language: docs/adding-an-operator.md. Text to
// data: rule_parser.cpp. Held against a node before its lowering runs: rule_check.h.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// A number, or a list of numbers: each operation takes lists element by element.
struct RuleExpr {
  enum Kind { Number, Name, Length, Call, Binary } kind = Number;
  int64_t number = 0;
  /// Name: a variable, an attribute or a word. Length: whose, `#D`. Call: the function. Binary: the operation.
  std::string text;
  std::vector<RuleExpr> arguments;
};

/// `a<=b<c`, `mode=linear|nearest`, `axis@X` (names an axis of X), or an expression alone, which must not be 0.
struct RuleCondition {
  RuleExpr first;
  struct Link {
    std::string relation; ///< = != < <= > >= @
    std::vector<RuleExpr> alternatives;
  };
  std::vector<Link> links;
};

/// One place of a shape.
struct RuleDim {
  enum Kind { Single, Any, Run } kind = Any;
  std::vector<RuleExpr> alternatives; ///< Single: `C`, `2*C`, `C|1`
  std::string name;                   ///< Run: "" for `_*`
  int64_t least = 0;                  ///< Run: of at least so many dims
  bool isBroadcast = false;           ///< Run: `S~`, which broadcasts with the other runs of its name
  bool isOpen = false;                ///< Run: `?`, any number of dims, which may be what only a call knows
  std::optional<RuleExpr> length;     ///< Run: `A:axis`, so many dims; below 0 so many less than there are
};

struct RuleShape {
  std::vector<RuleCondition> guards; ///< where they hold, shapes without guards do not count
  std::vector<RuleDim> dims;
  std::string text; ///< "[N,C/group,D+]"
};

/// `X[N,C]`, `X[]|[1]`, `C~[M,N]` (broadcasts to it), `strides[#D]`; or a condition.
struct RuleItem {
  std::string text;
  std::vector<RuleCondition> guards; ///< the item counts where they hold
  std::string name;                  ///< of an operand or attribute; "" for a condition
  bool broadcastsTo = false;
  std::vector<RuleShape> shapes;
  RuleCondition condition;
};

struct Rule {
  std::vector<RuleItem> items;

  /// Whether operand `name` may have a rank that only a call knows (`X[?]`).
  bool takesAnyRank(llvm::StringRef name) const;
};

/// Nothing, with `problem` set, where the text is no rule.
std::optional<Rule> parseRule(llvm::StringRef text, std::string &problem);
/// Calls `visit` with each name that an expression mentions.
void forEachName(const RuleExpr &expr, llvm::function_ref<void(llvm::StringRef)> visit);
void forEachName(const RuleCondition &condition, llvm::function_ref<void(llvm::StringRef)> visit);

} // namespace sinter
