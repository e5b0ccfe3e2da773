// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Each of the family, by value.

// CHECK: output 0: tensor<4xf32> [-0.100211, -0.100323, 0.345731, 1.9545]
// CHECK: output 1: tensor<4xf32> [-0.154269, -0.100323, 0.345731, 0.841345]
// CHECK: output 2: tensor<4xf32> [-0.154286, -0.100325, 0.345714, 0.841192]
// CHECK: output 3: tensor<4xf32> [-0.143024, -0.101833, 0.339589, 1.90515]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}, tensor<4xf32> {sinter.name = "y3"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<[1.000000e+00, 0.000000e+00, 0.000000e+00, -1.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %2 = sinter.node "Gelu"(%0) {domain = "com.microsoft", since = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "BiasGelu"(%0, %1) {domain = "com.microsoft", since = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = sinter.node "FastGelu"(%0, %1) {domain = "com.microsoft", since = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = sinter.node "QuickGelu"(%0) {attrs = {alpha = 1.500000e+00 : f32}, domain = "com.microsoft", since = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
