// RUN: not sinter-opt %s --convert-nodes --split-input-file 2>&1 | FileCheck %s
// Scales and zero points that the standard forbids: each named with its node's operand, and a hint.

// CHECK: the scale (operand 1) is 0 [E0211]
// CHECK: hint: a scale is a positive, finite number
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xui8> {sinter.name = "y"}) {
  %s = sinter.weight dense<0.0> : tensor<f32> : tensor<f32>
  %0 = sinter.node "QuantizeLinear"(%x, %s) {since = 13 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// CHECK: the scale (operand 1) is -0.5 at index 1 [E0211]
func.func @main(%x: tensor<3x2xsi8> {sinter.name = "x"}) -> (tensor<3x2xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<[1.0, -0.5]> : tensor<2xf32> : tensor<2xf32>
  %0 = sinter.node "DequantizeLinear"(%x, %s) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<3x2xsi8>, tensor<2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// CHECK: the scale (operand 1) is nan [E0211]
func.func @main(%x: tensor<4xsi8> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<0x7FC00000> : tensor<f32> : tensor<f32>
  %0 = sinter.node "DequantizeLinear"(%x, %s) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<4xsi8>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: input 'x_zero_point' is a tensor(uint8) instead of a tensor(int8) [E0208]
func.func @main(%x: tensor<4xsi8> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<1> : tensor<ui8> : tensor<ui8>
  %0 = sinter.node "DequantizeLinear"(%x, %s, %z) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<4xsi8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: the zero point (operand 2) is not 0 [E0211]
func.func @main(%x: tensor<4xsi32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<1> : tensor<si32> : tensor<si32>
  %0 = sinter.node "DequantizeLinear"(%x, %s, %z) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<4xsi32>, tensor<f32>, tensor<si32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: the scale (operand 1) is no number [E0211]
// CHECK: hint: this operator takes one scale for the whole tensor
func.func @main(%x: tensor<1x2x4xui8> {sinter.name = "x"}, %w: tensor<2x2x1xui8> {sinter.name = "w"}) -> (tensor<1x2x4xui8> {sinter.name = "y"}) {
  %each = sinter.weight dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %s = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<1> : tensor<ui8> : tensor<ui8>
  %0 = sinter.node "QLinearConv"(%x, %each, %z, %w, %s, %z, %s, %z) {since = 10 : i64} : (tensor<1x2x4xui8>, tensor<2xf32>, tensor<ui8>, tensor<2x2x1xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4xui8>
  return %0 : tensor<1x2x4xui8>
}

// -----

// CHECK: the zero point (operand 2) has 2 elements, and its scale 1 [E0211]
func.func @main(%x: tensor<3x2xf32> {sinter.name = "x"}) -> (tensor<3x2xui8> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<1> : tensor<2xui8> : tensor<2xui8>
  %0 = sinter.node "QuantizeLinear"(%x, %s, %z) {since = 13 : i64} : (tensor<3x2xf32>, tensor<f32>, tensor<2xui8>) -> tensor<3x2xui8>
  return %0 : tensor<3x2xui8>
}

// -----

// CHECK: the scale (operand 1) is empty [E0211]
func.func @main(%x: tensor<4xui8> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<[]> : tensor<0xf32> : tensor<0xf32>
  %0 = sinter.node "DequantizeLinear"(%x, %s) {attrs = {axis = 0 : i64}, since = 13 : i64} : (tensor<4xui8>, tensor<0xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A vector of scales is one for each row of the left operand, one for each column of the right.
// CHECK: the zero point (operand 2) has 3 elements [E0211]
// CHECK: hint: operand 0 takes one, or one for each row: 2
func.func @main(%x: tensor<2x4xui8> {sinter.name = "x"}, %w: tensor<4x3xui8> {sinter.name = "w"}) -> (tensor<2x3xsi32> {sinter.name = "y"}) {
  %three = sinter.weight dense<1> : tensor<3xui8> : tensor<3xui8>
  %0 = sinter.node "MatMulInteger"(%x, %w, %three, %three) {since = 10 : i64} : (tensor<2x4xui8>, tensor<4x3xui8>, tensor<3xui8>, tensor<3xui8>) -> tensor<2x3xsi32>
  return %0 : tensor<2x3xsi32>
}

// -----

// CHECK: the zero point (operand 3) has 2 elements [E0211]
// CHECK: hint: operand 1 takes one, or one for each filter: 3
func.func @main(%x: tensor<1x2x4xui8> {sinter.name = "x"}, %w: tensor<3x2x1xui8> {sinter.name = "w"}) -> (tensor<1x3x4xsi32> {sinter.name = "y"}) {
  %none = sinter.absent
  %two = sinter.weight dense<1> : tensor<2xui8> : tensor<2xui8>
  %0 = sinter.node "ConvInteger"(%x, %w, %none, %two) {since = 10 : i64} : (tensor<1x2x4xui8>, tensor<3x2x1xui8>, !sinter.absent, tensor<2xui8>) -> tensor<1x3x4xsi32>
  return %0 : tensor<1x3x4xsi32>
}

// -----

// The parts of a concatenation are checked as well.
// CHECK: the scale (operand 6) is inf [E0211]
func.func @main(%x: tensor<2xui8> {sinter.name = "x"}) -> (tensor<4xui8> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %inf = sinter.weight dense<0x7F800000> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<1> : tensor<ui8> : tensor<ui8>
  %0 = sinter.node "QLinearConcat"(%s, %z, %x, %s, %z, %x, %inf, %z) {attrs = {axis = 0 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<f32>, tensor<ui8>, tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// CHECK: the zero point (operand 4) is of float, and operand 2 of uint8 [E0211]
func.func @main(%x: tensor<2xui8> {sinter.name = "x"}) -> (tensor<2xui8> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<1> : tensor<ui8> : tensor<ui8>
  %0 = sinter.node "QLinearConcat"(%s, %z, %x, %s, %s) {attrs = {axis = 0 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<f32>, tensor<ui8>, tensor<2xui8>, tensor<f32>, tensor<f32>) -> tensor<2xui8>
  return %0 : tensor<2xui8>
}

// -----

// Scales of blocks may be negative, as quantizers make them, and must be finite; a scale of blocks is no number.
// CHECK: the scale (operand 2) is nan at index 1 [E0211]
// CHECK: hint: a scale is a finite number; quantize the weights again
func.func @main(%x: tensor<1x16xf32> {sinter.name = "x"}) -> (tensor<1x2xf32> {sinter.name = "y"}) {
  %w = sinter.weight dense<1> : tensor<2x1x8xui8> : tensor<2x1x8xui8>
  %s = sinter.weight dense<[-1.0, 0x7FC00000]> : tensor<2xf32> : tensor<2xf32>
  %0 = sinter.node "MatMulNBits"(%x, %w, %s) {attrs = {K = 16 : i64, N = 2 : i64, bits = 4 : i64, block_size = 16 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x16xf32>, tensor<2x1x8xui8>, tensor<2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// CHECK: 'x_scale' has shape []; DequantizeLinear needs [A*,ceil(L,block_size),B*], where A = [2] is dim 0 of 'x', L = 4
func.func @main(%x: tensor<2x4xui8> {sinter.name = "x"}) -> (tensor<2x4xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<f32> : tensor<f32>
  %0 = sinter.node "DequantizeLinear"(%x, %s) {attrs = {axis = 1 : i64, block_size = 2 : i64}, since = 21 : i64} : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
