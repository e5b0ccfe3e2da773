// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the names of a rule stand for in one node, and the values of expressions over them.
#pragma once

#include "frontend/schema.h"
#include "lowering.h"
#include "rule.h"
#include "size_relation.h"

#include "llvm/ADT/StringSet.h"

namespace sinter {

class RuleValues {
public:
  RuleValues(const Op &op, const OperatorSchema &schema) : op(op), schema(schema) {}

  /// The first meaning of a name counts. `place` says where it comes from.
  void bind(llvm::StringRef name, llvm::ArrayRef<Size> sizes, const std::string &place, bool isRun);

  /// All conditions hold; what is not known does not.
  bool hold(llvm::ArrayRef<RuleCondition> guards);
  Holds holds(const RuleCondition &condition);
  Holds isOneOf(llvm::StringRef relation, Size size, llvm::ArrayRef<RuleExpr> alternatives);
  Holds sameRun(llvm::StringRef name, llvm::ArrayRef<Size> sizes);
  /// Whether the sizes broadcast with what the name stands for, which becomes what both make.
  Holds broadcast(llvm::StringRef name, llvm::ArrayRef<Size> sizes, const std::string &place);
  /// What must be `value` says what the name in it stands for, so that two values for one name contradict each other.
  /// False where no size makes it that value.
  bool learn(const RuleExpr &expr, int64_t value, const std::string &place);
  /// The same of a condition that is an equality, whose text is `place`.
  bool learn(const RuleCondition &condition, const std::string &place);
  /// Whether the run is so long as a size says that is not known when the model is compiled.
  bool hasLengthOfRunTime(const RuleDim &run);
  /// False for No; a condition of run time is kept.
  bool note(const Holds &holds);
  std::vector<mlir::Value> takeConditions() { return std::move(conditions); }

  /// How many dims a run takes in a shape of `rank` dims, if that is known without looking at it.
  std::optional<int64_t> lengthOf(const RuleDim &run, int64_t rank);
  /// The elements of an attribute that is a list, of whatever kind (of other than integers: zeros).
  std::optional<Sizes> ofAttribute(const SchemaAttribute &attribute) const;
  /// The sizes that a shape stands for; nothing if one is not known.
  std::optional<Sizes> ofShape(const RuleShape &shape);

  std::string text(Size size) const;
  std::string text(llvm::ArrayRef<Size> sizes) const; ///< [2,3]
  /// Adds what `name` stands for to `text`, once.
  void explain(llvm::StringRef name, llvm::StringSet<> &explained, std::string &text) const;

private:
  struct Meaning {
    Sizes sizes;
    std::string place;
    bool isRun;
  };

  std::optional<Sizes> evaluate(const RuleExpr &expr);
  std::optional<Sizes> ofName(llvm::StringRef name) const;
  std::optional<Sizes> ofCall(const RuleExpr &call);
  std::optional<Sizes> ofContents(unsigned input);
  std::optional<Size> ofBinary(llvm::StringRef operation, Size a, Size b);
  std::optional<unsigned> inputNamed(llvm::StringRef name) const;
  std::optional<Holds> ofWords(const RuleCondition &condition) const;
  Holds areAxes(const RuleExpr &axes, const RuleExpr &of);
  static bool certainlyPositive(Size size);

  const Op &op;
  const OperatorSchema &schema;
  llvm::StringMap<Meaning> meanings;
  std::vector<mlir::Value> conditions;
};

} // namespace sinter
