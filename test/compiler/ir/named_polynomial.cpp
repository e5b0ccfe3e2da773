// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials as users write them: what is read, written and refused, and their bounds.
#include "ir/named_polynomial.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("what is written reads back") {
  for (const auto &[given, expected] : {std::pair("past+seq", "past+seq"),
                                        {"seq + past", "past+seq"},
                                        {"2 * seq*heads - 1", "-1+2*heads*seq"},
                                        {"seq-1", "-1+seq"},
                                        {"4", "4"},
                                        {"seq+seq", "2*seq"},
                                        {"a*0", "0"},
                                        {"-1*a+b-3", "-3-1*a+b"},
                                        {"batch-size+1", "1+batch-size"}}) {
    const std::string text = given, written = expected;
    CAPTURE(text);
    std::optional<NamedPolynomial> polynomial = parseNamedPolynomial(text);
    REQUIRE(polynomial);
    CHECK(textOf(*polynomial) == written);
    CHECK(parseNamedPolynomial(written) == polynomial);
  }
}

TEST_CASE("what is none") {
  for (const char *text :
       {"", " ", "a+", "+", "a**b", "a+*b", "1x", "2*99999999999999", "-", "a*", "1099511627776*1099511627776*a"}) {
    CAPTURE(text);
    CHECK(!parseNamedPolynomial(text));
  }
}

TEST_CASE("bounds") {
  auto range = [](const char *text, int64_t low, int64_t high) {
    return rangeOf(*parseNamedPolynomial(text), [&](const std::string &) { return std::pair(low, high); });
  };
  CHECK(range("a+b", 1, 4) == std::pair<int64_t, int64_t>(2, 8));
  CHECK(range("a*b-3", 2, 4) == std::pair<int64_t, int64_t>(1, 13));
  CHECK(range("a+-1*b", 1, 4) == std::pair<int64_t, int64_t>(-3, 3));
  CHECK(range("a*a*a", 0, int64_t(1) << 30) == std::nullopt);
}
