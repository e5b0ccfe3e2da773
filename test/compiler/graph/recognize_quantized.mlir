// RUN: sinter-opt %s --recognize-quantized | FileCheck %s

// CHECK-LABEL: @pool
// CHECK: sinter.node "QLinearAveragePool"(%arg0, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) {attrs = {kernel_shape = array<i64: 2, 2>}, domain = "com.microsoft", since = 1 : i64}
// CHECK-NEXT: return
func.func @pool(%x: tensor<1x2x4x4xsi8>) -> !sinter.any {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<-128> : tensor<si8> : tensor<si8>
  %t = sinter.weight dense<0.25> : tensor<1xf32> : tensor<1xf32>
  %f = sinter.node "DequantizeLinear"(%x, %s, %z) {since = 13 : i64} : (tensor<1x2x4x4xsi8>, tensor<f32>, tensor<si8>) -> tensor<1x2x4x4xf32>
  %p = sinter.node "AveragePool"(%f) {attrs = {kernel_shape = array<i64: 2, 2>}, since = 11 : i64} : (tensor<1x2x4x4xf32>) -> !sinter.any
  %q = sinter.node "QuantizeLinear"(%p, %t, %z) {since = 13 : i64} : (!sinter.any, tensor<1xf32>, tensor<si8>) -> !sinter.any
  return %q : !sinter.any
}

// The version of Softmax is an attribute of the quantized one; what is dequantized may have other readers.
// CHECK-LABEL: @softmax
// CHECK: "DequantizeLinear"
// CHECK: "QLinearSoftmax"(%arg0, {{.*}}attrs = {axis = 1 : i64, opset = 11 : i64}
func.func @softmax(%x: tensor<2x8xui8>) -> (!sinter.any, tensor<2x8xf32>) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %f = sinter.node "DequantizeLinear"(%x, %s, %z) {since = 13 : i64} : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
  %p = sinter.node "Softmax"(%f) {attrs = {axis = 1 : i64}, since = 11 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %q = sinter.node "QuantizeLinear"(%p, %s, %z) {since = 13 : i64} : (tensor<2x8xf32>, tensor<f32>, tensor<ui8>) -> !sinter.any
  return %q, %f : !sinter.any, tensor<2x8xf32>
}

// Parameters by way of Identity.
// CHECK-LABEL: @whole
// CHECK: "QLinearGlobalAveragePool"(%arg0,
func.func @whole(%x: tensor<1x2x4x4xui8>) -> !sinter.any {
  %ws = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %wz = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %s = sinter.node "Identity"(%ws) {since = 1 : i64} : (tensor<f32>) -> !sinter.any
  %z = sinter.node "Identity"(%wz) {since = 1 : i64} : (tensor<ui8>) -> !sinter.any
  %f = sinter.node "DequantizeLinear"(%x, %s, %z) {since = 10 : i64} : (tensor<1x2x4x4xui8>, !sinter.any, !sinter.any) -> !sinter.any
  %p = sinter.node "GlobalAveragePool"(%f) {since = 1 : i64} : (!sinter.any) -> !sinter.any
  %q = sinter.node "QuantizeLinear"(%p, %s, %z) {since = 10 : i64} : (!sinter.any, !sinter.any, !sinter.any) -> !sinter.any
  return %q : !sinter.any
}

