// RUN: not sinter-opt %s --convert-nodes 2>&1 | FileCheck %s
// An activation that nobody knows.

// CHECK: the fused activation 'Snake' [E0203]
func.func @main(%x: tensor<2x32xf32> {sinter.name = "x"}) -> (tensor<2x2xf32> {sinter.name = "z"}) {
  %1 = sinter.node "FusedGemm"(%x, %x) {attrs = {activation = "Snake", alpha = 1.0 : f32, beta = 1.0 : f32, transA = 0 : i64, transB = 1 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
