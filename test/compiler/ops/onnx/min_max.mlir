// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Any number of operands in one loop nest.

// CHECK: linalg.generic
// CHECK: arith.maximumf
// CHECK-NEXT: arith.maximumf
// CHECK: arith.addf
// CHECK: arith.divf
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}, %y: tensor<2x1xf32> {sinter.name = "y"}, %z: tensor<f32> {sinter.name = "z"}) -> (tensor<2x4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Max"(%x, %y, %z) {since = 13 : i64} : (tensor<4xf32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = sinter.node "Mean"(%x, %x) {since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<4xf32>
}
