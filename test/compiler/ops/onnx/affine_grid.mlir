// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The identity gives positions between -1 and 1.

// CHECK: output 0: tensor<1x2x2x2xf32> [-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5]
func.func @main() -> !sinter.any {
  %t = sinter.weight dense<[[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]> : tensor<1x2x3xf32> : tensor<1x2x3xf32>
  %s = sinter.weight dense<[1, 1, 2, 2]> : tensor<4xi64> : tensor<4xsi64>
  %r = sinter.node "AffineGrid"(%t, %s) {since = 20 : i64, attrs = {align_corners = 0 : i64}} : (tensor<1x2x3xf32>, tensor<4xsi64>) -> !sinter.any
  return %r : !sinter.any
}
