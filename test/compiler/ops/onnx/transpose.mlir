// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Named, or reversed.

// CHECK: output 0: tensor<2x4x3xf32> [-2, -1, 0, -1.75, -0.75, 0.25, -1.5, -0.5, 0.5, -1.25, -0.25, 0.75, 1,
func.func @main(%x: tensor<2x3x4xf32>) -> !sinter.any {
  %r = sinter.node "Transpose"(%x) {since = 13 : i64, attrs = {perm = array<i64: 0, 2, 1>}} : (tensor<2x3x4xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<4x3x2xf32> [-2, 1, -1, 2, 0, -1.25, -1.75, 1.25, -0.75, -2, 0.25, -1, -1.5, 1.5,
func.func @main(%x: tensor<2x3x4xf32>) -> !sinter.any {
  %r = sinter.node "Transpose"(%x) {since = 1 : i64} : (tensor<2x3x4xf32>) -> !sinter.any
  return %r : !sinter.any
}
