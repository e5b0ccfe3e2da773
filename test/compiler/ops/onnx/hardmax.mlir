// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// The index of the maximum, compared with each place.

// CHECK: arith.cmpf ugt
// CHECK: linalg.index 1
// CHECK: arith.cmpi eq
func.func @main(%x: tensor<2x3xf32> {sinter.name = "x"}) -> (tensor<2x3xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Hardmax"(%x) {attrs = {axis = -1 : i64}, since = 13 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
