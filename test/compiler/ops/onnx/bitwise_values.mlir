// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The four on bits of one number.

// CHECK: output 0: tensor<4xi8> [0, 1, 10, -16]
// CHECK: output 1: tensor<4xi8> [1, 7, -81, -1]
// CHECK: output 2: tensor<4xi8> [1, 6, -91, 15]
// CHECK: output 3: tensor<4xi8> [-1, -6, 85, 0]
func.func @main() -> (tensor<4xui8> {sinter.name = "y0"}, tensor<4xui8> {sinter.name = "y1"}, tensor<4xui8> {sinter.name = "y2"}, tensor<4xui8> {sinter.name = "y3"}) {
  %0 = sinter.weight dense<[0, 5, 170, 255]> : tensor<4xui8> : tensor<4xui8>
  %1 = sinter.weight dense<[1, 3, 15, 240]> : tensor<4xui8> : tensor<4xui8>
  %2 = sinter.node "BitwiseAnd"(%0, %1) {since = 18 : i64} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %3 = sinter.node "BitwiseOr"(%0, %1) {since = 18 : i64} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %4 = sinter.node "BitwiseXor"(%0, %1) {since = 18 : i64} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %5 = sinter.node "BitwiseNot"(%0) {since = 18 : i64} : (tensor<4xui8>) -> tensor<4xui8>
  return %2, %3, %4, %5 : tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>
}
