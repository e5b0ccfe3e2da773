// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// One step of each.

// CHECK: output 0: tensor<1xf32> [0.589003]
// CHECK: output 1: tensor<1xf32> [9.25]
// CHECK: output 2: tensor<1xf32> [0.353803]
// CHECK: output 3: tensor<1xf32> [2.9]
// CHECK: output 4: tensor<1xf32> [0.5035]
func.func @main() -> (tensor<1xf32> {sinter.name = "y0"}, tensor<1xf32> {sinter.name = "y1"}, tensor<1xf32> {sinter.name = "y2"}, tensor<1xf32> {sinter.name = "y3"}, tensor<1xf32> {sinter.name = "y4"}) {
  %0 = sinter.weight dense<5.000000e-01> : tensor<f32> : tensor<f32>
  %1 = sinter.weight dense<1> : tensor<si64> : tensor<si64>
  %2 = sinter.weight dense<1.000000e+00> : tensor<1xf32> : tensor<1xf32>
  %3 = sinter.weight dense<2.000000e+00> : tensor<1xf32> : tensor<1xf32>
  %4 = sinter.weight dense<3.000000e+00> : tensor<1xf32> : tensor<1xf32>
  %5 = sinter.weight dense<5.000000e-01> : tensor<1xf32> : tensor<1xf32>
  %6:2 = sinter.node "Adagrad"(%0, %1, %2, %3, %4) {attrs = {decay_factor = 0.000000e+00 : f32, epsilon = 9.99999997E-7 : f32, norm_coefficient = 5.000000e-01 : f32}, domain = "ai.onnx.preview.training", output_names = ["y0", "y1"], since = 1 : i64} : (tensor<f32>, tensor<si64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  %7:3 = sinter.node "Adam"(%0, %1, %2, %3, %4, %5) {attrs = {alpha = 0.899999976 : f32, beta = 9.990000e-01 : f32, epsilon = 9.99999997E-7 : f32, norm_coefficient = 0.000000e+00 : f32, norm_coefficient_post = 0.000000e+00 : f32}, domain = "ai.onnx.preview.training", output_names = ["y2", "y3", "y4"], since = 1 : i64} : (tensor<f32>, tensor<si64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return %6#0, %6#1, %7#0, %7#1, %7#2 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}
