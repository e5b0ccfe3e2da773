// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Dims of size 1 at places of the result.

// CHECK: output 0: tensor<1x3x1xf32> [-2, -1.75, -1.5]
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %a = sinter.weight dense<[0, -1]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Unsqueeze"(%x, %a) {since = 13 : i64} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
