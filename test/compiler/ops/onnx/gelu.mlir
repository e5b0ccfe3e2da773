// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Both spellings.

// CHECK: sinter.apply "gelu"(
// CHECK: sinter.apply "gelu_tanh"(
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Gelu"(%x) {attrs = {approximate = "none"}, since = 20 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sinter.node "Gelu"(%x) {attrs = {approximate = "tanh"}, since = 20 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
