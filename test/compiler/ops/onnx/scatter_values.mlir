// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The older and the newer name of one operator.

// CHECK: output 0: tensor<4xf32> [8, -0.25, 0.5, 7]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<[3, 0]> : tensor<2xsi64> : tensor<2xsi64>
  %2 = sinter.weight dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32> : tensor<2xf32>
  %3 = sinter.node "Scatter"(%0, %1, %2) {attrs = {axis = 0 : i64}, since = 9 : i64} : (tensor<4xf32>, tensor<2xsi64>, tensor<2xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
