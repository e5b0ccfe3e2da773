// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// One op of the math dialect each.

// CHECK: math.sin
// CHECK: math.atanh
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Sin"(%x) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sinter.node "Atanh"(%x) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
