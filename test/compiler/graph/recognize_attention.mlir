// RUN: sinter-opt %s --recognize-attention | FileCheck %s

// CHECK-LABEL: @sdpa
// CHECK: sinter.node "FusedAttention"(%arg0, %arg1, %arg2, %arg3) {attrs = {scale = 2.500000e-01 : f64, zero_masked_rows = 1 : i64}, domain = "sinter"
// CHECK-NOT: Softmax
func.func @sdpa(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x8x4xf32>, %mask: tensor<8x8xf32>) -> !sinter.any {
  %half = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %zero = sinter.weight dense<0.0> : tensor<f32> : tensor<f32>
  %qs = sinter.node "Mul"(%q, %half) {since = 14 : i64} : (tensor<1x2x8x4xf32>, tensor<f32>) -> !sinter.any
  %ks = sinter.node "Mul"(%k, %half) {since = 14 : i64} : (tensor<1x2x4x8xf32>, tensor<f32>) -> !sinter.any
  %s = sinter.node "MatMul"(%qs, %ks) {since = 13 : i64} : (!sinter.any, !sinter.any) -> !sinter.any
  %m = sinter.node "Add"(%s, %mask) {since = 14 : i64} : (!sinter.any, tensor<8x8xf32>) -> !sinter.any
  %p = sinter.node "Softmax"(%m) {attrs = {axis = -1 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %n = sinter.node "IsNaN"(%p) {since = 20 : i64} : (!sinter.any) -> !sinter.any
  %g = sinter.node "Where"(%n, %zero, %p) {since = 16 : i64} : (!sinter.any, tensor<f32>, !sinter.any) -> !sinter.any
  %y = sinter.node "MatMul"(%g, %v) {since = 13 : i64} : (!sinter.any, tensor<1x2x8x4xf32>) -> !sinter.any
  return %y : !sinter.any
}

// The probabilities are an output too: nothing is fused.
// CHECK-LABEL: @probabilities_used
// CHECK: Softmax
func.func @probabilities_used(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x8x4xf32>) -> (!sinter.any, !sinter.any) {
  %s = sinter.node "MatMul"(%q, %k) {since = 13 : i64} : (tensor<1x2x8x4xf32>, tensor<1x2x4x8xf32>) -> !sinter.any
  %p = sinter.node "Softmax"(%s) {attrs = {axis = -1 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %y = sinter.node "MatMul"(%p, %v) {since = 13 : i64} : (!sinter.any, tensor<1x2x8x4xf32>) -> !sinter.any
  return %y, %p : !sinter.any, !sinter.any
}

// A factor that adds a dim to the scores is no factor: the fused operator would lose it.
// CHECK-LABEL: @wider_factor
// CHECK-NOT: FusedAttention
func.func @wider_factor(%q: tensor<2x3x4xf32>, %k: tensor<2x4x5xf32>, %v: tensor<2x5x4xf32>) -> !sinter.any {
  %half = sinter.weight dense<0.5> : tensor<6x1x1x1xf32> : tensor<6x1x1x1xf32>
  %s = sinter.node "MatMul"(%q, %k) {since = 13 : i64} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %m = sinter.node "Mul"(%s, %half) {since = 14 : i64} : (tensor<2x3x5xf32>, tensor<6x1x1x1xf32>) -> tensor<6x2x3x5xf32>
  %p = sinter.node "Softmax"(%m) {since = 13 : i64, attrs = {axis = -1 : i64}} : (tensor<6x2x3x5xf32>) -> tensor<6x2x3x5xf32>
  %y = sinter.node "MatMul"(%p, %v) {since = 13 : i64} : (tensor<6x2x3x5xf32>, tensor<2x5x4xf32>) -> !sinter.any
  return %y : !sinter.any
}
