// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Signedness decides the predicate.

// CHECK: arith.cmpi ult
func.func @main(%x: tensor<4xui32> {sinter.name = "x"}, %y: tensor<4xui32> {sinter.name = "y"}) -> (tensor<4xi1> {sinter.name = "y0"}) {
  %0 = sinter.node "Less"(%x, %y) {since = 13 : i64} : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
