// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
// The norm where the parameters keep the shape; where the last dim has one element and they have more, they are
// multiplied and added behind, and the result is longer.

// CHECK-LABEL: func.func @main
// CHECK: sinter.kernel "layer_norm" {{.*}}centered = true
// CHECK-NOT: linalg.generic
func.func @main(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> !sinter.any {
  %r = sinter.node "FusedNormalization"(%x, %g, %b) {domain = "sinter", since = 1 : i64, attrs = {centered = 1 : i64, epsilon = 1.0e-5 : f64}} : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: sinter.output 0 {{.*}} : memref<2x8xf32>
func.func @main(%x: tensor<2x1xf32>, %g: tensor<f32>, %b: tensor<8xf32>) -> !sinter.any {
  %r = sinter.node "FusedNormalization"(%x, %g, %b) {domain = "sinter", since = 1 : i64, attrs = {centered = 1 : i64, epsilon = 1.0e-5 : f64}} : (tensor<2x1xf32>, tensor<f32>, tensor<8xf32>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: arith.mulf
// CHECK: sinter.output 0 {{.*}} : memref<2x8xf32>
func.func @main(%x: tensor<2x1xf32>, %g: tensor<8xf32>) -> !sinter.any {
  %r = sinter.node "FusedNormalization"(%x, %g) {domain = "sinter", since = 1 : i64, attrs = {centered = 0 : i64, epsilon = 1.0e-5 : f64}} : (tensor<2x1xf32>, tensor<8xf32>) -> !sinter.any
  return %r : !sinter.any
}
