// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products of variables in a canonical form, so that equal expressions compare equal and a quotient that is
// exact is found: what sizes are made of, in the compiler (dim_algebra.h) and in generated code (SizeExpr).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sinter {

/// {{}: 8, {seq}: 64, {h, w}: 3} is 8 + 64 * seq + 3 * h * w. Coefficients wrap around as the integers of a call do.
template <class Variable>
class Polynomial {
public:
  using Product = std::vector<Variable>; ///< sorted

  Polynomial(int64_t value = 0) {
    if (value)
      terms[{}] = value;
  }
  static Polynomial of(Variable variable) {
    Polynomial result;
    result.terms[{std::move(variable)}] = 1;
    return result;
  }
  static Polynomial of(Product product, int64_t factor) {
    Polynomial result;
    if (factor)
      result.terms[std::move(product)] = factor;
    return result;
  }

  /// Without zeros.
  const std::map<Product, int64_t> &getTerms() const { return terms; }

  std::optional<int64_t> constant() const {
    if (terms.empty())
      return 0;
    if (terms.size() == 1 && terms.begin()->first.empty())
      return terms.begin()->second;
    return std::nullopt;
  }

  std::set<Variable> variables() const {
    std::set<Variable> all;
    for (const auto &term : terms)
      all.insert(term.first.begin(), term.first.end());
    return all;
  }

  /// The factor of `variable` where the expression is linear in it; nothing where it is not.
  std::optional<Polynomial> coefficient(const Variable &variable) const {
    Polynomial factorOf;
    for (const auto &[product, factor] : terms) {
      auto found = std::lower_bound(product.begin(), product.end(), variable);
      if (found == product.end() || variable < *found)
        continue;
      if (found + 1 != product.end() && !(variable < *(found + 1)))
        return std::nullopt;
      Product rest(product.begin(), found);
      rest.insert(rest.end(), found + 1, product.end());
      factorOf.terms[rest] = factor;
    }
    return factorOf;
  }

  /// Each variable replaced by what `value` gives for it.
  template <class ValueFn>
  Polynomial substituted(ValueFn value) const {
    Polynomial result;
    for (const auto &[product, factor] : terms) {
      Polynomial term(factor);
      for (const Variable &variable : product)
        term = term * value(variable);
      result = result + term;
    }
    return result;
  }

  /// This by `divisor` where nothing remains.
  std::optional<Polynomial> quotient(const Polynomial &divisor) const {
    if (divisor.terms.empty())
      return std::nullopt;
    auto [bottom, below] = divisor.leading();
    Polynomial rest = *this, result;
    // Each step takes the largest product, and products below it come in number of the divisor's terms at most.
    for (size_t left = 16 + 4 * terms.size(); !rest.terms.empty(); --left) {
      auto [top, above] = rest.leading();
      if (left == 0 || (below == -1 ? above == INT64_MIN : above % below != 0) ||
          !std::includes(top.begin(), top.end(), bottom.begin(), bottom.end()))
        return std::nullopt;
      Product product;
      std::set_difference(top.begin(), top.end(), bottom.begin(), bottom.end(), std::back_inserter(product));
      Polynomial step = of(std::move(product), above / below);
      result = result + step;
      rest = rest - step * divisor;
    }
    return result;
  }

  friend Polynomial operator+(const Polynomial &a, const Polynomial &b) {
    Polynomial sum = a;
    for (const auto &[product, factor] : b.terms) {
      int64_t &total = sum.terms[product];
      total = static_cast<int64_t>(static_cast<uint64_t>(total) + static_cast<uint64_t>(factor));
      if (!total)
        sum.terms.erase(product);
    }
    return sum;
  }
  friend Polynomial operator-(const Polynomial &a, const Polynomial &b) { return a + b * Polynomial(-1); }
  friend Polynomial operator*(const Polynomial &a, const Polynomial &b) {
    Polynomial result;
    for (const auto &[productA, factorA] : a.terms)
      for (const auto &[productB, factorB] : b.terms) {
        Product product;
        std::merge(productA.begin(), productA.end(), productB.begin(), productB.end(), std::back_inserter(product));
        result = result + of(std::move(product),
                             static_cast<int64_t>(static_cast<uint64_t>(factorA) * static_cast<uint64_t>(factorB)));
      }
    return result;
  }
  friend bool operator==(const Polynomial &a, const Polynomial &b) { return a.terms == b.terms; }
  friend bool operator!=(const Polynomial &a, const Polynomial &b) { return !(a == b); }
  friend bool operator<(const Polynomial &a, const Polynomial &b) { return a.terms < b.terms; }

private:
  /// Of the highest degree, and of those the first: an order that products with a third keep.
  std::pair<Product, int64_t> leading() const {
    auto first = terms.begin();
    for (auto it = terms.begin(); it != terms.end(); ++it)
      if (it->first.size() > first->first.size())
        first = it;
    return *first;
  }

  std::map<Product, int64_t> terms;
};

} // namespace sinter
