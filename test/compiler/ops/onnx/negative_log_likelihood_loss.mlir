// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Class indices come from data and are checked.

// CHECK: arith.cmpi ne
// CHECK: sinter.check_index
// CHECK: tensor.extract
func.func @main(%x: tensor<3x5xf32> {sinter.name = "x"}, %t: tensor<3xsi64> {sinter.name = "t"}) -> (tensor<f32> {sinter.name = "y0"}) {
  %0 = sinter.node "NegativeLogLikelihoodLoss"(%x, %t) {attrs = {reduction = "mean", ignore_index = -1 : i64}, since = 22 : i64} : (tensor<3x5xf32>, tensor<3xsi64>) -> tensor<f32>
  return %0 : tensor<f32>
}
