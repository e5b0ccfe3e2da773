// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The product with a gate.

// CHECK: output 0: tensor<4xf32> [-0.273638, -0.218912, 0.933689, 7.04638]
func.func @main() -> (tensor<4xf32> {sinter.name = "y0"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %2 = sinter.node "SwiGLU"(%0, %1) {attrs = {alpha = 1.000000e+00 : f32}, since = 28 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
