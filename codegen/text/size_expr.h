// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, strides and offsets: polynomials over named run-time values, so that literals fold and "the strides of these
// two dims are those of one dim" is a comparison, with dynamic sizes too.
#pragma once

#include "code.h"
#include "ir/polynomial.h"

namespace sinter {

class SizeExpr {
public:
  SizeExpr(int64_t value = 0) : sum(value) {}
  SizeExpr(const Identifier &variable) : sum(Polynomial<Identifier>::of(variable)) {}

  std::optional<int64_t> constant() const { return sum.constant(); }
  bool isConstant(int64_t value) const { return constant() == value; }
  std::vector<Identifier> variables() const;
  /// The factor of `variable` where the expression is linear in it; nothing where it is not.
  std::optional<SizeExpr> coefficient(const Identifier &variable) const;
  /// Each variable replaced by what `renamed` gives for it.
  SizeExpr rename(const std::map<Identifier, Identifier> &renamed) const;
  /// This by `divisor` where nothing remains.
  std::optional<SizeExpr> dividedBy(int64_t divisor) const;
  PrintedCode print() const;
  /// `Fixed<64>{}`, which templates specialise on, or int64_t of an expression.
  PrintedCode printFixed() const;

  friend SizeExpr operator+(const SizeExpr &a, const SizeExpr &b) { return a.sum + b.sum; }
  friend SizeExpr operator-(const SizeExpr &a, const SizeExpr &b) { return a.sum - b.sum; }
  friend SizeExpr operator*(const SizeExpr &a, const SizeExpr &b) { return a.sum * b.sum; }
  friend bool operator==(const SizeExpr &a, const SizeExpr &b) { return a.sum == b.sum; }

private:
  SizeExpr(Polynomial<Identifier> sum) : sum(std::move(sum)) {}

  Polynomial<Identifier> sum;
};

} // namespace sinter
