// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<4xf32> [1.5, 0.25, 0.5, 2]
// CHECK: output 1: tensor<4xf32> [1.5, 0.25, -0.5, -2]
// CHECK: output 2: tensor<4xf32> [-1, -1, 1, 1]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.node "Abs"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sinter.node "Neg"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "Sign"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
