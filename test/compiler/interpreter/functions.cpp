// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.apply: conversions of 8- and 4-bit floats by ONNX's rules (values from ml_dtypes, which ONNX's reference
// uses), products in fixed point, strings.
#include "interpreter_test.h"

#include <cmath>

/// `function` on each of `values`.
static Numbers apply(llvm::StringRef function, llvm::StringRef values, llvm::StringRef from, llvm::StringRef to) {
  std::string n = std::to_string(values.count(',') + 1);
  std::string body = "%x = arith.constant dense<[" + values.str() + "]> : tensor<" + n + "x" + from.str() +
                     ">\n%e = tensor.empty() : tensor<" + n + "x" + to.str() + ">\n%r = linalg.map ins(%x : tensor<" +
                     n + "x" + from.str() + ">) outs(%e : tensor<" + n + "x" + to.str() + ">) (%a: " + from.str() +
                     ") { %v = sinter.apply \"" + function.str() + "\"(%a) : (" + from.str() + ") -> " + to.str() +
                     "\n linalg.yield %v : " + to.str() + " }";
  return Interpreted(body, "tensor<" + n + "x" + to.str() + ">").numbers();
}

TEST_CASE("to float8: overflow saturates or not") {
  CHECK(apply("to_float8e4m3fn", "464.0, 465.0, 1.0e6, -1.0e6, 0x7F800000", "f32", "f8E4M3FN") ==
        Numbers{448, 448, 448, -448, 448});
  CHECK(std::isnan(apply("to_float8e4m3fn_unsaturated", "465.0", "f32", "f8E4M3FN")[0]));
  CHECK(std::isnan(apply("to_float8e4m3fn", "0x7FC00000", "f32", "f8E4M3FN")[0]));
  CHECK(apply("to_float8e5m2", "1.0e6, 0x7F800000", "f32", "f8E5M2") == Numbers{57344, 57344});
  CHECK(apply("to_float8e5m2_unsaturated", "1.0e6, -1.0e6", "f32", "f8E5M2") == Numbers{HUGE_VAL, -HUGE_VAL});
  CHECK(apply("to_float8e4m3fnuz", "1.0e6", "f32", "f8E4M3FNUZ") == Numbers{240});
}

TEST_CASE("float4 and powers of two are held as i8") {
  CHECK(apply("to_float4e2m1", "0x7FC00000, 0x7F800000, -100.0, 5.0, 2.5, 0.25, 0.75, -0.2, 0.26", "f32", "i8") ==
        Numbers{8, 7, 15, 6, 4, 0, 2, 8, 1});
  CHECK(apply("from_float4e2m1", "0, 7, 15, 9", "i8", "f32") == Numbers{0, 6, -6, -0.5});
  CHECK(apply("from_float8e8m0", "127, 128, 0", "i8", "f32") == Numbers{1, 2, std::ldexp(1, -127)});
  CHECK(apply("to_float8e8m0", "1.0, 1.5, 3.0", "f32", "i8") == Numbers{127, -128, -127});
  CHECK(apply("to_float8e8m0_down", "1.0, 1.5, 3.0", "f32", "i8") == Numbers{127, 127, -128});
  CHECK(apply("to_float8e8m0_nearest", "1.0, 1.4, 1.5", "f32", "i8") == Numbers{127, 127, -128});
}

TEST_CASE("floats become integers as generated code rounds them: to nearest, ties to even") {
  CHECK(apply("nearest_int", "1.75, 2.5, -0.75, -1.5", "f32", "i32") == Numbers{2, 2, -1, -2});
  for (auto [function, expected] :
       {std::pair("round_to_int8", Numbers{14, 14, 11, 127}), std::pair("round_to_uint8", Numbers{14, 14, 11, 255})})
    CHECK(Interpreted(R"(
    %x = arith.constant dense<[1.75, 2.5, -0.75, 1.0e9]> : tensor<4xf32>
    %zero = arith.constant 12 : i32
    %e = tensor.empty() : tensor<4xi32>
    %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xi32>) (%a: f32) {
      %v = sinter.apply ")" +
                          std::string(function) +
                          R"("(%a, %zero) : (f32, i32) -> i32
      linalg.yield %v : i32 })",
                      "tensor<4xi32>")
              .numbers() == expected);
}

TEST_CASE("rescale multiplies in fixed point: halves up, all 32 bits") {
  CHECK(Interpreted(R"(
    %x = arith.constant dense<[3, 2, -2, -6, 2147483647]> : tensor<5xi32>
    %m = arith.constant 2147483647 : i32
    %s = arith.constant 33 : i32
    %e = tensor.empty() : tensor<5xi32>
    %r = linalg.map ins(%x : tensor<5xi32>) outs(%e : tensor<5xi32>) (%a: i32) {
      %v = sinter.apply "rescale"(%a, %m, %s) : (i32, i32, i32) -> i32
      linalg.yield %v : i32 })",
                    "tensor<5xi32>")
            .numbers() == Numbers{1, 0, 0, -1, 536870912});
}

TEST_CASE("strings move and compare") {
  CHECK(Interpreted(R"(
    %a = sinter.weight dense<["x", "y"]> : tensor<2x!sinter.string> : tensor<2x!sinter.string>
    %b = sinter.weight dense<["y", "x"]> : tensor<2x!sinter.string> : tensor<2x!sinter.string>
    %c = tensor.concat dim(0) %a, %b : (tensor<2x!sinter.string>, tensor<2x!sinter.string>) -> tensor<4x!sinter.string>
    %s = tensor.extract_slice %c[1] [2] [1] : tensor<4x!sinter.string> to tensor<2x!sinter.string>
    %e = tensor.empty() : tensor<2xi1>
    %r = linalg.map ins(%s, %a : tensor<2x!sinter.string>, tensor<2x!sinter.string>) outs(%e : tensor<2xi1>) (%p: !sinter.string, %q: !sinter.string) {
      %v = sinter.apply "string_equal"(%p, %q) : (!sinter.string, !sinter.string) -> i1
      linalg.yield %v : i1 })",
                    "tensor<2xi1>")
            .numbers() == Numbers{0, 1});
}

TEST_CASE("a function nobody knows makes nothing constant") {
  Interpreted r("%a = arith.constant 1.0 : f32\n%r = sinter.apply \"no_such\"(%a) : (f32) -> f32", "f32");
  CHECK(!sinter::isConstant(r.value, r.cache));
}
