// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What supportOf says of schemas that the table does not have: copies of real ones under another name.
#include "driver/operator_support.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("an operator without a lowering is as good as its function bodies") {
  const OperatorSchema *relu = findSchema("", "ThresholdedRelu", 22);
  REQUIRE(relu);
  REQUIRE(!relu->bodies.empty());
  CHECK(supportOf(*relu) == Support::Lowered);

  OperatorSchema other = *relu;
  other.name = "NoSuchOperator";
  CHECK(supportOf(other) == Support::ByFunction);

  OperatorSchema broken = other;
  broken.bodies.push_back({99, "no function"});
  CHECK(supportOf(broken) == Support::None);

  OperatorSchema bodiless = other;
  bodiless.bodies.clear();
  CHECK(supportOf(bodiless) == Support::None);

  OperatorSchema withdrawn = *relu;
  withdrawn.deprecated = true;
  CHECK(supportOf(withdrawn) == Support::Withdrawn);
}
