// RUN: sinter-opt %s --convert-nodes --simplify | FileCheck %s
// What moves elements between DequantizeLinear and QuantizeLinear moves the integers, zeros being the zero point; a quantization back is nothing.

// CHECK: %[[ZERO:.*]] = arith.constant 7 : i8
// CHECK: %[[X:.*]] = bufferization.to_tensor
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<1x4x6x2xi8>)
// CHECK: linalg.fill ins(%[[ZERO]] : i8)
// CHECK: %[[P:.*]] = tensor.insert_slice %[[T]]
// CHECK: sinter.pool max ins(%{{.*}} : tensor<1x2x6x8xi8>)
// CHECK-NOT: f32
// CHECK: return
func.func @main(%x: tensor<1x4x6x2xsi8> {sinter.name = "x"}) -> (tensor<1x2x5x7xsi8> {sinter.name = "y"}) {
  %s = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<7> : tensor<si8> : tensor<si8>
  %same = sinter.weight dense<0.5> : tensor<1xf32> : tensor<1xf32>
  %pads = sinter.weight dense<[0, 0, 1, 1, 0, 0, 1, 1]> : tensor<8xsi64> : tensor<8xsi64>
  %0 = sinter.node "DequantizeLinear"(%x, %s, %z) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<1x4x6x2xsi8>, tensor<f32>, tensor<si8>) -> tensor<1x4x6x2xf32>
  %1 = sinter.node "Transpose"(%0) {attrs = {perm = array<i64: 0, 3, 1, 2>}, since = 13 : i64} : (tensor<1x4x6x2xf32>) -> tensor<1x2x4x6xf32>
  %2 = sinter.node "Pad"(%1, %pads) {attrs = {mode = "constant"}, since = 13 : i64} : (tensor<1x2x4x6xf32>, tensor<8xsi64>) -> tensor<1x2x6x8xf32>
  %3 = sinter.node "MaxPool"(%2) {attrs = {kernel_shape = array<i64: 2, 2>}, since = 12 : i64} : (tensor<1x2x6x8xf32>) -> tensor<1x2x5x7xf32>
  %4 = sinter.node "QuantizeLinear"(%3, %same, %z) {attrs = {axis = 1 : i64}, since = 13 : i64} : (tensor<1x2x5x7xf32>, tensor<1xf32>, tensor<si8>) -> tensor<1x2x5x7xsi8>
  return %4 : tensor<1x2x5x7xsi8>
}
