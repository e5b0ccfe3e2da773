// RUN: sinter-opt %s --split-input-file --convert-nodes --interpret -o /dev/null | FileCheck %s
// The last of num_outputs parts may be smaller; given sizes.

// CHECK: output 0: tensor<3xf32> [-2, -1.75, -1.5]
// CHECK: output 1: tensor<2xf32> [-1.25, -1]
func.func @main(%x: tensor<5xf32>) -> (!sinter.any, !sinter.any) {
  %r:2 = sinter.node "Split"(%x) {since = 18 : i64, attrs = {num_outputs = 2 : i64}} : (tensor<5xf32>) -> (!sinter.any, !sinter.any)
  return %r#0, %r#1 : !sinter.any, !sinter.any
}

// -----

// CHECK: output 0: tensor<4xf32> [-2, -1.75, -1.5, -1.25]
// CHECK: output 1: tensor<1xf32> [-1]
func.func @main(%x: tensor<5xf32>) -> (!sinter.any, !sinter.any) {
  %s = sinter.weight dense<[4, 1]> : tensor<2xi64> : tensor<2xsi64>
  %r:2 = sinter.node "Split"(%x, %s) {since = 13 : i64} : (tensor<5xf32>, tensor<2xsi64>) -> (!sinter.any, !sinter.any)
  return %r#0, %r#1 : !sinter.any, !sinter.any
}
