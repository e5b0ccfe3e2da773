// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// The sign of the divisor, or of the dividend.

// CHECK: arith.remsi
// CHECK: arith.select
// CHECK: arith.remf
// CHECK-NOT: arith.select
func.func @main(%x: tensor<4xsi32> {sinter.name = "x"}, %y: tensor<4xsi32> {sinter.name = "y"}, %z: tensor<4xf32> {sinter.name = "z"}) -> (tensor<4xsi32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Mod"(%x, %y) {attrs = {fmod = 0 : i64}, since = 13 : i64} : (tensor<4xsi32>, tensor<4xsi32>) -> tensor<4xsi32>
  %1 = sinter.node "Mod"(%z, %z) {attrs = {fmod = 1 : i64}, since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xsi32>, tensor<4xf32>
}
