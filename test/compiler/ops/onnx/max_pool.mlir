// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// A pool, a reduction, or a kernel with the places as a second output.

// CHECK: sinter.pool max ins(
func.func @main(%x: tensor<1x1x4x4xf32>) -> !sinter.any {
  %r = sinter.node "MaxPool"(%x) {since = 12 : i64, attrs = {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, ceil_mode = 0 : i64}} : (tensor<1x1x4x4xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: sinter.kernel "max_pool_indices" ins(
// CHECK: tensor<1x1x3xi64>
func.func @main(%x: tensor<1x1x5xf32>) -> (!sinter.any, !sinter.any) {
  %r:2 = sinter.node "MaxPool"(%x) {since = 12 : i64, attrs = {kernel_shape = array<i64: 2>, strides = array<i64: 2>, ceil_mode = 1 : i64}} : (tensor<1x1x5xf32>) -> (!sinter.any, !sinter.any)
  return %r#0, %r#1 : !sinter.any, !sinter.any
}

// -----

// One window, of all: a reduction, as GlobalMaxPool is.
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK-NOT: sinter.pool
func.func @main(%x: tensor<8x6x2x3xf32>) -> !sinter.any {
  %r = sinter.node "MaxPool"(%x) {since = 12 : i64, attrs = {kernel_shape = array<i64: 2, 3>, strides = array<i64: 2, 3>}} : (tensor<8x6x2x3xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @main(%x: tensor<2x6x2x3xf32>) -> !sinter.any {
  %r = sinter.node "GlobalMaxPool"(%x) {since = 22 : i64} : (tensor<2x6x2x3xf32>) -> !sinter.any
  return %r : !sinter.any
}
