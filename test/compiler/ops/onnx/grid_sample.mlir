// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Linear taps, zeros outside.

// CHECK: output 0: tensor<1x1x1x2xf32> [-1, -0.125]
func.func @main(%x: tensor<1x1x3x3xf32>) -> !sinter.any {
  %g = sinter.weight dense<[[[[0.0, 0.0], [-1.0, 1.0]]]]> : tensor<1x1x2x2xf32> : tensor<1x1x2x2xf32>
  %r = sinter.node "GridSample"(%x, %g) {since = 20 : i64, attrs = {mode = "linear", padding_mode = "zeros", align_corners = 0 : i64}} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1x1x1x2xf32> [-0.75, -0.5]
func.func @main(%x: tensor<1x1x3x3xf32>) -> !sinter.any {
  %g = sinter.weight dense<[[[[0.5, 2.0], [-1.0, 1.0]]]]> : tensor<1x1x2x2xf32> : tensor<1x1x2x2xf32>
  %r = sinter.node "GridSample"(%x, %g) {since = 16 : i64, attrs = {mode = "nearest", padding_mode = "reflection", align_corners = 1 : i64}} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// Cubic taps at the border keep the weights of a position outside of it, as in PyTorch; however far it is, they sum to 1.
// CHECK: output 0: tensor<1x1x1x2xf32> [-2.07031, -2]
func.func @main(%x: tensor<1x1x3x3xf32>) -> !sinter.any {
  %g = sinter.weight dense<[[[[-1.0e9, -1.0], [-1.3333334, -0.6666667]]]]> : tensor<1x1x2x2xf32> : tensor<1x1x2x2xf32>
  %r = sinter.node "GridSample"(%x, %g) {since = 20 : i64, attrs = {mode = "cubic", padding_mode = "border", align_corners = 0 : i64}} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}
