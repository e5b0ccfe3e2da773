// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// By value.

// CHECK: output 0: tensor<1x1x4xf32> [0.294884, 0.589768, 2.35907, 2.94884]
// CHECK: output 1: tensor<1x1x4xf32> [-1.18321, -0.507091, 0.338061, 4.04255]
func.func @main() -> (tensor<1x1x4xf32> {sinter.name = "y0"}, tensor<1x1x4xf32> {sinter.name = "y1"}) {
  %0 = sinter.weight dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32> : tensor<1x1x4xf32>
  %1 = sinter.weight dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32> : tensor<1x1x4xf32>
  %2 = sinter.weight dense<[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %3 = sinter.weight dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %4 = sinter.weight dense<1> : tensor<1x1xsi32> : tensor<1x1xsi32>
  %5 = sinter.weight dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [1.000000e+00, 2.000000e+00, 3.000000e+00, 5.000000e+00]]> : tensor<2x4xf32> : tensor<2x4xf32>
  %6 = sinter.weight dense<0> : tensor<1x1xsi32> : tensor<1x1xsi32>
  %7 = sinter.node "SkipSimplifiedLayerNormalization"(%0, %1, %2) {attrs = {epsilon = 9.99999974E-6 : f32}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<4xf32>) -> tensor<1x1x4xf32>
  %8 = sinter.absent
  %9 = sinter.absent
  %10:2 = sinter.node "EmbedLayerNormalization"(%4, %8, %5, %5, %9, %2, %3) {attrs = {epsilon = 9.99999974E-6 : f32}, domain = "com.microsoft", output_names = ["y1", "mask"], since = 1 : i64} : (tensor<1x1xsi32>, !sinter.absent, tensor<2x4xf32>, tensor<2x4xf32>, !sinter.absent, tensor<4xf32>, tensor<4xf32>) -> (tensor<1x1x4xf32>, !sinter.any)
  return %7, %10#0 : tensor<1x1x4xf32>, tensor<1x1x4xf32>
}
