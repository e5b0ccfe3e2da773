// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<4xf32> [-0.388435, -0.1106, 0.5, 2]
// CHECK: output 1: tensor<4xf32> [-1.36581, -0.38889, 0.525351, 2.1014]
// CHECK: output 2: tensor<4xf32> [-1.05527, -0.235006, 0.5, 2]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.node "Elu"(%0) {attrs = {alpha = 5.000000e-01 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sinter.node "Selu"(%0) {attrs = {alpha = 1.67326319 : f32, gamma = 1.05070102 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "Celu"(%0) {attrs = {alpha = 2.000000e+00 : f32}, since = 12 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
