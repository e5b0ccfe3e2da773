// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Negative indices count from the end.

// CHECK: output 0: tensor<2x1x2x4xf32> [-2, -1.75, -1.5, -1.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75,
func.func @main(%x: tensor<2x3x4xf32>) -> !sinter.any {
  %i = sinter.weight dense<[[0, -1]]> : tensor<1x2xi64> : tensor<1x2xsi64>
  %r = sinter.node "Gather"(%x, %i) {since = 13 : i64, attrs = {axis = 1 : i64}} : (tensor<2x3x4xf32>, tensor<1x2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<2x2xf32> [-2, -2, -1.25, -1.5]
func.func @main(%x: tensor<2x2xf32>) -> !sinter.any {
  %i = sinter.weight dense<[[0, 0], [1, 0]]> : tensor<2x2xi64> : tensor<2x2xsi64>
  %r = sinter.node "GatherElements"(%x, %i) {since = 13 : i64, attrs = {axis = 1 : i64}} : (tensor<2x2xf32>, tensor<2x2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1x4xf32> [-1.25, -1, -0.75, -0.5]
func.func @main(%x: tensor<2x3x4xf32>) -> !sinter.any {
  %i = sinter.weight dense<[[1, -1]]> : tensor<1x2xi64> : tensor<1x2xsi64>
  %r = sinter.node "GatherND"(%x, %i) {since = 13 : i64, attrs = {batch_dims = 0 : i64}} : (tensor<2x3x4xf32>, tensor<1x2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
