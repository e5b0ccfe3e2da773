// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/bounded_json.h"

#include <doctest/doctest.h>

using sinter::beyondJsonLimits;

static bool isDeeperThan(llvm::StringRef text, unsigned depth) { return !beyondJsonLimits(text, {depth}).empty(); }

TEST_CASE("brackets count as deep as they are open") {
  CHECK(!isDeeperThan("", 0));
  CHECK(!isDeeperThan(R"([[1], {"a": [2]}])", 3));
  CHECK(isDeeperThan(R"([[1], {"a": [2]}])", 2));
  CHECK(isDeeperThan(std::string(100, '['), 99));
  CHECK(!isDeeperThan("]]]][", 1));
}

TEST_CASE("characters that are escaped by two halves are those of every plane") {
  const auto text = [](llvm::StringRef escaped) {
    llvm::Expected<llvm::json::Value> read = sinter::parseJson(("\"" + escaped + "\"").str());
    REQUIRE(read);
    return read->getAsString()->str();
  };
  CHECK(text(R"(\ud83d\uDE00)") == "\xf0\x9f\x98\x80");
  CHECK(text(R"(a\uD840\udc00b)") == "a\xf0\xa0\x80\x80"
                                     "b");
  CHECK(text(R"(\udbff\udfff)") == "\xf4\x8f\xbf\xbf");
  CHECK(text(R"(\\ud840\udc00)") == "\\ud840\xef\xbf\xbd"); // a backslash, five letters, and half of a character
  CHECK(text(R"(\ud840)") == "\xef\xbf\xbd");
  CHECK(text(R"(\ud840\u0041)") == "\xef\xbf\xbd"
                                   "A");
}

TEST_CASE("brackets in strings do not") {
  CHECK(!isDeeperThan(R"(["[[[[", "\"[[[", "\\"])", 1));
  CHECK(isDeeperThan(R"(["\\", [[]]])", 2));
  CHECK(!isDeeperThan(R"(["open [[[)", 1));
}

TEST_CASE("values are counted by what stands between them, outside of strings") {
  CHECK(beyondJsonLimits(R"([1, 2, 3])", {64, 4}).empty());
  CHECK(beyondJsonLimits(R"([1, 2, 3, 4])", {64, 4}) == "there are more than 4 values");
  CHECK(beyondJsonLimits(R"({"a": ",,,,"})", {64, 4}).empty());
  llvm::Expected<llvm::json::Value> read = sinter::parseBoundedJson("[[1]]", {1});
  CHECK(!read);
  CHECK(llvm::toString(read.takeError()) == "brackets are nested deeper than 1");
}
