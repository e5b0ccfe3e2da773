// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Repeats of each dim.

// CHECK: output 0: tensor<2x4xf32> [-2, -1.75, -2, -1.75, -2, -1.75, -2, -1.75]
func.func @main(%x: tensor<1x2xf32>) -> !sinter.any {
  %s = sinter.weight dense<[2, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Tile"(%x, %s) {since = 13 : i64} : (tensor<1x2xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
