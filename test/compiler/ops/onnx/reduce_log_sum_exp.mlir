// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Shifted by the maximum, unless that is infinite.

// CHECK: arith.maximumf
// CHECK: arith.constant 0x7F800000
// CHECK: math.exp
// CHECK: math.log
func.func @main(%x: tensor<2x3xf32> {sinter.name = "x"}) -> (tensor<2xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "ReduceLogSumExp"(%x) {attrs = {axes = array<i64: 1>, keepdims = 0 : i64}, since = 13 : i64} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
