// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A floating-point value inside of a body, as a sum of what it is made of: clamp(sum of (atom + offset) * factor +
// constant). Factors, offsets and constants are known numbers, one for all or one for each index of a channel. What
// intform.cpp collects and writes out again.
#pragma once

#include "ir/dialect.h"

namespace sinter {

/// Known numbers along the dims that operand `like` runs along; one number where it is none.
struct Numbers {
  llvm::SmallVector<double, 1> values{0};
  std::optional<unsigned> like;

  Numbers() = default;
  Numbers(double value) : values{value} {}

  bool isOne() const { return values.size() == 1; }
  bool is(double value) const {
    return llvm::all_of(values, [&](double v) { return v == value; });
  }
  double at(size_t i) const { return values[isOne() ? 0 : i]; }
};

/// f of each pair, if the two run along the same dims.
std::optional<Numbers> combine(const Numbers &a, const Numbers &b, llvm::function_ref<double(double, double)> f);

/// (atom + offset) * factor. The atom is an integer (extended with a sign or without), a float that is a whole number,
/// or any float.
struct Term {
  enum Kind { Signed, Unsigned, Whole, Real };
  mlir::Value atom;
  Kind kind;
  Numbers factor{1}, offset{0};
};

struct QuantizedValue {
  llvm::SmallVector<Term, 2> terms;
  Numbers constant{0};
  std::optional<double> low, high; ///< max with `low`, then min with `high`

  bool isClamped() const { return low || high; }
  /// Made of whole numbers only, so that factors may be merged: what is rounded already keeps its rounding.
  bool isExact() const {
    return llvm::all_of(terms, [](const Term &term) { return term.kind != Term::Real; });
  }
  /// Moves the constant into the one term of whole numbers, as its offset, where it is a whole number of its steps and
  /// no fewer than `least`.
  void settle(double least = 0);
};

std::optional<QuantizedValue> sum(QuantizedValue a, QuantizedValue b);
/// x * factor, or x / factor: each step rounded to float, as the operations would.
std::optional<QuantizedValue> scaled(QuantizedValue x, const Numbers &factor, bool divides);
std::optional<QuantizedValue> negated(QuantizedValue x);
/// The two clamps as one. max first (`isLow`), or min.
void clamp(QuantizedValue &x, double bound, bool isLow);

} // namespace sinter
