// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is counted as a multiply-add, by hand-computed numbers.
#include "ir/work.h"

#include "pipeline/dialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <doctest/doctest.h>

using namespace mlir;
using namespace sinter;

namespace {
/// Multiply-adds of a function made of `body`, whose arguments are %a 4x6, %b 6x8, %n (an index).
int64_t macsOf(const std::string &body) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  std::string text = "func.func @main(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>, %n: index) -> tensor<4x8xf32> {\n"
                     "  %out = tensor.empty() : tensor<4x8xf32>\n" +
                     body + "}\n";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  REQUIRE(module);
  return Work().macsIn(module->getBodyRegion());
}

const std::string product =
    "%y = sinter.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x8xf32>) outs(%out : tensor<4x8xf32>) "
    "attributes {epilogue_maps = []} { ^bb0(%x: f32): sinter.yield %x : f32 } -> tensor<4x8xf32>\n";
} // namespace

TEST_CASE("a product, and one that nobody uses") {
  CHECK(macsOf(product + "return %y : tensor<4x8xf32>\n") == 4 * 6 * 8);
  CHECK(macsOf(product + "return %out : tensor<4x8xf32>\n") == 0);
}

TEST_CASE("loops repeat, of a choice the dearer branch counts") {
  std::string head =
      "%c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n %c5 = arith.constant 5 : index\n"
      "%test = arith.cmpi eq, %n, %c5 : index\n";
  std::string loop = "%z = scf.for %i = %c0 to %c5 step %c1 iter_args(%old = %out) -> tensor<4x8xf32> {\n" + product +
                     "scf.yield %y : tensor<4x8xf32> }\n";
  CHECK(macsOf(head + loop + "return %z : tensor<4x8xf32>\n") == 5 * 4 * 6 * 8);
  std::string choice = "%w = scf.if %test -> tensor<4x8xf32> {\n" + product +
                       "scf.yield %y : tensor<4x8xf32>\n} else {\n" + loop + "scf.yield %z : tensor<4x8xf32> }\n";
  CHECK(macsOf(head + choice + "return %w : tensor<4x8xf32>\n") == 5 * 4 * 6 * 8);
}

TEST_CASE("a loop nest that sums products counts, one that squares does not") {
  auto nest = [](const std::string &body) {
    return "%y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, "
           "affine_map<(i, j, k) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} "
           "ins(%a, %b : tensor<4x6xf32>, tensor<6x8xf32>) outs(%out : tensor<4x8xf32>) {\n"
           "^bb0(%l: f32, %r: f32, %sum: f32):\n" +
           body + "linalg.yield %s : f32 } -> tensor<4x8xf32>\n return %y : tensor<4x8xf32>\n";
  };
  CHECK(macsOf(nest("%p = arith.mulf %l, %r : f32\n %s = arith.addf %sum, %p : f32\n")) == 4 * 6 * 8);
  CHECK(macsOf(nest("%p = arith.mulf %l, %l : f32\n %s = arith.addf %sum, %p : f32\n")) == 0);
}

TEST_CASE("sizes that vary count with their largest value") {
  CHECK(macsOf("%seq = sinter.dim \"seq\"[1, 10]\n"
               "%s = tensor.empty(%seq) : tensor<?x6xf32>\n %o = tensor.empty(%seq) : tensor<?x8xf32>\n"
               "%y = sinter.matmul ins(%s, %b : tensor<?x6xf32>, tensor<6x8xf32>) outs(%o : tensor<?x8xf32>) "
               "attributes {epilogue_maps = []} { ^bb0(%x: f32): sinter.yield %x : f32 } -> tensor<?x8xf32>\n"
               "%z = tensor.extract_slice %y[0, 0] [4, 8] [1, 1] : tensor<?x8xf32> to tensor<4x8xf32>\n"
               "return %z : tensor<4x8xf32>\n") == 10 * 6 * 8);
}
