// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Two steps of each cell, with one unit.

// CHECK: output 0: tensor<2x1x1x1xf32> [0.0924668, -0.0193261]
// CHECK: output 1: tensor<2x1x1x1xf32> [0.144448, -0.02338]
// CHECK: output 2: tensor<2x1x1x1xf32> [0.462117, -0.133666]
func.func @main() -> (tensor<2x1x1x1xf32> {sinter.name = "y0"}, tensor<2x1x1x1xf32> {sinter.name = "y1"}, tensor<2x1x1x1xf32> {sinter.name = "y2"}) {
  %0 = sinter.weight dense<[[[1.000000e+00]], [[-5.000000e-01]]]> : tensor<2x1x1xf32> : tensor<2x1x1xf32>
  %1 = sinter.weight dense<[[[5.000000e-01], [-1.000000e+00], [2.500000e-01]]]> : tensor<1x3x1xf32> : tensor<1x3x1xf32>
  %2 = sinter.weight dense<[[[1.000000e-01], [2.000000e-01], [3.000000e-01]]]> : tensor<1x3x1xf32> : tensor<1x3x1xf32>
  %3 = sinter.weight dense<5.000000e-01> : tensor<1x1x1xf32> : tensor<1x1x1xf32>
  %4 = sinter.weight dense<2.500000e-01> : tensor<1x1x1xf32> : tensor<1x1x1xf32>
  %5 = sinter.weight dense<[[[5.000000e-01], [-1.000000e+00], [2.500000e-01], [2.000000e+00]]]> : tensor<1x4x1xf32> : tensor<1x4x1xf32>
  %6 = sinter.weight dense<[[[1.000000e-01], [2.000000e-01], [3.000000e-01], [4.000000e-01]]]> : tensor<1x4x1xf32> : tensor<1x4x1xf32>
  %7:2 = sinter.node "GRU"(%0, %1, %2) {attrs = {direction = "forward", hidden_size = 1 : i64, layout = 0 : i64, linear_before_reset = 0 : i64}, output_names = ["y0", "h"], since = 22 : i64} : (tensor<2x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> (tensor<2x1x1x1xf32>, !sinter.any)
  %8:3 = sinter.node "LSTM"(%0, %5, %6) {attrs = {direction = "forward", hidden_size = 1 : i64, input_forget = 0 : i64, layout = 0 : i64}, output_names = ["y1", "i", "c"], since = 22 : i64} : (tensor<2x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>) -> (tensor<2x1x1x1xf32>, !sinter.any, !sinter.any)
  %9:2 = sinter.node "RNN"(%0, %3, %4) {attrs = {activations = ["Tanh", "Tanh"], direction = "forward", hidden_size = 1 : i64, layout = 0 : i64}, output_names = ["y2", "j"], since = 22 : i64} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (tensor<2x1x1x1xf32>, !sinter.any)
  return %7#0, %8#0, %9#0 : tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>
}
