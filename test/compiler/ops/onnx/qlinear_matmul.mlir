// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Exact in int32, one rounding.

// CHECK: arith.muli
// CHECK: math.roundeven
// CHECK: arith.fptoui
func.func @main(%a: tensor<2x3xui8> {sinter.name = "a"}, %b: tensor<3x4xui8> {sinter.name = "b"}, %s: tensor<f32> {sinter.name = "s"}, %z: tensor<ui8> {sinter.name = "z"}) -> (tensor<2x4xui8> {sinter.name = "y0"}) {
  %0 = sinter.node "QLinearMatMul"(%a, %s, %z, %b, %s, %z, %s, %z) {since = 21 : i64} : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3x4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2x4xui8>
  return %0 : tensor<2x4xui8>
}
