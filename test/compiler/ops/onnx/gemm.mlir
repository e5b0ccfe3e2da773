// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Transposition is the product's; the bias follows it.

// CHECK: sinter.matmul {{.*}}transpose_rhs
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @main(%a: tensor<2x3xf32> {sinter.name = "a"}, %b: tensor<4x3xf32> {sinter.name = "b"}, %c: tensor<4xf32> {sinter.name = "c"}) -> (tensor<2x4xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Gemm"(%a, %b, %c) {attrs = {alpha = 2.0 : f32, beta = 1.0 : f32, transA = 0 : i64, transB = 1 : i64}, since = 13 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
