// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Of logarithms, and of scores.

// CHECK: output 0: tensor<f32> [0.75]
// CHECK: output 1: tensor<f32> [0.465758]
func.func @main() -> (tensor<f32> {sinter.name = "y0"}, tensor<f32> {sinter.name = "y1"}) {
  %0 = sinter.weight dense<[[-1.000000e+00, -2.000000e+00, -3.000000e+00], [-3.000000e+00, -1.000000e+00, -5.000000e-01]]> : tensor<2x3xf32> : tensor<2x3xf32>
  %1 = sinter.weight dense<[0, 2]> : tensor<2xsi64> : tensor<2xsi64>
  %2 = sinter.node "NegativeLogLikelihoodLoss"(%0, %1) {attrs = {reduction = "mean"}, since = 13 : i64} : (tensor<2x3xf32>, tensor<2xsi64>) -> tensor<f32>
  %3 = sinter.node "SoftmaxCrossEntropyLoss"(%0, %1) {attrs = {reduction = "mean"}, since = 13 : i64} : (tensor<2x3xf32>, tensor<2xsi64>) -> tensor<f32>
  return %2, %3 : tensor<f32>, tensor<f32>
}
