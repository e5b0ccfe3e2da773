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

TEST_CASE("convolutions that terms make faster") {
  mlir::MLIRContext context;
  const mlir::Type f32 = mlir::Builder(&context).getF32Type(), f64 = mlir::Builder(&context).getF64Type();
  const Target target = targetForTerms("x86-64-v4+amx-bf16");
  const auto isFaster = [&](int64_t pixels, int64_t filters, int64_t channels) {
    return mapsAreFasterByTerms(target, {1, pixels, filters, channels}, f32, f32);
  };
  CHECK(isFaster(28 * 28, 128, 128));
  CHECK(isFaster(14 * 14, 96, 576));
  CHECK(!isFaster(56 * 56, 144, 24)); // sums go through memory for few products each
  CHECK(!isFaster(56 * 56, 16, 96));  // rows are split for few filters
  CHECK(!isFaster(5 * 5, 512, 512));  // weights are split for few pixels
  CHECK(!mapsAreFasterByTerms(target, {1, 784, 128, 128}, f64, f64));
  CHECK(!mapsAreFasterByTerms(targetForTerms("x86-64-v4"), {1, 784, 128, 128}, f32, f32));
}
