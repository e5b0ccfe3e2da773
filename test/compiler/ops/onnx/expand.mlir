// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Broadcast with a shape.

// CHECK: output 0: tensor<2x3x2xf32> [-2, -2, -1.75, -1.75, -1.5, -1.5, -2, -2, -1.75, -1.75, -1.5, -1.5]
func.func @main(%x: tensor<3x1xf32>) -> !sinter.any {
  %s = sinter.weight dense<[2, 1, 2]> : tensor<3xi64> : tensor<3xsi64>
  %r = sinter.node "Expand"(%x, %s) {since = 13 : i64} : (tensor<3x1xf32>, tensor<3xsi64>) -> !sinter.any
  return %r : !sinter.any
}
