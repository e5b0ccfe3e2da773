// RUN: sinter-opt %s --convert-nodes --simplify --split-input-file | FileCheck %s
// A product of dequantized operands is one of integers, rescaled: 16-bit operands sum up in 64 bits where 32 could overflow; what has a scale
// for each row of its depth stays one of floats.

// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3xi8>, tensor<3x4xi8>) outs(%{{.*}} : tensor<2x4xi32>)
// CHECK-SAME: lhs_zero = 128 : i64, signs = "us"
// CHECK: arith.sitofp %{{.*}} : i32 to f32
func.func @main(%x: tensor<2x3xui8> {sinter.name = "x"}, %w: tensor<4x3xsi8> {sinter.name = "w"}) -> (tensor<2x4xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<128> : tensor<ui8> : tensor<ui8>
  %each = sinter.weight dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
  %0 = sinter.node "DequantizeLinear"(%x, %s, %z) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %1 = sinter.node "DequantizeLinear"(%w, %each) {attrs = {axis = 0 : i64}, since = 13 : i64} : (tensor<4x3xsi8>, tensor<4xf32>) -> tensor<4x3xf32>
  %2 = sinter.node "Transpose"(%1) {attrs = {perm = array<i64: 1, 0>}, since = 13 : i64} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %3 = sinter.node "MatMul"(%0, %2) {since = 13 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}

// -----

// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3xi16>, tensor<3x4xi16>) outs(%{{.*}} : tensor<2x4xi64>)
// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3xi16>, tensor<3x4xi8>) outs(%{{.*}} : tensor<2x4xi32>)
func.func @main(%x: tensor<2x3xsi16> {sinter.name = "x"}, %v: tensor<3x4xsi16> {sinter.name = "v"}, %w: tensor<3x4xsi8> {sinter.name = "w"}) -> (tensor<2x4xf32> {sinter.name = "y"}, tensor<2x4xf32> {sinter.name = "z"}) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %0 = sinter.node "DequantizeLinear"(%x, %s) {attrs = {axis = 1 : i64}, since = 21 : i64} : (tensor<2x3xsi16>, tensor<f32>) -> tensor<2x3xf32>
  %1 = sinter.node "DequantizeLinear"(%v, %s) {attrs = {axis = 1 : i64}, since = 21 : i64} : (tensor<3x4xsi16>, tensor<f32>) -> tensor<3x4xf32>
  %2 = sinter.node "DequantizeLinear"(%w, %s) {attrs = {axis = 1 : i64}, since = 21 : i64} : (tensor<3x4xsi8>, tensor<f32>) -> tensor<3x4xf32>
  %3 = sinter.node "MatMul"(%0, %1) {since = 13 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %4 = sinter.node "MatMul"(%0, %2) {since = 13 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %3, %4 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// CHECK: sinter.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<3x4xf32>)
func.func @main(%x: tensor<2x3xui8> {sinter.name = "x"}, %w: tensor<3x4xsi8> {sinter.name = "w"}) -> (tensor<2x4xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %each = sinter.weight dense<[1.0, 2.0, 3.0]> : tensor<3xf32> : tensor<3xf32>
  %0 = sinter.node "DequantizeLinear"(%x, %s) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<2x3xui8>, tensor<f32>) -> tensor<2x3xf32>
  %1 = sinter.node "DequantizeLinear"(%w, %each) {attrs = {axis = 0 : i64}, since = 13 : i64} : (tensor<3x4xsi8>, tensor<3xf32>) -> tensor<3x4xf32>
  %2 = sinter.node "MatMul"(%0, %1) {since = 13 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
