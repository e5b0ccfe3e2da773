// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// Kernels on a copy of data.

// CHECK: sinter.kernel "scatter_elements" ins(
// CHECK: reduction = 1 : i64
func.func @main(%x: tensor<2x3xf32>, %i: tensor<1x2xsi64>, %u: tensor<1x2xf32>) -> !sinter.any {
  %r = sinter.node "ScatterElements"(%x, %i, %u) {since = 18 : i64, attrs = {axis = 0 : i64, reduction = "add"}} : (tensor<2x3xf32>, tensor<1x2xsi64>, tensor<1x2xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: sinter.kernel "scatter_nd" ins(
func.func @main(%x: tensor<2x3xf32>, %i: tensor<4x1xsi64>, %u: tensor<4x3xf32>) -> !sinter.any {
  %r = sinter.node "ScatterND"(%x, %i, %u) {since = 18 : i64, attrs = {reduction = "none"}} : (tensor<2x3xf32>, tensor<4x1xsi64>, tensor<4x3xf32>) -> !sinter.any
  return %r : !sinter.any
}
