// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/text_library.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("a header's body is what stands in its namespace") {
  const EmbeddedFile files[] = {
      {"a.h", "#pragma once\nnamespace sinter::generation {\nint a;\n} // namespace sinter::generation\n"},
      {"b.h", "int b;\n"},
      {nullptr, nullptr}};
  CHECK(generationBody(files, "a.h") == "int a;\n");
  CHECK(generationBody(files, "b.h") == "int b;\n");
  CHECK(generationBody(files, "c.h").empty());
}

TEST_CASE("names get their prefix, macros in capitals") {
  CHECK(withPrefix("int @_f(void); /* $_MOST */", "kws") == "int kws_f(void); /* KWS_MOST */");
}

TEST_CASE("tables are lines of numbers") {
  std::string text;
  llvm::raw_string_ostream out(text);
  const auto number = [](int value) { return std::to_string(value); };
  printTable(out, "int none", std::vector<int>(), number);
  printTable(out, "int some", std::vector<int>{1, -2}, number);
  CHECK(out.str() == "const int none[] = {{}};\nconst int some[] = {1,-2,};\n");
  text.clear();
  printTable(out, "int many", std::vector<int>(200, 12345), number);
  for (llvm::StringRef rest = out.str(), line; !rest.empty();) {
    std::tie(line, rest) = rest.split('\n');
    CHECK(line.size() <= 130);
  }
}
