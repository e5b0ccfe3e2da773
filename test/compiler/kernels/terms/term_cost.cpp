// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From how many rows on products are made of terms in tile registers.
#include "kernels/terms/support/term_cost.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

Target targetForTerms(const char *name) {
  std::string problem;
  std::optional<Target> target = findTarget(name, problem);
  REQUIRE_MESSAGE(target.has_value(), problem);
  return *target;
}

} // namespace

TEST_CASE("rows that pay for splitting columns") {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  const mlir::Type f32 = b.getF32Type(), f16 = b.getF16Type(), bf16 = b.getBF16Type();
  const Target target = targetForTerms("x86-64-v4+amx-bf16");
  const std::optional<int64_t> floats = leastRowsForTerms(target, 768, f32, f32);
  const std::optional<int64_t> halves = leastRowsForTerms(target, 768, f16, f16);
  const std::optional<int64_t> shorts = leastRowsForTerms(target, 768, bf16, bf16);
  REQUIRE((floats && halves && shorts));
  CHECK(*floats > 32);
  CHECK(*floats <= 64);
  CHECK(*halves < *floats);
  CHECK(*shorts < *halves);
  CHECK(!leastRowsForTerms(target, 8, f32, f32)); // rows are split for too few columns
  CHECK(!leastRowsForTerms(target, 768, b.getF64Type(), f32));
  CHECK(!leastRowsForTerms(targetForTerms("x86-64-v4+vnni+bf16"), 768, f32, f32));
  CHECK(termsOf(b.getI8Type()) == 0);
}
