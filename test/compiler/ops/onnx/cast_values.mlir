// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// To a type that is named, and to that of another tensor.

// CHECK: output 0: tensor<4xi32> [-1, 0, 0, 2]
// CHECK: output 1: tensor<4xi8> [-1, 0, 0, 2]
func.func @main() -> (tensor<4xsi32> {sinter.name = "y0"}, tensor<4xsi8> {sinter.name = "y1"}) {
  %0 = sinter.weight dense<[-1.500000e+00, -2.500000e-01, 5.000000e-01, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %1 = sinter.weight dense<0> : tensor<si8> : tensor<si8>
  %2 = sinter.node "Cast"(%0) {attrs = {round_mode = "up", saturate = 1 : i64, to = 6 : i64}, since = 25 : i64} : (tensor<4xf32>) -> tensor<4xsi32>
  %3 = sinter.node "CastLike"(%0, %1) {attrs = {round_mode = "up", saturate = 1 : i64}, since = 25 : i64} : (tensor<4xf32>, tensor<si8>) -> tensor<4xsi8>
  return %2, %3 : tensor<4xsi32>, tensor<4xsi8>
}
