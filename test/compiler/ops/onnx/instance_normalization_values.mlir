// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Per map, and over all but the channel.

// CHECK: output 0: tensor<1x2x2xf32> [-0.999995, 0.999995, -1, 3]
// CHECK: output 1: tensor<1x2x2xf32> [-1, 1, -1, 1]
func.func @main() -> (tensor<1x2x2xf32> {sinter.name = "y0"}, tensor<1x2x2xf32> {sinter.name = "y1"}) {
  %0 = sinter.weight dense<[[[1.000000e+00, 3.000000e+00], [1.000000e+01, 3.000000e+01]]]> : tensor<1x2x2xf32> : tensor<1x2x2xf32>
  %1 = sinter.weight dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> : tensor<2xf32>
  %2 = sinter.weight dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32> : tensor<2xf32>
  %3 = sinter.node "InstanceNormalization"(%0, %1, %2) {attrs = {epsilon = 9.99999974E-6 : f32}, since = 22 : i64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  %4 = sinter.node "MeanVarianceNormalization"(%0) {attrs = {axes = array<i64: 0, 2>}, since = 13 : i64} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %3, %4 : tensor<1x2x2xf32>, tensor<1x2x2xf32>
}
