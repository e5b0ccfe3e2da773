// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<4xf32> [0.201413, 0.575939, 0.974077, 2.12693]
// CHECK: output 1: tensor<4xf32> [-0.6, -0.2, 0.333333, 0.666667]
// CHECK: output 2: tensor<4xf32> [-0.2981, -0.129927, 0.375245, 1.94396]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.node "Softplus"(%0) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sinter.node "Softsign"(%0) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "Mish"(%0) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
