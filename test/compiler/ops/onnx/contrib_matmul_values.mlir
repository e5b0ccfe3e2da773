// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// By value, products with scales and with bytes.

// CHECK: output 0: tensor<1x1xf32> [-2.5]
// CHECK: output 1: tensor<1x1x1x1xf32> [0]
// CHECK: output 2: tensor<1x1xf32> [7.5]
// CHECK: output 3: tensor<1x1xf32> [7.49412]
// CHECK: output 4: tensor<1x1xi8> [16]
func.func @main() -> (tensor<1x1xf32> {sinter.name = "y0"}, tensor<1x1x1x1xf32> {sinter.name = "y1"}, tensor<1x1xf32> {sinter.name = "y2"}, tensor<1x1xf32> {sinter.name = "y3"}, tensor<1x1xui8> {sinter.name = "y4"}) {
  %0 = sinter.weight dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32> : tensor<1x2xf32>
  %1 = sinter.weight dense<[[3.000000e+00, -4.000000e+00]]> : tensor<1x2xf32> : tensor<1x2xf32>
  %2 = sinter.weight dense<[[[[1.000000e+00, 2.000000e+00]]]]> : tensor<1x1x1x2xf32> : tensor<1x1x1x2xf32>
  %3 = sinter.weight dense<[[[[3.000000e+00, -4.000000e+00]]]]> : tensor<1x1x1x2xf32> : tensor<1x1x1x2xf32>
  %4 = sinter.weight dense<[[3, 5]]> : tensor<1x2xui8> : tensor<1x2xui8>
  %5 = sinter.weight dense<[[4], [7]]> : tensor<2x1xui8> : tensor<2x1xui8>
  %6 = sinter.weight dense<5.000000e-01> : tensor<f32> : tensor<f32>
  %7 = sinter.weight dense<1> : tensor<ui8> : tensor<ui8>
  %8 = sinter.weight dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32> : tensor<2x1xf32>
  %9 = sinter.node "FusedMatMul"(%0, %1) {attrs = {alpha = 5.000000e-01 : f32, transA = 0 : i64, transB = 1 : i64, transBatchA = 0 : i64, transBatchB = 0 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x1xf32>
  %10 = sinter.node "FusedConv"(%2, %3) {attrs = {activation = "Relu", auto_pad = "NOTSET", group = 1 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x1xf32>
  %11 = sinter.node "MatMulIntegerToFloat"(%4, %5, %6, %6, %7, %7) {domain = "com.microsoft", since = 1 : i64} : (tensor<1x2xui8>, tensor<2x1xui8>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<ui8>) -> tensor<1x1xf32>
  %12 = sinter.node "DynamicQuantizeMatMul"(%0, %5, %6, %7) {domain = "com.microsoft", since = 1 : i64} : (tensor<1x2xf32>, tensor<2x1xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1xf32>
  %13 = sinter.absent
  %14 = sinter.node "QGemm"(%4, %6, %7, %5, %6, %7, %13, %6, %7) {attrs = {alpha = 1.000000e+00 : f32, transA = 0 : i64, transB = 0 : i64}, domain = "com.microsoft", since = 1 : i64} : (tensor<1x2xui8>, tensor<f32>, tensor<ui8>, tensor<2x1xui8>, tensor<f32>, tensor<ui8>, !sinter.absent, tensor<f32>, tensor<ui8>) -> tensor<1x1xui8>
  return %9, %10, %11, %12, %14 : tensor<1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xui8>
}
