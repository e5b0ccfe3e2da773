// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Named dims, or all of size 1.

// CHECK: output 0: tensor<1x3xf32> [-2, -1.75, -1.5]
func.func @main(%x: tensor<1x3x1xf32>) -> !sinter.any {
  %a = sinter.weight dense<[-1]> : tensor<1xi64> : tensor<1xsi64>
  %r = sinter.node "Squeeze"(%x, %a) {since = 13 : i64} : (tensor<1x3x1xf32>, tensor<1xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<3xf32> [-2, -1.75, -1.5]
func.func @main(%x: tensor<1x3x1xf32>) -> !sinter.any {
  %r = sinter.node "Squeeze"(%x) {since = 1 : i64} : (tensor<1x3x1xf32>) -> !sinter.any
  return %r : !sinter.any
}
