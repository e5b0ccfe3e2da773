// RUN: not sinter-opt %s --convert-nodes --split-input-file 2>&1 | FileCheck %s

// An activation that nobody knows.

// CHECK: the fused activation 'Snake' [E0203]
func.func @main(%x: tensor<2x32xf32> {sinter.name = "x"}) -> (tensor<2x2xf32> {sinter.name = "z"}) {
  %1 = sinter.node "FusedGemm"(%x, %x) {attrs = {activation = "Snake", alpha = 1.0 : f32, beta = 1.0 : f32, transA = 0 : i64, transB = 1 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// -----

// Packed weights, scales and zero points of other sizes than the attributes ask for.
// CHECK: 'scales' does not hold 2 elements for each of 2 columns, as K = 32, block_size = 16 and bits = 4 ask for [E0302]
// CHECK: hint: check the node's attributes
func.func @main(%x: tensor<1x32xf32> {sinter.name = "x"}, %w: tensor<2x2x8xui8> {sinter.name = "w"}) -> (tensor<1x2xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<3xf32> : tensor<3xf32>
  %0 = sinter.node "MatMulNBits"(%x, %w, %s) {attrs = {K = 32 : i64, N = 2 : i64, bits = 4 : i64, block_size = 16 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x32xf32>, tensor<2x2x8xui8>, tensor<3xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// CHECK: 'B' does not hold 16 elements for each of 2 columns
func.func @main(%x: tensor<1x32xf32> {sinter.name = "x"}, %w: tensor<2x1x8xui8> {sinter.name = "w"}) -> (tensor<1x2xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<4xf32> : tensor<4xf32>
  %0 = sinter.node "MatMulNBits"(%x, %w, %s) {attrs = {K = 32 : i64, N = 2 : i64, bits = 4 : i64, block_size = 16 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x32xf32>, tensor<2x1x8xui8>, tensor<4xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// CHECK: block_size = 0 [E0302]
func.func @main(%x: tensor<1x32xf32> {sinter.name = "x"}, %w: tensor<2x1x8xui8> {sinter.name = "w"}) -> (tensor<1x2xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<1.0> : tensor<4xf32> : tensor<4xf32>
  %0 = sinter.node "MatMulNBits"(%x, %w, %s) {attrs = {K = 32 : i64, N = 2 : i64, bits = 4 : i64, block_size = 0 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x32xf32>, tensor<2x1x8xui8>, tensor<4xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
