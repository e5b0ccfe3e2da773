// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Overlapping windows add up.

// CHECK: output 0: tensor<1x1x3x3xf32> [-2, -2.75, -0.75, -1.5, -0.5, 1, 0.5, 2.25, 1.75]
func.func @main(%x: tensor<1x4x4xf32>) -> !sinter.any {
  %s = sinter.weight dense<[3, 3]> : tensor<2xi64> : tensor<2xsi64>
  %k = sinter.weight dense<[2, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Col2Im"(%x, %s, %k) {since = 18 : i64} : (tensor<1x4x4xf32>, tensor<2xsi64>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
