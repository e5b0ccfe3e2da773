// RUN: not sinter-opt %s --convert-nodes 2>&1 | FileCheck %s
// Inner sizes that differ.

// CHECK: 'B' has shape [4,3]; Gemm needs [K,N], where K = 3 is dim 1 of 'A', N = 3 is dim 1 of 'B' [E0302]
func.func @main(%a: tensor<2x3xf32> {sinter.name = "a"}, %b: tensor<4x3xf32> {sinter.name = "b"}) -> (tensor<2x3xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Gemm"(%a, %b) {attrs = {alpha = 1.0 : f32, beta = 1.0 : f32, transA = 0 : i64, transB = 0 : i64}, since = 13 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
