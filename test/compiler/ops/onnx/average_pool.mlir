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

// -----

// A window that covers all of x, as exporters write with ceil_mode and any large kernel, is a mean, too; not with pads
// that count.
// CHECK: func.func @main() attributes {sinter.inputs = [{dims = [1, 2, 7, 7]
// CHECK-NOT: sinter.pool
// CHECK: arith.divf
func.func @main(%x: tensor<1x2x7x7xf32>) -> !sinter.any {
  %r = sinter.node "AveragePool"(%x) {since = 19 : i64, attrs = {kernel_shape = array<i64: 1280, 1280>, strides = array<i64: 1280, 1280>, ceil_mode = 1 : i64}} : (tensor<1x2x7x7xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: func.func @main() attributes {sinter.inputs = [{dims = [1, 2, 7]
// CHECK: sinter.pool average
func.func @main(%x: tensor<1x2x7xf32>) -> !sinter.any {
  %r = sinter.node "AveragePool"(%x) {since = 19 : i64, attrs = {kernel_shape = array<i64: 9>, pads = array<i64: 1, 1>, count_include_pad = 1 : i64}} : (tensor<1x2x7xf32>) -> !sinter.any
  return %r : !sinter.any
}
