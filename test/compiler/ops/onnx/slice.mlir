// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// Forward from the end, backward, and attributes.

// CHECK: output 0: tensor<2x2xf32> [-1.5, -1, -0.25, 0.25]
func.func @main(%x: tensor<2x5xf32>) -> !sinter.any {
  %s = sinter.weight dense<[-3]> : tensor<1xi64> : tensor<1xsi64>
  %e = sinter.weight dense<[99]> : tensor<1xi64> : tensor<1xsi64>
  %a = sinter.weight dense<[1]> : tensor<1xi64> : tensor<1xsi64>
  %p = sinter.weight dense<[2]> : tensor<1xi64> : tensor<1xsi64>
  %r = sinter.node "Slice"(%x, %s, %e, %a, %p) {since = 13 : i64} : (tensor<2x5xf32>, tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<2x3xf32> [-1, -1.5, -2, 0.25, -0.25, -0.75]
func.func @main(%x: tensor<2x5xf32>) -> !sinter.any {
  %s = sinter.weight dense<[-1]> : tensor<1xi64> : tensor<1xsi64>
  %e = sinter.weight dense<[-99]> : tensor<1xi64> : tensor<1xsi64>
  %a = sinter.weight dense<[1]> : tensor<1xi64> : tensor<1xsi64>
  %p = sinter.weight dense<[-2]> : tensor<1xi64> : tensor<1xsi64>
  %r = sinter.node "Slice"(%x, %s, %e, %a, %p) {since = 13 : i64} : (tensor<2x5xf32>, tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>, tensor<1xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: output 0: tensor<1x3xf32> [-0.75, -0.5, -0.25]
func.func @main(%x: tensor<2x5xf32>) -> !sinter.any {
  %r = sinter.node "Slice"(%x) {since = 1 : i64, attrs = {starts = array<i64: 1, 0>, ends = array<i64: 2, -2>}} : (tensor<2x5xf32>) -> !sinter.any
  return %r : !sinter.any
}
