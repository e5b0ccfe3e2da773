// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of a model becomes no token; numbers read back as themselves.
#include "codegen/text/code.h"

#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("comments cannot be ended, nested or continued by what stands in them") {
  CHECK(Comment("a*/b").text() == "a* /b");
  CHECK(Comment("a/*b").text() == "a/ *b");
  CHECK(Comment("x?\?/").text().find("??") == llvm::StringRef::npos);
  CHECK(Comment("a\nb\\").text() == "a%0ab%5c");
  CHECK(Comment(std::string(5000, 'x')).text().ends_with("..."));
}

TEST_CASE("string literals hold any bytes") {
  CHECK(sinter::StringLiteral("a\"b\\c?").text() == R"("a\"b\\c\?")");
  CHECK(sinter::StringLiteral(llvm::StringRef("\0\n\xff", 3)).text() == R"("\000\012\377")");
}

TEST_CASE("numbers read back exactly, with the fewest digits that do") {
  CHECK(PrintedCode::number(1, true).text() == "1.0f");
  CHECK(PrintedCode::number(0.1, false).text() == "0.1");
  CHECK(PrintedCode::number(-0.0, true).text() == "-0.0f");
  CHECK(PrintedCode::number(INFINITY, true).text() == "float(SINTER_INFINITY)");
  CHECK(PrintedCode::number(NAN, false).text() == "SINTER_NAN");
  for (double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.125})
    CHECK(std::strtod(PrintedCode::number(value, false).text().str().c_str(), nullptr) == value);
  for (float value : {1.0f / 3, 1e-45f, 3.4028235e38f, 16777216.0f})
    CHECK(std::strtof(PrintedCode::number(value, true).text().str().c_str(), nullptr) == value);
}

TEST_CASE("the least integers are no negated literals") {
  CHECK(PrintedCode::integer(INT64_MIN, 64).text() == "(-9223372036854775807 - 1)");
  CHECK(PrintedCode::integer(INT32_MIN, 32).text() == "(-2147483647 - 1)");
  CHECK(PrintedCode::integer(INT32_MIN, 64).text() == "-2147483648");
  CHECK(PrintedCode::integer(-7, 8).text() == "-7");
}

TEST_CASE("parts are joined") {
  CHECK(joinCode({}).text() == "");
  CHECK(joinCode({PrintedCode("a"), PrintedCode(2), PrintedCode("c")}).text() == "a, 2, c");
  CHECK(joinCode({PrintedCode("a"), PrintedCode("b")}, " + ").text() == "a + b");
}

TEST_CASE("strings of JSON are printable ASCII, and end neither comments nor elements of pages") {
  CHECK(JsonString("plain name.0/1").text() == "\"plain name.0/1\"");
  CHECK(JsonString("\"\\\n</script>*/&").text() == "\"\\u0022\\u005c\\u000a\\u003c/script\\u003e\\u002a/\\u0026\"");
  CHECK(JsonString("\xc3\xa4\xf0\x9f\x98\x80\xe2\x80\xa8").text() == "\"\\u00e4\\ud83d\\ude00\\u2028\"");
  CHECK(JsonString("a\xff"
                   "b")
            .text() == "\"a\\ufffdb\"");
}
