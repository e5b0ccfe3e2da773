// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "named_polynomial.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr int64_t largestNumber = int64_t(1) << 40;

/// "2*heads*seq"
std::optional<NamedPolynomial> parsePolynomialTerm(StringRef text) {
  NamedPolynomial::Product names;
  int64_t coefficient = 1;
  for (StringRef factor : split(text, '*')) {
    factor = factor.trim();
    int64_t number;
    if (factor.empty() || factor.front() == '+' || factor.front() == '-')
      return std::nullopt;
    if (!isDigit(factor.front())) {
      names.push_back(factor.str());
      continue;
    }
    if (factor.getAsInteger(10, number) || MulOverflow(coefficient, number, coefficient) || coefficient > largestNumber)
      return std::nullopt;
  }
  llvm::sort(names);
  return NamedPolynomial::of(std::move(names), coefficient);
}

/// Where the next term begins: behind a `+`, or a `-` in front of a number.
size_t endOfTerm(StringRef text) {
  for (size_t i = 1; i < text.size(); ++i)
    if (StringRef behind = text.substr(i + 1).ltrim();
        text[i] == '+' || (text[i] == '-' && !behind.empty() && isDigit(behind.front())))
      return i;
  return text.size();
}

} // namespace

std::optional<NamedPolynomial> parseNamedPolynomial(StringRef text) {
  NamedPolynomial sum;
  text = text.trim();
  if (text.empty())
    return std::nullopt;
  for (bool isFirst = true; !text.empty(); isFirst = false) {
    if (!isFirst)
      text.consume_front("+");
    text = text.ltrim();
    bool isMinus = text.consume_front("-");
    size_t end = endOfTerm(text);
    std::optional<NamedPolynomial> term = parsePolynomialTerm(text.take_front(end));
    if (!term)
      return std::nullopt;
    sum = isMinus ? sum - *term : sum + *term;
    text = text.drop_front(end);
  }
  for (const auto &[product, factor] : sum.getTerms())
    if (factor > largestNumber || factor < -largestNumber)
      return std::nullopt;
  return sum;
}

std::string textOf(const NamedPolynomial &polynomial) {
  std::string text;
  for (const auto &[product, factor] : polynomial.getTerms()) {
    if (factor < 0)
      text += "-";
    else if (!text.empty())
      text += "+";
    std::vector<std::string> factors(product.begin(), product.end());
    int64_t size = factor < 0 ? -factor : factor;
    if (size != 1 || product.empty() || factor < 0) // behind a `-` stands a number
      factors.insert(factors.begin(), std::to_string(size));
    text += join(factors, "*");
  }
  return text.empty() ? "0" : text;
}

std::optional<std::pair<int64_t, int64_t>>
rangeOf(const NamedPolynomial &polynomial, llvm::function_ref<std::pair<int64_t, int64_t>(const std::string &)> range) {
  int64_t low = 0, high = 0;
  for (const auto &[product, factor] : polynomial.getTerms()) {
    int64_t least = factor, most = factor;
    for (const std::string &name : product) {
      auto [from, to] = range(name);
      if (MulOverflow(least, factor < 0 ? to : from, least) || MulOverflow(most, factor < 0 ? from : to, most))
        return std::nullopt;
    }
    if (AddOverflow(low, least, low) || AddOverflow(high, most, high))
      return std::nullopt;
  }
  return std::pair(low, high);
}

} // namespace sinter
