// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measures of compare.h, each in one pass over the elements.
#include "driver/compare.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace sinter {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string mismatchOf(const HostArray &actual, const HostArray &expected) {
  if (actual.type != expected.type)
    return ("type " + elementTypeName(actual.type) + " instead of " + elementTypeName(expected.type)).str();
  if (actual.dims != expected.dims)
    return "shape " + describe(actual.type, actual.dims) + " instead of " + describe(expected.type, expected.dims);
  if (actual.type == ElementType::String)
    for (size_t i = 0; i < expected.strings.size(); ++i)
      if (actual.strings[i] != expected.strings[i])
        return "element " + std::to_string(i) + " is \"" + actual.strings[i] + "\" instead of \"" +
               expected.strings[i] + "\"";
  return "";
}

double difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  double d = std::fabs(a - b);
  return std::isnan(d) ? infinity : d;
}

/// Share of rows whose arg-max agrees.
double rowAgreement(const HostArray &actual, const HostArray &expected) {
  int64_t row = expected.dims.empty() ? 1 : expected.dims.back();
  int64_t rows = row ? expected.size() / row : 0, agreeing = 0;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t bestA = 0, bestB = 0;
    for (int64_t i = 1; i < row; ++i) {
      bestA = numberAt(actual, r * row + i) > numberAt(actual, r * row + bestA) ? i : bestA;
      bestB = numberAt(expected, r * row + i) > numberAt(expected, r * row + bestB) ? i : bestB;
    }
    agreeing += bestA == bestB;
  }
  return rows ? static_cast<double>(agreeing) / static_cast<double>(rows) : 1;
}
} // namespace

Comparison compare(const HostArray &actual, const HostArray &expected) {
  Comparison result;
  result.mismatch = mismatchOf(actual, expected);
  result.exact = !isFloat(expected.type) && !isComplex(expected.type);
  result.equal = result.mismatch.empty();
  if (!result.equal || expected.type == ElementType::String)
    return result;
  double dot = 0, normA = 0, normB = 0;
  for (int64_t i = 0, n = expected.size() * numbersPerElement(expected.type); i < n; ++i) {
    double a = numberAt(actual, i), b = numberAt(expected, i), d = difference(a, b);
    int64_t ulpA = orderedAt(actual, i), ulpB = orderedAt(expected, i);
    result.equal &= result.exact ? ulpA == ulpB : d == 0;
    if (d > result.maxAbs) {
      result.maxAbs = d;
      result.worst = i;
    }
    if (d > 0)
      result.maxRel = std::max(result.maxRel, b == 0 ? infinity : d / std::fabs(b));
    if (d > 0)
      result.maxUlp = std::max(result.maxUlp, ulpA > ulpB ? ulpA - ulpB : ulpB - ulpA);
    if (std::isfinite(b))
      result.largest = std::max(result.largest, std::fabs(b));
    if (std::isfinite(a) && std::isfinite(b)) {
      dot += a * b;
      normA += a * a;
      normB += b * b;
    }
  }
  if (normA > 0 && normB > 0)
    result.cosine = dot / std::sqrt(normA * normB);
  else if (normA != normB)
    result.cosine = 0;
  result.argMaxAgreement = rowAgreement(actual, expected);
  return result;
}

double largestDifference(const HostArray &a, const HostArray &b) {
  double largest = 0;
  for (int64_t i = 0, n = a.size() * numbersPerElement(a.type); i < n; ++i)
    largest = std::max(largest, difference(numberAt(a, i), numberAt(b, i)));
  return largest;
}

std::string textOf(const Comparison &c, ElementType type) {
  if (!c.mismatch.empty())
    return c.mismatch;
  if (type == ElementType::String)
    return "equal";
  std::string text;
  raw_string_ostream(text) << format("max abs %-10.3g max rel %-10.3g max ulp %-8lld cosine %-10.8f arg-max %.4g %%",
                                     c.maxAbs, c.maxRel, static_cast<long long>(c.maxUlp), c.cosine,
                                     100 * c.argMaxAgreement);
  return text;
}

bool isClose(const Comparison &c, double tolerance, double step) {
  constexpr double rounding = 1e-5; // of floats that are a number of steps
  double most = std::max(step * (1 + rounding), c.exact ? 0 : tolerance * c.largest);
  return c.mismatch.empty() && (c.equal || c.maxAbs <= most);
}

bool allClose(const HostArray &actual, const HostArray &expected, double rtol, double atol, std::string &why) {
  why = mismatchOf(actual, expected);
  if (!why.empty() || expected.type == ElementType::String)
    return why.empty();
  bool exact = !isFloat(expected.type) && !isComplex(expected.type);
  int64_t count = expected.size() * numbersPerElement(expected.type), wrong = 0, first = 0;
  for (int64_t i = 0; i < count; ++i) {
    double a = numberAt(actual, i), b = numberAt(expected, i), d = difference(a, b);
    bool close = exact ? orderedAt(actual, i) == orderedAt(expected, i) : d == 0 || d <= atol + rtol * std::fabs(b);
    if (close && d == infinity)
      close = false; // an infinity is close to itself only
    if (!close && wrong++ == 0)
      first = i;
  }
  if (wrong) {
    raw_string_ostream out(why);
    out << wrong << " of " << count << " elements differ, first [" << first
        << "]: " << format("%.9g instead of %.9g", numberAt(actual, first), numberAt(expected, first));
  }
  return wrong == 0;
}

} // namespace sinter
