// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Scale and zero point of one vector's own.

// CHECK: output 0: tensor<4xi8> [0, 91, -111, -1]
// CHECK: output 1: tensor<f32> [0.0137255]
// CHECK: output 2: tensor<i8> [109]
func.func @main() -> (tensor<4xui8> {sinter.name = "y0"}, tensor<f32> {sinter.name = "y1"}, tensor<ui8> {sinter.name = "y2"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1:3 = sinter.node "DynamicQuantizeLinear"(%0) {output_names = ["y0", "y1", "y2"], since = 11 : i64} : (tensor<4xf32>) -> (tensor<4xui8>, tensor<f32>, tensor<ui8>)
  return %1#0, %1#1, %1#2 : tensor<4xui8>, tensor<f32>, tensor<ui8>
}
