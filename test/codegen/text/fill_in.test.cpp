// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names are filled in once; all other text stays as it is.
#include "codegen/text/fill_in.h"

#include <doctest/doctest.h>

using sinter::fillIn;

TEST_CASE("fill in") {
  std::pair<llvm::StringRef, std::string> values[] = {{"a", "@b@"}, {"b", "2"}};
  CHECK(fillIn("", values).empty());
  CHECK(fillIn("x @a@@b@ y", values) == "x @b@2 y");
  CHECK(fillIn("me@b.example @c@ @", values) == "me@b.example @c@ @");
  CHECK(fillIn("@no@b@", values) == "@no2");
  CHECK(fillIn("@b", values) == "@b");
  CHECK(fillIn("%b%.@b@", values, '%') == "2.@b@");
}
