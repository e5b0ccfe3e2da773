// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Integers with integer exponents stay integers; a float exponent makes it a float power of the base's type.

// CHECK: math.ipowi {{.*}} : i64
// CHECK: arith.trunci
// CHECK: arith.sitofp
// CHECK: math.powf
func.func @main(%x: tensor<4xsi32> {sinter.name = "x"}, %y: tensor<4xsi64> {sinter.name = "y"}, %z: tensor<4xf32> {sinter.name = "z"}) -> (tensor<4xsi32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Pow"(%x, %y) {since = 15 : i64} : (tensor<4xsi32>, tensor<4xsi64>) -> tensor<4xsi32>
  %1 = sinter.node "Pow"(%z, %y) {since = 15 : i64} : (tensor<4xf32>, tensor<4xsi64>) -> tensor<4xf32>
  return %0, %1 : tensor<4xsi32>, tensor<4xf32>
}
