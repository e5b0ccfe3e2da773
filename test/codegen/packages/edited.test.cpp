// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a file was edited is told by its own line.
#include "codegen/packages/edited.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("a file's sum is that of the lines below it") {
  std::string made = "# Made by one\n# (sum )\nname: \"net\"\n";
  std::string sum = sumBelow(made);
  CHECK(sum.size() == 16);
  made.insert(made.find(')'), sum);
  CHECK(recordedSum(made) == sum);
  CHECK(sumBelow(made) == sum);
  CHECK(sumBelow("# Made by another\n" + made) == sum);
  CHECK(sumBelow(made + "#\n") != sum);
  CHECK_FALSE(recordedSum("name: \"net\"\n"));
  CHECK_FALSE(recordedSum("# (sum of all)\n"));
  CHECK_FALSE(recordedSum("# (sum 0123456789abcdef"));
}
