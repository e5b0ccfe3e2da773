// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// exp(x) - 1 without cancellation.

// CHECK: math.expm1
// CHECK: arith.select
// CHECK: arith.divf
// CHECK: math.expm1
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Elu"(%x) {attrs = {alpha = 1.0 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sinter.node "Celu"(%x) {attrs = {alpha = 2.0 : f32}, since = 12 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
