// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Strides spread the input.

// CHECK: output 0: tensor<1x1x4x3xf32> [-4, -1.75, -3.5, -8, -5.25, -7, -3, -1.25, -2.5, -6, -3.75, -5]
func.func @main(%x: tensor<1x1x2x2xf32>) -> !sinter.any {
  %w = sinter.weight dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32> : tensor<1x1x2x2xf32>
  %r = sinter.node "ConvTranspose"(%x, %w) {since = 11 : i64, attrs = {group = 1 : i64, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 0, 0>}} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}
