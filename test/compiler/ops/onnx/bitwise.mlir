// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// A right shift by too much leaves the sign.

// CHECK: arith.constant 7 : i8
// CHECK: arith.minui
// CHECK: arith.shrsi
// CHECK: arith.shli
func.func @main(%x: tensor<4xsi8> {sinter.name = "x"}, %y: tensor<4xsi8> {sinter.name = "y"}) -> (tensor<4xsi8> {sinter.name = "y0"}, tensor<4xsi8> {sinter.name = "y1"}) {
  %0 = sinter.node "BitShift"(%x, %y) {attrs = {direction = "RIGHT"}, since = 28 : i64} : (tensor<4xsi8>, tensor<4xsi8>) -> tensor<4xsi8>
  %1 = sinter.node "BitShift"(%x, %y) {attrs = {direction = "LEFT"}, since = 28 : i64} : (tensor<4xsi8>, tensor<4xsi8>) -> tensor<4xsi8>
  return %0, %1 : tensor<4xsi8>, tensor<4xsi8>
}
