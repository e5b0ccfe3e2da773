// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// The kernel for the common form; loop nests, with statistics of half types in float, where parameters broadcast.

// CHECK: sinter.kernel "layer_norm" ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4xf16>, tensor<4xf16>, tensor<4xf16>)
// CHECK: centered = true
// CHECK: arith.extf
// CHECK: arith.constant 4.0
// CHECK: math.sqrt
// CHECK: arith.truncf
// CHECK: math.sqrt
func.func @main(%x: tensor<2x4xf16> {sinter.name = "x"}, %s: tensor<4xf16> {sinter.name = "s"}, %b: tensor<4xf16> {sinter.name = "b"}, %t: tensor<1xf16> {sinter.name = "t"}) -> (tensor<2x4xf16> {sinter.name = "y0"}, tensor<2x4xf16> {sinter.name = "y1"}, tensor<2x1xf32> {sinter.name = "inverse"}) {
  %0 = sinter.node "LayerNormalization"(%x, %s, %b) {attrs = {axis = -1 : i64, epsilon = 1.0e-5 : f32, stash_type = 1 : i64}, since = 17 : i64} : (tensor<2x4xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<2x4xf16>
  %1 = sinter.node "RMSNormalization"(%x, %t) {attrs = {axis = -1 : i64, epsilon = 1.0e-5 : f32, stash_type = 1 : i64}, since = 23 : i64} : (tensor<2x4xf16>, tensor<1xf16>) -> tensor<2x4xf16>
  %2:2 = sinter.node "SimplifiedLayerNormalization"(%x, %s) {attrs = {axis = -1 : i64, epsilon = 1.0e-5 : f32, stash_type = 1 : i64}, since = 1 : i64} : (tensor<2x4xf16>, tensor<4xf16>) -> (tensor<2x4xf16>, tensor<2x1xf32>)
  return %0, %1, %2#1 : tensor<2x4xf16>, tensor<2x4xf16>, tensor<2x1xf32>
}
