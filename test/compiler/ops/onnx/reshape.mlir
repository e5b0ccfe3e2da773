// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// 0 keeps a dim, -1 is what is left.

// CHECK: output 0: tensor<2x12xf32> [-2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1,
func.func @main(%x: tensor<2x3x4xf32>) -> !sinter.any {
  %s = sinter.weight dense<[0, -1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Reshape"(%x, %s) {since = 14 : i64} : (tensor<2x3x4xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
