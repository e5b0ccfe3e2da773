// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A sum, which is an output too, and the kernel of LayerNormalization.

// CHECK: arith.addf
// CHECK: sinter.kernel "layer_norm"
// CHECK-SAME: centered = true
func.func @main(%x: tensor<1x2x4xf32> {sinter.name = "x"}, %g: tensor<4xf32> {sinter.name = "g"}) -> (tensor<1x2x4xf32> {sinter.name = "y"}) {
  %0 = sinter.node "SkipLayerNormalization"(%x, %x, %g, %g) {attrs = {epsilon = 1.0e-12 : f32}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
