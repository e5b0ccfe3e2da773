// RUN: sinter-opt %s --convert-nodes --simplify | FileCheck %s
// 4-bit integers are padded as such, too: the operator takes them since opset 21.

// CHECK: %[[ZERO:.*]] = sinter.weight dense<3> : tensor<si4>
// CHECK: %[[FILL:.*]] = tensor.extract %[[ZERO]][]
// CHECK: linalg.fill ins(%[[FILL]] : i8) {{.*}} -> tensor<2x7xi8>
// CHECK: return
func.func @main(%x: tensor<2x4xsi4> {sinter.name = "x"}) -> (tensor<2x7xf32> {sinter.name = "y"}) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<3> : tensor<si4> : tensor<si4>
  %pads = sinter.weight dense<[0, 1, 0, 2]> : tensor<4xsi64> : tensor<4xsi64>
  %0 = sinter.node "DequantizeLinear"(%x, %s, %z) {attrs = {axis = 1 : i64}, since = 21 : i64} : (tensor<2x4xsi4>, tensor<f32>, tensor<si4>) -> tensor<2x4xf32>
  %1 = sinter.node "Pad"(%0, %pads) {attrs = {mode = "constant"}, since = 21 : i64} : (tensor<2x4xf32>, tensor<4xsi64>) -> tensor<2x7xf32>
  return %1 : tensor<2x7xf32>
}
