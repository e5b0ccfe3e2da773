// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The number of elements.

// CHECK: output 0: tensor<i64> [24]
func.func @main(%x: tensor<2x3x4xf32>) -> !sinter.any {
  %r = sinter.node "Size"(%x) {since = 13 : i64} : (tensor<2x3x4xf32>) -> !sinter.any
  return %r : !sinter.any
}
