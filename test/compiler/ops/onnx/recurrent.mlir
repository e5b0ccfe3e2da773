// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The input products of all steps are one product; a loop runs the cell.

// CHECK: output 0: tensor<3x1x1x2xf32> [-3, -2.5625, -2, -1.625, -1, -0.75]
// CHECK: output 1: tensor<1x1x2xf32> [-3, -2.5625]
func.func @main(%x: tensor<3x1x2xf32>) -> (!sinter.any, !sinter.any) {
  %w = sinter.weight dense<[[[1.0, 0.0], [0.0, 1.0]]]> : tensor<1x2x2xf32> : tensor<1x2x2xf32>
  %u = sinter.weight dense<[[[0.5, 0.0], [0.0, 0.5]]]> : tensor<1x2x2xf32> : tensor<1x2x2xf32>
  %r:2 = sinter.node "RNN"(%x, %w, %u) {since = 14 : i64, attrs = {hidden_size = 2 : i64, activations = ["Affine"], direction = "reverse"}} : (tensor<3x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> (!sinter.any, !sinter.any)
  return %r#0, %r#1 : !sinter.any, !sinter.any
}