// A residual: with unsigned bytes, as onnxruntime has them between Q and DQ. The same tensor twice.
// CHECK-LABEL: @sums
// CHECK-NOT: DequantizeLinear
// CHECK: "QLinearAdd"(%arg0, %[[S:[0-9]+]], %[[Z:[0-9]+]], %arg1, %[[T:[0-9]+]], %[[Z]], %[[T]], %[[Z]]) {attrs = {unsigned = 1 : i64}
// CHECK: "QLinearMul"(%arg1, %[[T]], %[[Z]], %arg1, %[[T]], %[[Z]], %[[S]], %[[Z]]) {
// CHECK-NEXT: return
func.func @sums(%x: tensor<8xsi8>, %y: tensor<8xsi8>) -> (!sinter.any, !sinter.any) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %t = sinter.weight dense<0.25> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<-3> : tensor<si8> : tensor<si8>
  %f = sinter.node "DequantizeLinear"(%x, %s, %z) {since = 13 : i64} : (tensor<8xsi8>, tensor<f32>, tensor<si8>) -> tensor<8xf32>
  %g = sinter.node "DequantizeLinear"(%y, %t, %z) {since = 13 : i64} : (tensor<8xsi8>, tensor<f32>, tensor<si8>) -> tensor<8xf32>
  %a = sinter.node "Add"(%f, %g) {since = 14 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %p = sinter.node "QuantizeLinear"(%a, %t, %z) {since = 13 : i64} : (tensor<8xf32>, tensor<f32>, tensor<si8>) -> !sinter.any
  %m = sinter.node "Mul"(%g, %g) {since = 14 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %q = sinter.node "QuantizeLinear"(%m, %s, %z) {since = 13 : i64} : (tensor<8xf32>, tensor<f32>, tensor<si8>) -> !sinter.any
  return %p, %q : !sinter.any, !sinter.any
}

// One operand is no quantized one: a sum of floats.
// CHECK-LABEL: @half
// CHECK: "DequantizeLinear"
// CHECK: "Add"
// CHECK: "QuantizeLinear"
func.func @half(%x: tensor<8xsi8>, %y: tensor<8xf32>) -> !sinter.any {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<-3> : tensor<si8> : tensor<si8>
  %f = sinter.node "DequantizeLinear"(%x, %s, %z) {since = 13 : i64} : (tensor<8xsi8>, tensor<f32>, tensor<si8>) -> tensor<8xf32>
  %a = sinter.node "Add"(%f, %y) {since = 14 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %q = sinter.node "QuantizeLinear"(%a, %s, %z) {since = 13 : i64} : (tensor<8xf32>, tensor<f32>, tensor<si8>) -> !sinter.any
  return %q : !sinter.any
}

// The float result has another reader; scales per channel; another type; 16 bits: nothing changes.
// CHECK-LABEL: @others
// CHECK-NOT: QLinear
// CHECK: return
func.func @others(%x: tensor<2x2xui8>, %w: tensor<2x2xui16>) -> (!sinter.any, !sinter.any, !sinter.any, !sinter.any, tensor<2x2xf32>) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %i = sinter.weight dense<3> : tensor<si8> : tensor<si8>
  %zw = sinter.weight dense<3> : tensor<ui16> : tensor<ui16>
  %sc = sinter.weight dense<[0.5, 0.25]> : tensor<2xf32> : tensor<2xf32>
  %zc = sinter.weight dense<[3, 4]> : tensor<2xui8> : tensor<2xui8>
  %f = sinter.node "DequantizeLinear"(%x, %s, %z) {since = 13 : i64} : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x2xf32>
  %p0 = sinter.node "Softmax"(%f) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %q0 = sinter.node "QuantizeLinear"(%p0, %s, %z) {since = 13 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<ui8>) -> !sinter.any
  %p1 = sinter.node "Softmax"(%f) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %q1 = sinter.node "QuantizeLinear"(%p1, %sc, %zc) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xui8>) -> !sinter.any
  %p2 = sinter.node "Softmax"(%f) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %q2 = sinter.node "QuantizeLinear"(%p2, %s, %i) {since = 13 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<si8>) -> !sinter.any
  %g = sinter.node "DequantizeLinear"(%w, %s, %zw) {since = 21 : i64} : (tensor<2x2xui16>, tensor<f32>, tensor<ui16>) -> tensor<2x2xf32>
  %p3 = sinter.node "Softmax"(%g) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %q3 = sinter.node "QuantizeLinear"(%p3, %s, %zw) {since = 21 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<ui16>) -> !sinter.any
  return %q0, %q1, %q2, %q3, %p0 : !sinter.any, !sinter.any, !sinter.any, !sinter.any, tensor<2x2xf32>
}
