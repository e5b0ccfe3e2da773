// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, strides and offsets: polynomials over named run-time values, so that literals fold and "the strides of these
// two dims are those of one dim" is a comparison, with dynamic sizes too.
#pragma once

#include "code.h"
#include <map>
#include <optional>
#include <vector>

namespace sinter {

/// A sum of products: {{}: 8, {seq}: 64, {h, w}: 3} is 8 + 64 * seq + 3 * h * w.
class SizeExpr {
public:
  SizeExpr(int64_t value = 0) {
    if (value)
      terms[{}] = value;
  }
  SizeExpr(const Identifier &variable) { terms[{variable}] = 1; }

  std::optional<int64_t> constant() const;
  bool isConstant(int64_t value) const { return constant() == value; }
  std::vector<Identifier> variables() const;
  /// The factor of `variable` where the expression is linear in it; nothing where it is not.
  std::optional<SizeExpr> coefficient(const Identifier &variable) const;
  /// Each variable replaced by what `renamed` gives for it.
  SizeExpr rename(const std::map<Identifier, Identifier> &renamed) const;
  Code print() const;
  /// `Fixed<64>{}`, which templates specialise on, or int64_t of an expression.
  Code printFixed() const;

  friend SizeExpr operator+(const SizeExpr &a, const SizeExpr &b);
  friend SizeExpr operator-(const SizeExpr &a, const SizeExpr &b) { return a + b * SizeExpr(-1); }
  friend SizeExpr operator*(const SizeExpr &a, const SizeExpr &b);
  friend bool operator==(const SizeExpr &a, const SizeExpr &b) { return a.terms == b.terms; }

private:
  std::map<std::vector<Identifier>, int64_t> terms; // without zeros
};

} // namespace sinter
