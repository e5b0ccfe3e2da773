// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<4xf32> [1.28403, 1.64872, 2.71828, 54.5982]
// CHECK: output 1: tensor<4xf32> [-1.38629, -0.693147, 0, 1.38629]
// CHECK: output 2: tensor<4xf32> [0.276326, 0.5205, 0.842701, 1]
// CHECK: output 3: tensor<4xf32> [0.5, 0.707107, 1, 2]
// CHECK: output 4: tensor<4xf32> [4, 2, 1, 0.25]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}, tensor<4xf32> {sinter.name = "y3"}, tensor<4xf32> {sinter.name = "y4"}) {
  %0 = sinter.weight dense<[2.500000e-01, 5.000000e-01, 1.000000e+00, 4.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.node "Exp"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sinter.node "Log"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "Erf"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = sinter.node "Sqrt"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = sinter.node "Reciprocal"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
