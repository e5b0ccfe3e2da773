// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// Places at capacity, and the count that ran.

// CHECK: sinter.kernel "non_zero" ins(
// CHECK: sinter.bound
// CHECK: tensor<2x?xi64>
func.func @main(%x: tensor<2x3xf32>) -> !sinter.any {
  %r = sinter.node "NonZero"(%x) {since = 13 : i64} : (tensor<2x3xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: sinter.kernel "non_zero" ins(
// CHECK: sinter.check_index
func.func @main(%x: tensor<2x3xf32>, %c: tensor<3xi1>) -> !sinter.any {
  %r = sinter.node "Compress"(%x, %c) {since = 11 : i64, attrs = {axis = 1 : i64}} : (tensor<2x3xf32>, tensor<3xi1>) -> !sinter.any
  return %r : !sinter.any
}
