// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Dequantized, added in float, quantized.

// CHECK: arith.uitofp
// CHECK: arith.addf
// CHECK: math.roundeven
// CHECK: arith.fptoui
func.func @main(%x: tensor<4xui8> {sinter.name = "x"}, %s: tensor<f32> {sinter.name = "s"}, %z: tensor<ui8> {sinter.name = "z"}) -> (tensor<4xui8> {sinter.name = "y"}) {
  %0 = sinter.node "QLinearAdd"(%x, %s, %z, %x, %s, %z, %s, %z) {domain = "com.microsoft", since = 1 : i64} : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}
