// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Ties go to the even number.

// CHECK: output 0: tensor<4xf32> [-1, -0, 1, 3]
// CHECK: output 1: tensor<4xf32> [-2, -1, 0, 2]
// CHECK: output 2: tensor<4xf32> [-2, -0, 0, 2]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.500000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.node "Ceil"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sinter.node "Floor"(%0) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "Round"(%0) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
