// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as text and back (number_text.h) against the C library's, on numbers of all sizes and at the ends of types.
#include "doctest/doctest.h"
#include "templates/text/print_numbers.h"
#include "templates/text/read_numbers.h"
#include "views.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace sinter;
using test::dense;

namespace {

template <class T>
std::string printed(const T value, size_t room = 64, int64_t places = -1) {
  int64_t used = 0;
  std::vector<char> bytes(room);
  sinter_string y;
  const int status = printNumbers(PrintNumbersParams{places}, dense(&value, 1), dense(&y, 1), View<int64_t, 0>{&used},
                                  dense(bytes.data(), room));
  return status == 0 ? std::string(y.data, y.size) : "status " + std::to_string(status);
}

template <class T>
int read(const std::string &text, T &value) {
  const sinter_string x = {text.data(), text.size()};
  return readNumbers(dense(&x, 1), dense(&value, 1));
}

double real(const std::string &text) {
  double value = -1;
  CHECK(read(text, value) == 0);
  return value;
}

template <class T>
T whole(const std::string &text) {
  T value = 77;
  CHECK(read(text, value) == 0);
  return value;
}

} // namespace

TEST_CASE("print_numbers: whole numbers, special ones, and no room") {
  CHECK(printed(INT64_MIN) == "-9223372036854775808");
  CHECK(printed(UINT64_MAX) == "18446744073709551615");
  CHECK(printed(int64_t(0)) == "0");
  CHECK(printed(double(NAN)) == "NaN");
  CHECK(printed(double(INFINITY)) == "INF");
  CHECK(printed(-double(INFINITY)) == "-INF");
  CHECK(printed(-0.0) == "-0");
  CHECK(printed(9.99999999) == "10");
  CHECK(printed(static_cast<double>(0.1f)) == "0.1");
  CHECK(printed(static_cast<double>(3.14f)) == "3.1400001");
  CHECK(printed(1e10) == "1e+10");
  CHECK(printed(int64_t(123456), 3) == "status " + std::to_string(kCapacityExceeded));
}

TEST_CASE("print_numbers: places behind the point") {
  CHECK(printed(0.0, 64, 6) == "0.000000");
  CHECK(printed(-0.0, 64, 2) == "-0.00");
  CHECK(printed(0.5, 64, 0) == "0");
  CHECK(printed(1.5, 64, 0) == "2");
  CHECK(printed(0.0625, 64, 3) == "0.062");
  CHECK(printed(5e-7, 64, 6) == "0.000000");
  CHECK(printed(6e-7, 64, 6) == "0.000001");
  CHECK(printed(9.9999996, 64, 6) == "10.000000");
  CHECK(printed(std::copysign(double(NAN), 1.0), 64, 6) == "nan");
  CHECK(printed(-std::copysign(double(NAN), 1.0), 64, 6) == "-nan");
  CHECK(printed(-double(INFINITY), 64, 6) == "-inf");
  CHECK(printed(int64_t(-7), 64, 6) == "-7");
}

TEST_CASE("read_numbers: what stands in front counts, what is no number does not") {
  CHECK(whole<int64_t>(" -12abc") == -12);
  CHECK(whole<uint64_t>("-1") == UINT64_MAX);
  CHECK(whole<int64_t>("-9223372036854775808") == INT64_MIN);
  CHECK(real("+.5e1x") == 5);
  CHECK(real("5.") == 5);
  CHECK(real("1e") == 1);
  CHECK(real("-INFinity") == -double(INFINITY));
  CHECK(std::isnan(real("NaN")));
  CHECK(real("1e-400") == 0);
  int64_t integer = 1;
  for (const char *text : {"", " ", "-", "abc", ".5", "inf", "9223372036854775808", "-9223372036854775809"}) {
    CHECK(read(text, integer) == kInvalidData);
    CHECK(integer == 0);
  }
  double number = 1;
  for (const char *text : {"", ".", "e5", "-", "0x10", "1e400", "true"}) {
    CHECK(read(text, number) == kInvalidData);
    CHECK(number == 0);
  }
}

TEST_CASE("floats: equal to the C library's to the last bit") {
  std::mt19937_64 random(1);
  for (int k = 0; k < 3000; ++k) {
    uint64_t bits = random();
    if (k % 3 == 1)
      bits &= ~(uint64_t(0x7ff) << 52); // no normal number
    double value;
    memcpy(&value, &bits, sizeof value);
    if (k % 3 == 2)
      value = std::ldexp(static_cast<double>(bits >> 40), static_cast<int>(bits % 80) - 60);
    if (!std::isfinite(value))
      continue;
    char text[400];
    std::snprintf(text, sizeof text, "%.8g", value);
    CHECK(printed(value) == text);
    const int places = k % 9;
    std::snprintf(text, sizeof text, "%.*f", places, value);
    CHECK(printed(value, sizeof text, places) == text);
    std::snprintf(text, sizeof text, "%.*g", static_cast<int>(1 + bits % 20), value);
    if (std::isfinite(std::strtod(text, nullptr)))
      CHECK(real(text) == std::strtod(text, nullptr));
  }
  for (const char *text : {"2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308",
                           "2.2250738585072011e-308", "9007199254740993", "123456789012345678901234567890"})
    CHECK(real(text) == std::strtod(text, nullptr));
}
