// RUN: sinter-opt %s --convert-nodes --simplify | FileCheck %s
// Parts with the result's scale and zero point are joined as they are; others are brought to these.

// CHECK: %[[X:.*]] = bufferization.to_tensor
// CHECK: %[[Y:.*]] = bufferization.to_tensor
// CHECK-NOT: linalg.generic
// CHECK: tensor.concat dim(0) %[[X]], %[[Y]] : (tensor<4xi8>, tensor<4xi8>)
// CHECK: %[[FLOATS:.*]] = linalg.generic {{.*}} ins(%[[Y]],
// CHECK: %[[Z:.*]] = linalg.generic {{.*}} ins(%[[FLOATS]],
// CHECK: math.roundeven
// CHECK-NOT: linalg.generic
// CHECK: tensor.concat dim(0) %[[X]], %[[Z]] : (tensor<4xi8>, tensor<4xi8>)
func.func @main(%x: tensor<4xui8> {sinter.name = "x"}, %y: tensor<4xui8> {sinter.name = "y"}) -> (tensor<8xui8> {sinter.name = "joined"}, tensor<8xui8> {sinter.name = "rescaled"}) {
  %s = sinter.weight dense<0.25> : tensor<f32> : tensor<f32>
  %same = sinter.weight dense<0.25> : tensor<1xf32> : tensor<1xf32>
  %other = sinter.weight dense<0.5> : tensor<f32> : tensor<f32>
  %z = sinter.weight dense<3> : tensor<ui8> : tensor<ui8>
  %0 = sinter.node "QLinearConcat"(%s, %z, %x, %same, %z, %y, %s, %z) {attrs = {axis = 0 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<f32>, tensor<ui8>, tensor<4xui8>, tensor<1xf32>, tensor<ui8>, tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<8xui8>
  %1 = sinter.node "QLinearConcat"(%s, %z, %x, %s, %z, %y, %other, %z) {attrs = {axis = 0 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<f32>, tensor<ui8>, tensor<4xui8>, tensor<f32>, tensor<ui8>, tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<8xui8>
  return %0, %1 : tensor<8xui8>, tensor<8xui8>
}
