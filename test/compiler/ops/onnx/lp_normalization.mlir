// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A root of each sum, not of each element; nothing is divided by a norm of 0.

// CHECK: arith.mulf
// CHECK: math.sqrt
// CHECK-NEXT: linalg.yield
// CHECK: arith.divf
// CHECK: arith.select
func.func @main(%x: tensor<2x4xf32> {sinter.name = "x"}) -> (tensor<2x4xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "LpNormalization"(%x) {attrs = {axis = -1 : i64, p = 2 : i64}, since = 22 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
