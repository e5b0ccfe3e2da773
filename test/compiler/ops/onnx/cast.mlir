// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Floats to 4 bits by way of int32; a bit cast keeps the bits.

// CHECK: arith.fptosi
// CHECK: arith.trunci
// CHECK: arith.shrsi
// CHECK: arith.bitcast
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xsi4> {sinter.name = "y0"}, tensor<4xsi32> {sinter.name = "y1"}) {
  %0 = sinter.node "Cast"(%x) {attrs = {to = 22 : i64}, since = 21 : i64} : (tensor<4xf32>) -> tensor<4xsi4>
  %1 = sinter.node "BitCast"(%x) {attrs = {to = 6 : i64}, since = 26 : i64} : (tensor<4xf32>) -> tensor<4xsi32>
  return %0, %1 : tensor<4xsi4>, tensor<4xsi32>
}
