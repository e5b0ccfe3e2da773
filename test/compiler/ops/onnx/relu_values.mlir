// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<4xf32> [0, 0, 0.5, 2]
// CHECK: output 1: tensor<4xf32> [-0.15, -0.025, 0.5, 2]
// CHECK: output 2: tensor<4xf32> [0, 0, 0, 2]
// CHECK: output 3: tensor<4xf32> [-0.375, -0.0625, 0.5, 2]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}, tensor<4xf32> {sinter.name = "y3"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<2.500000e-01> : tensor<1xf32> : tensor<1xf32>
  %2 = sinter.node "Relu"(%0) {since = 14 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "LeakyRelu"(%0) {attrs = {alpha = 1.000000e-01 : f32}, since = 16 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = sinter.node "ThresholdedRelu"(%0) {attrs = {alpha = 1.000000e+00 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = sinter.node "PRelu"(%0, %1) {since = 16 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
