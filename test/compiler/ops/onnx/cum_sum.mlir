// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A kernel, to which the axis is data.

// CHECK: sinter.kernel "cumulate"
// CHECK: exclusive = true, product = false, reverse = false
func.func @main(%x: tensor<2x3xf32> {sinter.name = "x"}, %a: tensor<si64> {sinter.name = "a"}) -> (tensor<2x3xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "CumSum"(%x, %a) {attrs = {exclusive = 1 : i64, reverse = 0 : i64}, since = 14 : i64} : (tensor<2x3xf32>, tensor<si64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
