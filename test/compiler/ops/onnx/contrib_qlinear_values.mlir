// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// By value, bytes with one scale.

// CHECK: output 0: tensor<2xi8> [-124, -87]
// CHECK: output 1: tensor<2xi8> [66, -55]
// CHECK: output 2: tensor<1xi8> [102]
// CHECK: output 3: tensor<2xi8> [3, 7]
// CHECK: output 4: tensor<4xi8> [3, -55, 100, 7]
func.func @main() -> (tensor<2xui8> {sinter.name = "y0"}, tensor<2xui8> {sinter.name = "y1"}, tensor<1xui8> {sinter.name = "y2"}, tensor<2xui8> {sinter.name = "y3"}, tensor<4xui8> {sinter.name = "y4"}) {
  %0 = sinter.weight dense<[3, 201]> : tensor<2xui8> : tensor<2xui8>
  %1 = sinter.weight dense<[100, 7]> : tensor<2xui8> : tensor<2xui8>
  %2 = sinter.weight dense<2.000000e-02> : tensor<f32> : tensor<f32>
  %3 = sinter.weight dense<128> : tensor<ui8> : tensor<ui8>
  %4 = sinter.weight dense<[true, false]> : tensor<2xi1> : tensor<2xi1>
  %5 = sinter.node "QLinearSigmoid"(%0, %2, %3, %2, %3) {domain = "com.microsoft", since = 1 : i64} : (tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>
  %6 = sinter.node "QLinearLeakyRelu"(%0, %2, %3, %2, %3) {attrs = {alpha = 5.000000e-01 : f32}, domain = "com.microsoft", since = 1 : i64} : (tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>
  %7 = sinter.node "QLinearReduceMean"(%0, %2, %3, %2, %3) {attrs = {axes = array<i64: 0>, keepdims = 1 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1xui8>
  %8 = sinter.node "QLinearWhere"(%4, %0, %2, %3, %1, %2, %3, %2, %3) {domain = "com.microsoft", since = 1 : i64} : (tensor<2xi1>, tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>
  %9 = sinter.node "QLinearConcat"(%2, %3, %0, %2, %3, %1, %2, %3) {attrs = {axis = 0 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<f32>, tensor<ui8>, tensor<2xui8>, tensor<f32>, tensor<ui8>, tensor<2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  return %5, %6, %7, %8, %9 : tensor<2xui8>, tensor<2xui8>, tensor<1xui8>, tensor<2xui8>, tensor<4xui8>
}
