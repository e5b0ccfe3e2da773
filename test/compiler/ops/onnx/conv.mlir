// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Pads, strides and the bias.

// CHECK: output 0: tensor<1x1x2x3xf32> [-12.5, -10.75, -4, -5.25, -2.75, -0.25]
func.func @main(%x: tensor<1x1x3x3xf32>) -> !sinter.any {
  %w = sinter.weight dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32> : tensor<1x1x2x2xf32>
  %b = sinter.weight dense<[0.5]> : tensor<1xf32> : tensor<1xf32>
  %r = sinter.node "Conv"(%x, %w, %b) {since = 11 : i64, attrs = {group = 1 : i64, pads = array<i64: 1, 0, 0, 1>, strides = array<i64: 2, 1>}} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1x1x3x3xf32> [-8, -13, -11.25, -9, -13.25, -10.75, -4.5, -5.75, -3.25]
func.func @main(%x: tensor<1x1x3x3xf32>) -> !sinter.any {
  %w = sinter.weight dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32> : tensor<1x1x2x2xf32>
  %r = sinter.node "Conv"(%x, %w) {since = 22 : i64, attrs = {group = 1 : i64, auto_pad = "SAME_LOWER"}} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}
