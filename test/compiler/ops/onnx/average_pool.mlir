// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// Means over windows are pools; global ones are reductions.

// CHECK: sinter.pool average ins(
func.func @main(%x: tensor<1x1x4x4xf32>) -> !sinter.any {
  %r = sinter.node "AveragePool"(%x) {since = 19 : i64, attrs = {kernel_shape = array<i64: 2, 2>, count_include_pad = 1 : i64}} : (tensor<1x1x4x4xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: arith.addf
// CHECK: arith.divf
func.func @main(%x: tensor<1x2x2x2xf32>) -> !sinter.any {
  %r = sinter.node "GlobalAveragePool"(%x) {since = 1 : i64} : (tensor<1x2x2x2xf32>) -> !sinter.any
  return %r : !sinter.any
}
