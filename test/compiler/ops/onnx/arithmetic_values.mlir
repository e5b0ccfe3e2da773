// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// By value; each broadcasts.

// CHECK: output 0: tensor<4xf32> [-1, 0.25, 1, 2.5]
// CHECK: output 1: tensor<4xf32> [-2, -0.75, 0, 1.5]
// CHECK: output 2: tensor<4xf32> [-0.75, -0.125, 0.25, 1]
// CHECK: output 3: tensor<4xf32> [-3, -0.5, 1, 4]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}, tensor<4xf32> {sinter.name = "y3"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<5.000000e-01> : tensor<1xf32> : tensor<1xf32>
  %2 = sinter.node "Add"(%0, %1) {since = 14 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %3 = sinter.node "Sub"(%0, %1) {since = 14 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %4 = sinter.node "Mul"(%0, %1) {since = 14 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %5 = sinter.node "Div"(%0, %1) {since = 14 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
