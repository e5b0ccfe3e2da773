// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantized_value.h"

#include <cmath>

namespace sinter {

/// A product of so many steps is exact to 2^-12 of one.
constexpr double largestSum = 1 << 12;

std::optional<Numbers> combine(const Numbers &a, const Numbers &b, llvm::function_ref<double(double, double)> f) {
  if (!a.isOne() && !b.isOne() && (a.like != b.like || a.values.size() != b.values.size()))
    return std::nullopt;
  Numbers result;
  result.like = a.isOne() ? b.like : a.like;
  result.values.clear();
  for (size_t i = 0, size = std::max(a.values.size(), b.values.size()); i < size; ++i)
    result.values.push_back(f(a.at(i), b.at(i)));
  return result;
}

void QuantizedValue::settle(double least) {
  if (terms.size() != 1 || !isExact() || constant.is(0))
    return;
  Term &term = terms[0];
  bool isWhole = true;
  std::optional<Numbers> offset = combine(constant, term.factor, [&](double c, double f) {
    double steps = c / f, whole = std::nearbyint(steps);
    isWhole &= std::isfinite(steps) && std::fabs(steps - whole) <= 1e-6 * std::fabs(steps) &&
               std::fabs(whole) <= double(1 << 30) && std::fabs(whole) >= least;
    return whole;
  });
  if (!offset || !isWhole)
    return;
  std::optional<Numbers> total = combine(term.offset, *offset, [](double a, double b) { return a + b; });
  if (!total)
    return;
  term.offset = *total;
  constant = 0;
}

std::optional<QuantizedValue> sum(QuantizedValue a, QuantizedValue b) {
  if (a.isClamped() && b.terms.empty() && b.constant.isOne()) {
    double shift = b.constant.values[0];
    if (a.low)
      *a.low += shift;
    if (a.high)
      *a.high += shift;
  } else if (b.isClamped() && a.terms.empty() && a.constant.isOne()) {
    return sum(std::move(b), std::move(a));
  } else if (a.isClamped() || b.isClamped()) {
    return std::nullopt;
  }
  // A zero point of 16 bits times its factor would take the digits of what is added to it.
  double least = a.terms.empty() || b.terms.empty() ? largestSum : 0;
  a.settle(least);
  b.settle(least);
  std::optional<Numbers> constant = combine(a.constant, b.constant, [](double x, double y) { return x + y; });
  if (!constant)
    return std::nullopt;
  a.constant = *constant;
  a.terms.append(b.terms);
  return a;
}

/// Division by zero, or by what is so small that the quotient overflows, is no factor: 0 times infinity is no number,
/// while 0 by something small is 0.
static bool isFinite(const Numbers &x) {
  return llvm::all_of(x.values, [](double v) { return std::isfinite(v); });
}

std::optional<QuantizedValue> scaled(QuantizedValue x, const Numbers &factor, bool divides) {
  auto apply = [&](double a, double f) { return divides ? a / f : a * f; };
  auto rounded = [&](double a, double f) { return double(divides ? float(a) / float(f) : float(a) * float(f)); };
  if (x.isClamped() && !(factor.isOne() && factor.values[0] > 0))
    return std::nullopt;
  for (Term &term : x.terms) {
    std::optional<Numbers> product = combine(term.factor, factor, rounded);
    if (!product || !isFinite(*product))
      return std::nullopt;
    term.factor = *product;
  }
  std::optional<Numbers> constant = combine(x.constant, factor, apply);
  if (!constant || !isFinite(*constant))
    return std::nullopt;
  x.constant = *constant;
  if (x.low)
    x.low = apply(*x.low, factor.values[0]);
  if (x.high)
    x.high = apply(*x.high, factor.values[0]);
  return x;
}

std::optional<QuantizedValue> negated(QuantizedValue x) {
  if (x.isClamped())
    return std::nullopt;
  for (Term &term : x.terms)
    for (double &factor : term.factor.values)
      factor = -factor;
  for (double &c : x.constant.values)
    c = -c;
  return x;
}

void clamp(QuantizedValue &x, double bound, bool isLow) {
  if (isLow) { // max(min(max(x, low), high), bound)
    x.low = x.low ? std::max(*x.low, bound) : bound;
    if (x.high)
      x.high = std::max(*x.high, bound);
    return;
  }
  x.high = x.high ? std::min(*x.high, bound) : bound;
  if (x.low)
    x.low = std::min(*x.low, bound);
}

} // namespace sinter
