// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tuning_file.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
TuningEntry entry(std::string target, std::string site, std::string choice) {
  return {std::move(target), "sinter 1", std::move(site), std::move(choice), "32", 1e-6, 2e-6, "a CPU"};
}
std::string problemOf(llvm::StringRef text) { return toString(TuningFile::parse(text, "f").takeError()); }
} // namespace

TEST_CASE("what is written is read, and written to the same byte") {
  TuningFile file;
  file.add({entry("b", "x", "16"), entry("a", "y", "48")});
  std::string text = file.text();
  auto again = TuningFile::parse(text, "f");
  REQUIRE(static_cast<bool>(again));
  CHECK(again->text() == text);
  CHECK(again->entries.front().target == "a");
}

TEST_CASE("the last measurement of a key stays; other targets and versions are left out") {
  TuningFile file;
  file.add({entry("a", "x", "16")});
  file.add({entry("a", "x", "48"), entry("b", "x", "64")});
  CHECK(file.entries.size() == 2);
  CHECK(*file.choicesFor("a", "sinter 1").at("x") == "48");
  CHECK(file.choicesFor("a", "sinter 2").taken.empty());
  CHECK(!file.choicesFor("a", "sinter 1").at("y"));
}

TEST_CASE("damaged files are refused with what is wrong") {
  CHECK(problemOf("{") != "");
  CHECK(problemOf(std::string(100, '[')).find("nested deeper than") != std::string::npos);
  CHECK(problemOf("{\"version\": 2}").find("version") != std::string::npos);
  CHECK(problemOf("{\"version\": 1, \"choices\": [{}]}").find("choice 0: its 'target'") != std::string::npos);
}
