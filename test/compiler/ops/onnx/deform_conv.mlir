// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Offsets of 0 leave a convolution.

// CHECK: output 0: tensor<1x1x2x2xf32> [-13.25, -10.75, -5.75, -3.25]
func.func @main(%x: tensor<1x1x3x3xf32>) -> !sinter.any {
  %w = sinter.weight dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32> : tensor<1x1x2x2xf32>
  %o = sinter.weight dense<0.0> : tensor<1x8x2x2xf32> : tensor<1x8x2x2xf32>
  %r = sinter.node "DeformConv"(%x, %w, %o) {since = 19 : i64, attrs = {group = 1 : i64, offset_group = 1 : i64}} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1x8x2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}
