// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RegexFullMatch: the pattern, in RE2's syntax, is known at compile time and becomes an automaton; generated code needs
// no library.
#include "ops/automaton_tables.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerRegexFullMatch(Op &op) {
  std::string problem;
  std::optional<Regex> regex = parseRegex(op.string("pattern"), problem);
  if (!regex)
    return op.unsupported("the regular expression '" + op.string("pattern") + "': " + problem,
                          "RE2's syntax, without \\p{..} and (?m)");
  FailureOr<SmallVector<Tensor>> tables = automatonTables(op, *regex);
  if (failed(tables))
    return failure();
  Tensor x = op.input(0);
  Size all = product(op.b, op.loc, op.sizes(x));
  SmallVector<Tensor> operands{op.reshape(x, {all})};
  llvm::append_range(operands, *tables);
  return op.result(op.reshape(op.kernel("match_text", operands, {{{all}, ElementType::Bool}})[0], op.sizes(x)));
}
} // namespace

void register_regex_full_match(Registry &registry) {
  registry.onOp("RegexFullMatch", {20}, "X[_*]", lowerRegexFullMatch);
}

} // namespace sinter
