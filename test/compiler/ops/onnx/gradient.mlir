// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// Sums over what was broadcast: dims in front, dims of 1, nothing, and a dim that only a call knows to be 1 or the other's. Products for vectors and
// batches. Values: test/compiler/graph/differentiate.test.

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel"]
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: sinter.output 0 {{.*}} : memref<3x1xf32>
func.func @main(%x: tensor<2x3x4xf32>, %like: tensor<3x1xf32>) -> !sinter.any {
  %r = sinter.node "SumLike"(%x, %like) {domain = "sinter", since = 1 : i64} : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-NOT: "reduction"
// CHECK: sinter.output 0 {{.*}} : memref<?xf32>
func.func @main(%x: tensor<?xf32> {sinter.dims = ["n"]}, %like: tensor<?xf32> {sinter.dims = ["n"]}) -> !sinter.any attributes {sinter.dim_bounds = {n = array<i64: 1, 4>}} {
  %r = sinter.node "SumLike"(%x, %like) {domain = "sinter", since = 1 : i64} : (tensor<?xf32>, tensor<?xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: sinter.matmul
// CHECK: sinter.output 0 {{.*}} : memref<4xf32>
func.func @main(%dy: tensor<3x5xf32>, %b: tensor<3x4x5xf32>, %a: tensor<4xf32>) -> !sinter.any {
  %r = sinter.node "MatMulLeft"(%dy, %b, %a) {domain = "sinter", since = 1 : i64} : (tensor<3x5xf32>, tensor<3x4x5xf32>, tensor<4xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: sinter.matmul
// CHECK: "reduction"
// CHECK: sinter.output 0 {{.*}} : memref<4x5xf32>
func.func @main(%a: tensor<3x2x4xf32>, %dy: tensor<3x2x5xf32>, %b: tensor<4x5xf32>) -> !sinter.any {
  %r = sinter.node "MatMulRight"(%a, %dy, %b) {domain = "sinter", since = 1 : i64} : (tensor<3x2x4xf32>, tensor<3x2x5xf32>, tensor<4x5xf32>) -> !sinter.any
  return %r : !sinter.any
}
