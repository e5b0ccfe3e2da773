// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/text/unused_definitions.h"

#include "codegen/text/names.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
/// n, n_2 and v, as a printer would have defined them.
std::set<Identifier> defined() {
  Names names;
  return {names.make("n"), names.make("n"), names.make("v")};
}
} // namespace

TEST_CASE("a definition that nothing mentions is left out, and then what only it mentioned") {
  CHECK(withoutUnused("const int64_t n = in.N;\nconst int64_t v = n / 2;\nk0(x);\n", defined()) == "k0(x);\n");
}

TEST_CASE("a comment is no mention, part of a name or a member of that name neither") {
  CHECK(withoutUnused("const int64_t v = 3;\nk0(vv); // v\n", defined()) == "k0(vv); // v\n");
  CHECK(withoutUnused("const int64_t n = in.n;\nk0(in.n);\n", defined()) == "k0(in.n);\n");
}

TEST_CASE("what is mentioned stays, also in conditions, and so do names that are not to be looked at") {
  const char *const text = "const int64_t n = f(x);\nif (n < 0)\n  return 3;\nconst int64_t other = 1;\n";
  CHECK(withoutUnused(text, defined()) == text);
}
