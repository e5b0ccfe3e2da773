// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// bool is i1.

// CHECK: affine_map<(d0, d1) -> (d1)>
// CHECK: arith.andi
// CHECK: arith.xori
func.func @main(%x: tensor<2x4xi1> {sinter.name = "x"}, %y: tensor<4xi1> {sinter.name = "y"}) -> (tensor<2x4xi1> {sinter.name = "y0"}, tensor<4xi1> {sinter.name = "y1"}) {
  %0 = sinter.node "And"(%x, %y) {since = 7 : i64} : (tensor<2x4xi1>, tensor<4xi1>) -> tensor<2x4xi1>
  %1 = sinter.node "Not"(%y) {since = 1 : i64} : (tensor<4xi1>) -> tensor<4xi1>
  return %0, %1 : tensor<2x4xi1>, tensor<4xi1>
}
