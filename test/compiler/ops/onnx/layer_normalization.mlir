// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Statistics of half types in float.

// CHECK: arith.extf
// CHECK: arith.constant 4.0
// CHECK: math.sqrt
// CHECK: arith.truncf
// CHECK: math.sqrt
func.func @main(%x: tensor<2x4xf16> {sinter.name = "x"}, %s: tensor<4xf16> {sinter.name = "s"}, %b: tensor<4xf16> {sinter.name = "b"}) -> (tensor<2x4xf16> {sinter.name = "y0"}, tensor<2x4xf16> {sinter.name = "y1"}) {
  %0 = sinter.node "LayerNormalization"(%x, %s, %b) {attrs = {axis = -1 : i64, epsilon = 1.0e-5 : f32, stash_type = 1 : i64}, since = 17 : i64} : (tensor<2x4xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<2x4xf16>
  %1 = sinter.node "RMSNormalization"(%x, %s) {attrs = {axis = -1 : i64, epsilon = 1.0e-5 : f32, stash_type = 1 : i64}, since = 23 : i64} : (tensor<2x4xf16>, tensor<4xf16>) -> tensor<2x4xf16>
  return %0, %1 : tensor<2x4xf16>, tensor<2x4xf16>
}
