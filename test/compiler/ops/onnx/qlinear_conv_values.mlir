// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// One window on bytes with scales.

// CHECK: output 0: tensor<1x1x1x1xi8> [1]
func.func @main() -> (tensor<1x1x1x1xui8> {sinter.name = "y0"}) {
  %0 = sinter.weight dense<[[[[3, 5]]]]> : tensor<1x1x1x2xui8> : tensor<1x1x1x2xui8>
  %1 = sinter.weight dense<5.000000e-01> : tensor<f32> : tensor<f32>
  %2 = sinter.weight dense<1> : tensor<ui8> : tensor<ui8>
  %3 = sinter.weight dense<[[[[2, -1]]]]> : tensor<1x1x1x2xsi8> : tensor<1x1x1x2xsi8>
  %4 = sinter.weight dense<0> : tensor<si8> : tensor<si8>
  %5 = sinter.weight dense<2.500000e-01> : tensor<f32> : tensor<f32>
  %6 = sinter.node "QLinearConv"(%0, %1, %2, %3, %1, %4, %5, %2) {attrs = {auto_pad = "NOTSET", group = 1 : i64}, since = 10 : i64} : (tensor<1x1x1x2xui8>, tensor<f32>, tensor<ui8>, tensor<1x1x1x2xsi8>, tensor<f32>, tensor<si8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x1x1xui8>
  return %6 : tensor<1x1x1x1xui8>
}
