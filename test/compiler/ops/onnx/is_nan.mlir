// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// One sign of infinity only, and NaN as what differs from itself.

// CHECK: arith.cmpf une, %[[X:.*]], %[[X]]
// CHECK: arith.constant 0x7F800000
// CHECK: arith.cmpf oeq
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xi1> {sinter.name = "y0"}, tensor<4xi1> {sinter.name = "y1"}) {
  %0 = sinter.node "IsNaN"(%x) {since = 20 : i64} : (tensor<4xf32>) -> tensor<4xi1>
  %1 = sinter.node "IsInf"(%x) {attrs = {detect_negative = 0 : i64, detect_positive = 1 : i64}, since = 20 : i64} : (tensor<4xf32>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi1>, tensor<4xi1>
}
