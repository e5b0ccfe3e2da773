// RUN: not sinter-opt %s --convert-nodes 2>&1 | FileCheck %s
// Axes decide the rank of the result.

// CHECK: 'axes' of ReduceMax is not constant
func.func @main(%x: tensor<2x3xf32> {sinter.name = "x"}, %a: tensor<1xsi64> {sinter.name = "a"}) -> (tensor<3xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "ReduceMax"(%x, %a) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 20 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
