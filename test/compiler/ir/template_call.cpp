// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which template a pool is, with what its Params hold; signs stand by the operands that they are of.
#include "ir/template_call.h"

#include "pipeline/dialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <doctest/doctest.h>

using namespace mlir;
using namespace sinter;

namespace {
struct Called {
  DialectRegistry registry;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  TemplateCall call;

  /// Of the one op in `body`, on %x and %y.
  Called(const std::string &body, const std::string &type)
      : context((registerDialects(registry), registry)),
        module(parseSourceString<ModuleOp>(
            "func.func @main(%x: " + type + ", %y: " + type + ", %n: index) {\n" + body + "\nreturn }", &context)) {
    REQUIRE(module);
    call = *templateCallOf(&*cast<func::FuncOp>(module->getBody()->front()).getBody().front().begin());
  }
  std::string params() const {
    std::string text;
    llvm::raw_string_ostream(text) << call.params;
    return text;
  }
};
const std::string window = "window = array<i64: 3, 2>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, "
                           "pads = array<i64: 1, 2, 3, 4>";
Called pool(const std::string &kind, const std::string &more, const std::string &type, const std::string &pad = "") {
  return {"sinter.pool " + kind + " ins(%x : " + type + ")" + pad + " outs(%y : " + type + ") {" + window + more + "}",
          type};
}
const std::string map = "memref<1x4x6x6xf32>", blocks = "memref<1x1x6x6x4xi8>";
} // namespace

TEST_CASE("a maximum has low pads, a mean all, and what it counts") {
  Called max = pool("max", "", map);
  CHECK(max.call.name == "max_pool");
  CHECK(max.params() == "{dilations = array<i64: 1, 1>, kernel = array<i64: 3, 2>, pads = array<i64: 1, 2>, "
                        "strides = array<i64: 1, 1>}");
  Called mean = pool("average", ", count_include_pad", map);
  CHECK(mean.call.name == "average_pool");
  CHECK(mean.params() == "{count_include_pad = true, dilations = array<i64: 1, 1>, kernel = array<i64: 3, 2>, "
                         "pads = array<i64: 1, 2, 3, 4>, strides = array<i64: 1, 1>, sum = false}");
  CHECK(pool("sum", "", map).params().find("sum = true") != std::string::npos);
}

TEST_CASE("on channel blocks, of bytes, with padding at run time") {
  Called mean = pool("average",
                     ", layout = \"nchwc\", is_unsigned, scales = #sinter.pool_scales<x_scale = 0.5 : f64, x_zero = "
                     "1, y_scale = 0.25 : f64, y_zero = 2, integer_sums = true>",
                     blocks);
  CHECK(mean.call.name == "quantized_average_pool_blocked");
  CHECK(mean.call.params.getAs<IntegerAttr>("y_zero").getInt() == 2);
  CHECK(mean.call.params.getAs<BoolAttr>("integer_sums").getValue());
  CHECK(!mean.call.params.contains("sum"));

  Called max = pool("max", ", layout = \"nchwc\", is_unsigned", blocks, " row_pad(%n)");
  CHECK(max.call.name == "max_pool_blocked");
  REQUIRE(max.call.inputs.size() == 2);
  CHECK(max.call.isUnsigned(0));
  CHECK(!max.call.isUnsigned(1));
  CHECK(max.call.isUnsigned(2));
}

TEST_CASE("a kernel says all itself; other ops are no calls") {
  Called kernel("sinter.kernel \"topk\" ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {params = {axis = 0 : i64}}",
                "memref<4xf32>");
  CHECK(kernel.call.name == "topk");
  CHECK(kernel.call.inputs.size() == 1);
  CHECK(kernel.params() == "{axis = 0 : i64}");
  CHECK(!templateCallOf(kernel.module->getOperation()));
}
