// RUN: sinter-opt %s --recognize-norms | FileCheck %s

// CHECK-LABEL: @rms
// CHECK: sinter.node "FusedNormalization"(%arg0, %arg1) {attrs = {centered = 0 : i64, epsilon = 9.9999997473787516E-6 : f64}, domain = "sinter", since = 1 : i64}
// CHECK: return
func.func @rms(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>) -> !sinter.any {
  %two = sinter.weight dense<2.0> : tensor<f32> : tensor<f32>
  %eps = sinter.weight dense<1.0e-5> : tensor<f32> : tensor<f32>
  %one = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %sq = sinter.node "Pow"(%x, %two) {since = 15 : i64} : (tensor<2x3x8xf32>, tensor<f32>) -> !sinter.any
  %mean = sinter.node "ReduceMean"(%sq) {attrs = {axes = array<i64: -1>, keepdims = 1 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %sum = sinter.node "Add"(%mean, %eps) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %root = sinter.node "Sqrt"(%sum) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %inv = sinter.node "Div"(%one, %root) {since = 14 : i64} : (tensor<f32>, !sinter.any) -> !sinter.any
  %n = sinter.node "Mul"(%x, %inv) {since = 14 : i64} : (tensor<2x3x8xf32>, !sinter.any) -> !sinter.any
  %y = sinter.node "Mul"(%g, %n) {since = 14 : i64} : (tensor<8xf32>, !sinter.any) -> !sinter.any
  return %y : !sinter.any
}

// CHECK-LABEL: @layer
// CHECK: sinter.node "FusedNormalization"(%arg0, %arg1, %arg2) {attrs = {centered = 1 : i64
func.func @layer(%x: tensor<2x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> !sinter.any {
  %eps = sinter.weight dense<1.0e-5> : tensor<f32> : tensor<f32>
  %last = sinter.weight dense<1> : tensor<1xsi64> : tensor<1xsi64>
  %mean = sinter.node "ReduceMean"(%x, %last) {attrs = {keepdims = 1 : i64}, since = 18 : i64} : (tensor<2x8xf32>, tensor<1xsi64>) -> tensor<2x1xf32>
  %d = sinter.node "Sub"(%x, %mean) {since = 14 : i64} : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %sq = sinter.node "Mul"(%d, %d) {since = 14 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %var = sinter.node "ReduceMean"(%sq, %last) {attrs = {keepdims = 1 : i64}, since = 18 : i64} : (tensor<2x8xf32>, tensor<1xsi64>) -> tensor<2x1xf32>
  %sum = sinter.node "Add"(%var, %eps) {since = 14 : i64} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %root = sinter.node "Sqrt"(%sum) {since = 13 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = sinter.node "Div"(%d, %root) {since = 14 : i64} : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %s = sinter.node "Mul"(%n, %g) {since = 14 : i64} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %y = sinter.node "Add"(%s, %b) {since = 14 : i64} : (tensor<2x8xf32>, tensor<8xf32>) -> !sinter.any
  return %y : !sinter.any
}

// The root is an output too: nothing is fused.
// CHECK-LABEL: @root_used
// CHECK-NOT: FusedNormalization
// CHECK: return
func.func @root_used(%x: tensor<2x8xf32>, %g: tensor<8xf32>) -> (!sinter.any, !sinter.any) {
  %eps = sinter.weight dense<1.0e-5> : tensor<f32> : tensor<f32>
  %sq = sinter.node "Mul"(%x, %x) {since = 14 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> !sinter.any
  %mean = sinter.node "ReduceMean"(%sq) {attrs = {axes = array<i64: -1>, keepdims = 1 : i64}, since = 13 : i64} : (!sinter.any) -> !sinter.any
  %sum = sinter.node "Add"(%mean, %eps) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %root = sinter.node "Sqrt"(%sum) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %n = sinter.node "Div"(%x, %root) {since = 14 : i64} : (tensor<2x8xf32>, !sinter.any) -> !sinter.any
  %y = sinter.node "Mul"(%n, %g) {since = 14 : i64} : (!sinter.any, tensor<8xf32>) -> !sinter.any
  return %y, %root : !sinter.any, !sinter.any
}

// Mean over another dim: nothing is fused.
// CHECK-LABEL: @other_dim
// CHECK-NOT: FusedNormalization
// CHECK: return
func.func @other_dim(%x: tensor<2x8xf32>, %g: tensor<8xf32>) -> !sinter.any {
  %eps = sinter.weight dense<1.0e-5> : tensor<f32> : tensor<f32>
  %sq = sinter.node "Mul"(%x, %x) {since = 14 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %mean = sinter.node "ReduceMean"(%sq) {attrs = {axes = array<i64: 0>, keepdims = 1 : i64}, since = 13 : i64} : (tensor<2x8xf32>) -> !sinter.any
  %sum = sinter.node "Add"(%mean, %eps) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %root = sinter.node "Sqrt"(%sum) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %n = sinter.node "Div"(%x, %root) {since = 14 : i64} : (tensor<2x8xf32>, !sinter.any) -> !sinter.any
  %y = sinter.node "Mul"(%n, %g) {since = 14 : i64} : (!sinter.any, tensor<8xf32>) -> !sinter.any
  return %y : !sinter.any
}
