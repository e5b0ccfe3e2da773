// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Limits from operands that are not known now.

// CHECK: linalg.generic
// CHECK: arith.maximumf
// CHECK-NOT: arith.minimumf
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}, %l: tensor<f32> {sinter.name = "l"}) -> (tensor<4xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Clip"(%x, %l) {since = 13 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
