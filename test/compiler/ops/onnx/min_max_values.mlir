// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Of any number of operands.

// CHECK: output 0: tensor<4xf32> [0.25, 0.25, 1, 3]
// CHECK: output 1: tensor<4xf32> [-1.5, -1, 0.25, 0.25]
// CHECK: output 2: tensor<4xf32> [-1.25, -1, 1.75, 5.25]
// CHECK: output 3: tensor<4xf32> [-0.416667, -0.333333, 0.583333, 1.75]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}, tensor<4xf32> {sinter.name = "y3"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<[0.000000e+00, -1.000000e+00, 1.000000e+00, 3.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %2 = sinter.weight dense<2.500000e-01> : tensor<1xf32> : tensor<1xf32>
  %3 = sinter.node "Max"(%0, %1, %2) {since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %4 = sinter.node "Min"(%0, %1, %2) {since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %5 = sinter.node "Sum"(%0, %1, %2) {since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %6 = sinter.node "Mean"(%0, %1, %2) {since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %3, %4, %5, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
