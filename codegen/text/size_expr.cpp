// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials of sizes as C++. Values fit: each is bounded by the bytes of a planned buffer.
#include "size_expr.h"

using namespace llvm;

namespace sinter {

std::vector<Identifier> SizeExpr::variables() const {
  std::set<Identifier> all = sum.variables();
  return {all.begin(), all.end()};
}

std::optional<SizeExpr> SizeExpr::coefficient(const Identifier &variable) const {
  std::optional<Polynomial<Identifier>> factor = sum.coefficient(variable);
  return factor ? std::optional(SizeExpr(*factor)) : std::nullopt;
}

SizeExpr SizeExpr::rename(const std::map<Identifier, Identifier> &renamed) const {
  return sum.substituted([&](const Identifier &variable) {
    auto it = renamed.find(variable);
    return Polynomial<Identifier>::of(it == renamed.end() ? variable : it->second);
  });
}

std::optional<SizeExpr> SizeExpr::dividedBy(int64_t divisor) const {
  std::optional<Polynomial<Identifier>> quotient = sum.quotient(divisor);
  return quotient ? std::optional(SizeExpr(*quotient)) : std::nullopt;
}

PrintedCode SizeExpr::printFixed() const {
  if (auto value = constant())
    return PrintedCode("Fixed<", *value, ">{}");
  return PrintedCode("int64_t(", print(), ")");
}

PrintedCode SizeExpr::print() const {
  if (sum.getTerms().empty())
    return PrintedCode(0);
  PrintedCode text;
  bool first = true;
  for (const auto &[product, factor] : sum.getTerms()) {
    int64_t shown = factor;
    if (!first) {
      if (factor < 0 && factor != INT64_MIN) {
        text.append(" - ");
        shown = -factor;
      } else {
        text.append(" + ");
      }
    }
    first = false;
    if (product.empty() || shown != 1)
      text.append(PrintedCode::integer(shown, 64));
    bool needsTimes = !product.empty() && shown != 1;
    for (const Identifier &variable : product) {
      if (needsTimes)
        text.append(" * ");
      text.append(variable);
      needsTimes = true;
    }
  }
  return text;
}

} // namespace sinter
