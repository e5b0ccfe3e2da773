// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials of sizes: sums and products in a canonical form. Values fit: each is bounded by the bytes of a planned
// buffer.
#include "size_expr.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace sinter {

std::optional<int64_t> SizeExpr::constant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

std::vector<Identifier> SizeExpr::variables() const {
  std::set<Identifier> all;
  for (const auto &term : terms)
    all.insert(term.first.begin(), term.first.end());
  return {all.begin(), all.end()};
}

std::optional<SizeExpr> SizeExpr::coefficient(const Identifier &variable) const {
  SizeExpr factorOf;
  for (const auto &[product, factor] : terms) {
    auto found = llvm::find(product, variable);
    if (found == product.end())
      continue;
    std::vector<Identifier> rest(product.begin(), found);
    rest.insert(rest.end(), found + 1, product.end());
    if (llvm::is_contained(rest, variable))
      return std::nullopt;
    factorOf.terms[rest] = factor;
  }
  return factorOf;
}

SizeExpr SizeExpr::rename(const std::map<Identifier, Identifier> &renamed) const {
  SizeExpr result;
  for (const auto &[product, factor] : terms) {
    SizeExpr term(factor);
    for (const Identifier &variable : product) {
      auto it = renamed.find(variable);
      term = term * SizeExpr(it == renamed.end() ? variable : it->second);
    }
    result = result + term;
  }
  return result;
}

Code SizeExpr::printFixed() const {
  if (auto value = constant())
    return Code("Fixed<", *value, ">{}");
  return Code("int64_t(", print(), ")");
}

Code SizeExpr::print() const {
  if (terms.empty())
    return Code(0);
  Code text;
  bool first = true;
  for (const auto &[product, factor] : terms) {
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
      text.append(Code::integer(shown, 64));
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

SizeExpr operator+(const SizeExpr &a, const SizeExpr &b) {
  SizeExpr sum = a;
  for (const auto &[product, factor] : b.terms) {
    int64_t &total = sum.terms[product];
    total = static_cast<int64_t>(static_cast<uint64_t>(total) + static_cast<uint64_t>(factor));
    if (!total)
      sum.terms.erase(product);
  }
  return sum;
}

SizeExpr operator*(const SizeExpr &a, const SizeExpr &b) {
  SizeExpr result;
  for (const auto &[productA, factorA] : a.terms)
    for (const auto &[productB, factorB] : b.terms) {
      std::vector<Identifier> product = productA;
      product.insert(product.end(), productB.begin(), productB.end());
      llvm::sort(product);
      SizeExpr term;
      term.terms[product] = static_cast<int64_t>(static_cast<uint64_t>(factorA) * static_cast<uint64_t>(factorB));
      result = result + term;
    }
  return result;
}

} // namespace sinter
