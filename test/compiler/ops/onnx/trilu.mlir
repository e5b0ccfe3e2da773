// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Coordinates decide.

// CHECK: arith.cmpi sge
// CHECK: arith.cmpi eq
func.func @main(%x: tensor<2x3xf32> {sinter.name = "x"}) -> (tensor<2x3xf32> {sinter.name = "y0"}, tensor<2x3xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Trilu"(%x) {attrs = {upper = 1 : i64}, since = 14 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = sinter.node "EyeLike"(%x) {attrs = {k = 1 : i64}, since = 22 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
