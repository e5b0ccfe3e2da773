// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// The weights of MatMulNBits unpacked, and a product with their transpose; the activation that a fused product names.

// CHECK: arith.shrui
// CHECK: arith.andi
// CHECK: sinter.matmul {{.*}}transpose_rhs
// CHECK: sinter.matmul
// CHECK: arith.maximumf
func.func @main(%x: tensor<2x32xf32> {sinter.name = "x"}, %w: tensor<8x1x16xui8> {sinter.name = "w"}, %s: tensor<8xf32> {sinter.name = "s"}) -> (tensor<2x8xf32> {sinter.name = "y"}, tensor<2x2xf32> {sinter.name = "z"}) {
  %0 = sinter.node "MatMulNBits"(%x, %w, %s) {attrs = {K = 32 : i64, N = 8 : i64, bits = 4 : i64, block_size = 32 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<2x32xf32>, tensor<8x1x16xui8>, tensor<8xf32>) -> tensor<2x8xf32>
  %1 = sinter.node "FusedGemm"(%x, %x) {attrs = {activation = "Relu", alpha = 1.0 : f32, beta = 1.0 : f32, transA = 0 : i64, transB = 1 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x8xf32>, tensor<2x2xf32>
}
