// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// One factor and one offset for each channel.

// CHECK: math.sqrt
// CHECK: arith.divf
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NEXT: arith.subf
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
func.func @main(%x: tensor<2x3x4xf32> {sinter.name = "x"}, %s: tensor<3xf32> {sinter.name = "s"}, %b: tensor<3xf32> {sinter.name = "b"}, %m: tensor<3xf32> {sinter.name = "m"}, %v: tensor<3xf32> {sinter.name = "v"}) -> (tensor<2x3x4xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "BatchNormalization"(%x, %s, %b, %m, %v) {attrs = {epsilon = 1.0e-5 : f32, momentum = 0.9 : f32, training_mode = 0 : i64}, since = 15 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
