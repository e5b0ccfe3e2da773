// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Functions, and a quotient for Reciprocal.

// CHECK: math.exp
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: arith.divf %[[ONE]]
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Exp"(%x) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sinter.node "Reciprocal"(%x) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
