// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<4xf32> [0.182426, 0.437824, 0.622459, 0.880797]
// CHECK: output 1: tensor<4xf32> [0.2, 0.45, 0.6, 0.9]
// CHECK: output 2: tensor<4xf32> [-0.375, -0.114583, 0.291667, 1.66667]
// CHECK: output 3: tensor<4xf32> [-0.0711388, -0.0943852, 0.365529, 1.96403]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}, tensor<4xf32> {sinter.name = "y3"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.node "Sigmoid"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sinter.node "HardSigmoid"(%0) {attrs = {alpha = 2.000000e-01 : f32, beta = 5.000000e-01 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "HardSwish"(%0) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = sinter.node "Swish"(%0) {attrs = {alpha = 2.000000e+00 : f32}, since = 24 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
