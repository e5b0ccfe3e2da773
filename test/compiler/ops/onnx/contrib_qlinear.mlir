// RUN: sinter-opt %s --convert-nodes | FileCheck %s

func.func @main(%x: tensor<4xui8> {sinter.name = "x"}, %s: tensor<f32> {sinter.name = "s"}, %z: tensor<ui8> {sinter.name = "z"},
                %m: tensor<1x1x4x4xsi8> {sinter.name = "m"}, %i: tensor<si8> {sinter.name = "i"})
    -> (tensor<4xui8> {sinter.name = "sum"}, tensor<1x1x3x3xsi8> {sinter.name = "mean"}, tensor<4xui8> {sinter.name = "shares"}) {
  // Dequantized, added in float, quantized.
  // CHECK: arith.uitofp
  // CHECK: arith.addf
  // CHECK: math.roundeven
  // CHECK: arith.fptoui
  %0 = sinter.node "QLinearAdd"(%x, %s, %z, %x, %s, %z, %s, %z) {domain = "com.microsoft", since = 1 : i64} : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>

  // Pools add the zero point before they round; signed ones 128 above it, as onnxruntime's unsigned ones.
  // CHECK: sinter.kernel "average_pool"
  // CHECK: %[[STEPS:.*]] = arith.divf
  // CHECK: %[[LIFT:.*]] = arith.constant 1.280000e+02 : f32
  // CHECK: %[[ZERO:.*]] = arith.sitofp
  // CHECK: %[[LIFTED:.*]] = arith.addf %[[ZERO]], %[[LIFT]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[STEPS]], %[[LIFTED]]
  // CHECK: math.roundeven %[[SUM]]
  %1 = sinter.node "QLinearAveragePool"(%m, %s, %i, %s, %i) {attrs = {kernel_shape = array<i64: 2, 2>}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x4x4xsi8>, tensor<f32>, tensor<si8>, tensor<f32>, tensor<si8>) -> tensor<1x1x3x3xsi8>

  // Softmax counts in whole steps to 1.
  // CHECK: math.floor
  // CHECK: arith.mulf
  // CHECK: math.roundeven
  %2 = sinter.node "QLinearSoftmax"(%x, %s, %z, %s, %z) {attrs = {opset = 13 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  return %0, %1, %2 : tensor<4xui8>, tensor<1x1x3x3xsi8>, tensor<4xui8>
}
