// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// FastGelu is the tanh approximation of x + bias.

// CHECK: arith.addf
// CHECK: sinter.apply "gelu_tanh"(
func.func @main(%x: tensor<2x4xf32> {sinter.name = "x"}, %b: tensor<4xf32> {sinter.name = "b"}) -> (tensor<2x4xf32> {sinter.name = "y"}) {
  %0 = sinter.node "FastGelu"(%x, %b) {domain = "com.microsoft", since = 1 : i64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
