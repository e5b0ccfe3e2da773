// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.kernel and sinter.pool run the template that generated code runs.
#include "interpreter_test.h"

static Numbers run(llvm::StringRef body, llvm::StringRef type) { return Interpreted(body, type).numbers(); }

TEST_CASE("a maximum of integers of either sign") {
  auto pool = [](llvm::StringRef sign) {
    return "%x = arith.constant dense<[[[1, -1, 3, 2]]]> : tensor<1x1x4xi8>\n%e = tensor.empty() : tensor<1x1x3xi8>\n"
           "%r = sinter.pool max ins(%x : tensor<1x1x4xi8>) outs(%e : tensor<1x1x3xi8>) {window = array<i64: 2>, "
           "strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0, 0>" +
           sign.str() + "} -> tensor<1x1x3xi8>";
  };
  CHECK(run(pool(""), "tensor<1x1x3xi8>") == Numbers{1, 3, 3});
  CHECK(run(pool(", is_unsigned"), "tensor<1x1x3xi8>") == Numbers{-1, -1, 3});
}

TEST_CASE("cumulate along a negative axis; out of range has no value") {
  auto cumulate = [](llvm::StringRef axis) {
    return "%x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>\n%a = arith.constant dense<" +
           axis.str() +
           "> : tensor<i32>\n%e = tensor.empty() : tensor<2x2xf32>\n"
           "%r = sinter.kernel \"cumulate\" ins(%x, %a : tensor<2x2xf32>, tensor<i32>) outs(%e : tensor<2x2xf32>) "
           "{params = {exclusive = false, product = false, reverse = true}} -> tensor<2x2xf32>";
  };
  CHECK(run(cumulate("-1"), "tensor<2x2xf32>") == Numbers{3, 2, 7, 4});
  CHECK(!Interpreted(cumulate("2"), "tensor<2x2xf32>").evaluate());
}

TEST_CASE("scratch is an output that nobody reads") {
  CHECK(run("%x = arith.constant dense<[[[2.0, 0.0], [1.0, 3.0]]]> : tensor<1x2x2xf32>\n%e = tensor.empty() : "
            "tensor<1xf32>\n%w = tensor.empty() : tensor<2x2xf32>\n"
            "%r, %s = sinter.kernel \"determinant\" ins(%x : tensor<1x2x2xf32>) outs(%e, %w : tensor<1xf32>, "
            "tensor<2x2xf32>) -> tensor<1xf32>, tensor<2x2xf32>",
            "tensor<1xf32>") == Numbers{6});
}

TEST_CASE("a kernel nobody knows makes nothing constant") {
  Interpreted r("%x = arith.constant dense<1.0> : tensor<1xf32>\n%e = tensor.empty() : tensor<1xf32>\n"
                "%r = sinter.kernel \"no_such\" ins(%x : tensor<1xf32>) outs(%e : tensor<1xf32>) -> tensor<1xf32>",
                "tensor<1xf32>");
  CHECK(!sinter::isConstant(r.value, r.cache));
}

TEST_CASE("scatter_nd adds; an index out of range has no value") {
  auto scatter = [](llvm::StringRef place) {
    return "%d = arith.constant dense<[[1], [2], [3]]> : tensor<3x1xi32>\n%i = arith.constant dense<[[-1], [" +
           place.str() +
           "]]> : tensor<2x1xi32>\n"
           "%u = arith.constant dense<[[10], [20]]> : tensor<2x1xi32>\n%e = tensor.empty() : tensor<3x1xi32>\n"
           "%r = sinter.kernel \"scatter_nd\" ins(%d, %i, %u : tensor<3x1xi32>, tensor<2x1xi32>, tensor<2x1xi32>) "
           "outs(%e : tensor<3x1xi32>) "
           "{params = {reduction = 1 : i64}} -> tensor<3x1xi32>";
  };
  CHECK(run(scatter("2"), "tensor<3x1xi32>") == Numbers{1, 2, 33});
  CHECK(!Interpreted(scatter("3"), "tensor<3x1xi32>").evaluate());
}

TEST_CASE("non_zero of bools, topk") {
  CHECK(run("%x = arith.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>\n%e = tensor.empty() : "
            "tensor<2x3xi64>\n%c = tensor.empty() : tensor<i64>\n"
            "%r, %n = sinter.kernel \"non_zero\" ins(%x : tensor<2x2xi1>) outs(%e, %c : tensor<2x3xi64>, tensor<i64>) "
            "-> tensor<2x3xi64>, tensor<i64>",
            "tensor<2x3xi64>") == Numbers{0, 1, 1, 0, 0, 1});
  CHECK(run("%x = arith.constant dense<[3.0, 9.0, 5.0]> : tensor<3xf32>\n%v = tensor.empty() : tensor<2xf32>\n%i = "
            "tensor.empty() : tensor<2xi64>\n%o = tensor.empty() : tensor<3xi64>\n"
            "%a, %r, %s = sinter.kernel \"topk\" ins(%x : tensor<3xf32>) outs(%v, %i, %o : tensor<2xf32>, "
            "tensor<2xi64>, tensor<3xi64>) "
            "{params = {axis = 0 : i64, largest = true}} -> tensor<2xf32>, tensor<2xi64>, tensor<3xi64>",
            "tensor<2xi64>") == Numbers{1, 2});
}
