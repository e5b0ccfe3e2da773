// RUN: sinter-opt %s --raise-quantizations | FileCheck %s

// Up to what computes, through all that moves; the node's other operands stay.
// CHECK-LABEL: @moved
// CHECK: %[[C:.*]] = sinter.node "Conv"
// CHECK: %[[Q:.*]] = sinter.node "QuantizeLinear"(%[[C]],
// CHECK: %[[P:.*]] = sinter.node "MaxPool"(%[[Q]]) {{.*}} -> tensor<1x2x2x2xsi8>
// CHECK: %[[T:.*]] = sinter.node "Transpose"(%[[P]]) {{.*}}perm = array<i64: 0, 2, 3, 1>{{.*}} -> !sinter.any
// CHECK: %[[R:.*]] = sinter.node "Reshape"(%[[T]], %{{.*}}) {{.*}}output_names = ["y"]
// CHECK: return %[[R]]
func.func @moved(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<8xsi8> {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<-3> : tensor<1xsi8> : tensor<1xsi8>
  %flat = sinter.weight dense<-1> : tensor<1xsi64> : tensor<1xsi64>
  %c = sinter.node "Conv"(%x, %w) {since = 11 : i64} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %p = sinter.node "MaxPool"(%c) {attrs = {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}, since = 12 : i64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %t = sinter.node "Transpose"(%p) {attrs = {perm = array<i64: 0, 2, 3, 1>}, since = 13 : i64} : (tensor<1x2x2x2xf32>) -> !sinter.any
  %r = sinter.node "Reshape"(%t, %flat) {since = 14 : i64} : (!sinter.any, tensor<1xsi64>) -> tensor<8xf32>
  %q = sinter.node "QuantizeLinear"(%r, %s, %z) {output_names = ["y"], since = 13 : i64} : (tensor<8xf32>, tensor<f32>, tensor<1xsi8>) -> tensor<8xsi8>
  return %q : tensor<8xsi8>
}

// Each part of a concatenation.
// CHECK-LABEL: @joined
// CHECK: %[[E:.*]] = sinter.node "Exp"
// CHECK: %[[A:.*]] = sinter.node "QuantizeLinear"(%arg0,
// CHECK: %[[B:.*]] = sinter.node "QuantizeLinear"(%[[E]],
// CHECK: sinter.node "Concat"(%[[A]], %[[B]]) {attrs = {axis = 0 : i64}
func.func @joined(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<8xui8> {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %e = sinter.node "Exp"(%y) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %c = sinter.node "Concat"(%x, %e) {attrs = {axis = 0 : i64}, since = 13 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %q = sinter.node "QuantizeLinear"(%c, %s, %z) {since = 13 : i64} : (tensor<8xf32>, tensor<f32>, tensor<ui8>) -> tensor<8xui8>
  return %q : tensor<8xui8>
}

// Somebody reads the floats; a scale for each channel; what interpolates; 4 bits; an input that is only turned: all stay.
// CHECK-LABEL: @stay
// CHECK: "Reshape"
// CHECK-NEXT: "QuantizeLinear"
// CHECK: "Transpose"
// CHECK-NEXT: "QuantizeLinear"
// CHECK: "Resize"
// CHECK-NEXT: "QuantizeLinear"
// CHECK: "Flatten"
// CHECK-NEXT: "QuantizeLinear"
// CHECK: "Transpose"
// CHECK-NEXT: "QuantizeLinear"
func.func @stay(%input: tensor<2x2xf32>, %flat: tensor<1xsi64>, %i: tensor<1x1x2x2xf32>, %sizes: tensor<4xsi64>) -> (tensor<4xf32>, tensor<4xui8>, tensor<2x2xui8>, !sinter.any, !sinter.any, tensor<2x2xui8>) {
  %none = sinter.absent
  %x = sinter.node "Exp"(%input) {since = 13 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %each = sinter.weight dense<[0.5, 0.25]> : tensor<2xf32> : tensor<2xf32>
  %zeros = sinter.weight dense<[1, 2]> : tensor<2xui8> : tensor<2xui8>
  %r = sinter.node "Reshape"(%x, %flat) {since = 14 : i64} : (tensor<2x2xf32>, tensor<1xsi64>) -> tensor<4xf32>
  %0 = sinter.node "QuantizeLinear"(%r, %s, %z) {since = 13 : i64} : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  %t = sinter.node "Transpose"(%x) {attrs = {perm = array<i64: 1, 0>}, since = 13 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = sinter.node "QuantizeLinear"(%t, %each, %zeros) {attrs = {axis = 0 : i64}, since = 13 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xui8>) -> tensor<2x2xui8>
  %l = sinter.node "Resize"(%i, %none, %none, %sizes) {attrs = {mode = "linear"}, since = 13 : i64} : (tensor<1x1x2x2xf32>, !sinter.absent, !sinter.absent, tensor<4xsi64>) -> !sinter.any
  %2 = sinter.node "QuantizeLinear"(%l, %s, %z) {since = 13 : i64} : (!sinter.any, tensor<f32>, tensor<ui8>) -> !sinter.any
  %f = sinter.node "Flatten"(%x) {since = 13 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = sinter.node "QuantizeLinear"(%f, %s, %none) {attrs = {output_dtype = 21 : i64}, since = 21 : i64} : (tensor<2x2xf32>, tensor<f32>, !sinter.absent) -> !sinter.any
  %i0 = sinter.node "Transpose"(%input) {attrs = {perm = array<i64: 1, 0>}, since = 13 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = sinter.node "QuantizeLinear"(%i0, %s, %z) {since = 13 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x2xui8>
  return %r, %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xui8>, tensor<2x2xui8>, !sinter.any, !sinter.any, tensor<2x2xui8>
}

// Not through an operator that does not take these integers in its version.
// CHECK-LABEL: @not_taken
// CHECK: %[[C:.*]] = sinter.node "Conv"
// CHECK: %[[P:.*]] = sinter.node "MaxPool"(%[[C]])
// CHECK: sinter.node "QuantizeLinear"(%[[P]],
func.func @not_taken(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xsi16> {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<0> : tensor<si16> : tensor<si16>
  %c = sinter.node "Conv"(%x, %w) {since = 11 : i64} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %p = sinter.node "MaxPool"(%c) {attrs = {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}, since = 12 : i64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %q = sinter.node "QuantizeLinear"(%p, %s, %z) {since = 21 : i64} : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<si16>) -> tensor<1x2x2x2xsi16>
  return %q : tensor<1x2x2x2xsi16>
}
