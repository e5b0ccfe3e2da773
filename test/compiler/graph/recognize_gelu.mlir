// RUN: sinter-opt %s --split-input-file --recognize-gelu | FileCheck %s
// The three orders of the factors; what is no Gelu, or has other users in between, stays.

// CHECK-LABEL: @half_first
// CHECK: %[[Y:.*]] = sinter.node "Gelu"(%arg0) {attrs = {approximate = "none"}, since = 20 : i64}
// CHECK: return %[[Y]]
func.func @half_first(%x: tensor<4xf32>) -> !sinter.any {
  %root = sinter.weight dense<1.41421354> : tensor<f32> : tensor<f32>
  %one = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %half = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %q = sinter.node "Div"(%x, %root) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %e = sinter.node "Erf"(%q) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %s = sinter.node "Add"(%e, %one) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %h = sinter.node "Mul"(%x, %half) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %y = sinter.node "Mul"(%h, %s) {since = 14 : i64} : (!sinter.any, !sinter.any) -> !sinter.any
  return %y : !sinter.any
}

// -----

// CHECK-LABEL: @half_last
// CHECK: sinter.node "Gelu"(%arg0)
func.func @half_last(%x: tensor<4xf32>) -> !sinter.any {
  %root = sinter.weight dense<0.707106769> : tensor<f32> : tensor<f32>
  %one = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %half = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %q = sinter.node "Mul"(%root, %x) {since = 14 : i64} : (tensor<f32>, tensor<4xf32>) -> !sinter.any
  %e = sinter.node "Erf"(%q) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %s = sinter.node "Add"(%one, %e) {since = 14 : i64} : (tensor<f32>, !sinter.any) -> !sinter.any
  %h = sinter.node "Mul"(%x, %s) {since = 14 : i64} : (tensor<4xf32>, !sinter.any) -> !sinter.any
  %y = sinter.node "Mul"(%h, %half) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  return %y : !sinter.any
}

// -----

// CHECK-LABEL: @half_between
// CHECK: sinter.node "Gelu"(%arg0)
func.func @half_between(%x: tensor<4xf32>) -> !sinter.any {
  %root = sinter.weight dense<1.41421354> : tensor<f32> : tensor<f32>
  %one = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %half = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %q = sinter.node "Div"(%x, %root) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %e = sinter.node "Erf"(%q) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %s = sinter.node "Add"(%e, %one) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %h = sinter.node "Mul"(%s, %half) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %y = sinter.node "Mul"(%x, %h) {since = 14 : i64} : (tensor<4xf32>, !sinter.any) -> !sinter.any
  return %y : !sinter.any
}

// -----

// CHECK-LABEL: @stays
// CHECK-NOT: "Gelu"
// CHECK: return
func.func @stays(%x: tensor<4xf32>, %z: tensor<4xf32>) -> (!sinter.any, !sinter.any, !sinter.any, !sinter.any) {
  %root = sinter.weight dense<1.41421354> : tensor<f32> : tensor<f32>
  %other = sinter.weight dense<1.41> : tensor<f32> : tensor<f32>
  %one = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %half = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %q0 = sinter.node "Div"(%x, %other) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %e0 = sinter.node "Erf"(%q0) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %s0 = sinter.node "Add"(%e0, %one) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %h0 = sinter.node "Mul"(%x, %half) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %y0 = sinter.node "Mul"(%h0, %s0) {since = 14 : i64} : (!sinter.any, !sinter.any) -> !sinter.any
  %q1 = sinter.node "Div"(%x, %root) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %e1 = sinter.node "Erf"(%q1) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %s1 = sinter.node "Add"(%e1, %one) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %h1 = sinter.node "Mul"(%z, %half) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %y1 = sinter.node "Mul"(%h1, %s1) {since = 14 : i64} : (!sinter.any, !sinter.any) -> !sinter.any
  %q2 = sinter.node "Div"(%x, %root) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %e2 = sinter.node "Erf"(%q2) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %s2 = sinter.node "Add"(%e2, %one) {since = 14 : i64} : (!sinter.any, tensor<f32>) -> !sinter.any
  %h2 = sinter.node "Mul"(%x, %half) {since = 14 : i64} : (tensor<4xf32>, tensor<f32>) -> !sinter.any
  %y2 = sinter.node "Mul"(%h2, %s2) {since = 14 : i64} : (!sinter.any, !sinter.any) -> !sinter.any
  return %y0, %y1, %y2, %e2 : !sinter.any, !sinter.any, !sinter.any, !sinter.any
}

// -----

// Numbers are as exact as their type: a float16 nearest to the root of 2 is 1.4140625.

// CHECK-LABEL: @half_floats
// CHECK: sinter.node "Gelu"(%arg0)
func.func @half_floats(%x: tensor<4xf16>) -> !sinter.any {
  %root = sinter.weight dense<1.4140625> : tensor<f16> : tensor<f16>
  %one = sinter.weight dense<1.0> : tensor<f16> : tensor<f16>
  %half = sinter.weight dense<0.5> : tensor<f16> : tensor<f16>
  %q = sinter.node "Div"(%x, %root) {since = 14 : i64} : (tensor<4xf16>, tensor<f16>) -> !sinter.any
  %e = sinter.node "Erf"(%q) {since = 13 : i64} : (!sinter.any) -> !sinter.any
  %s = sinter.node "Add"(%e, %one) {since = 14 : i64} : (!sinter.any, tensor<f16>) -> !sinter.any
  %h = sinter.node "Mul"(%x, %half) {since = 14 : i64} : (tensor<4xf16>, tensor<f16>) -> !sinter.any
  %y = sinter.node "Mul"(%h, %s) {since = 14 : i64} : (!sinter.any, !sinter.any) -> !sinter.any
  return %y : !sinter.any
}
