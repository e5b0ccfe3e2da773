// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// The older form of a resize.

// CHECK: output 0: tensor<1x1x1x4xf32> [1, 1, 3, 3]
func.func @main() -> (tensor<1x1x1x4xf32> {sinter.name = "y0"}) {
  %0 = sinter.weight dense<[[[[1.000000e+00, 3.000000e+00]]]]> : tensor<1x1x1x2xf32> : tensor<1x1x1x2xf32>
  %1 = sinter.weight dense<[1.000000e+00, 1.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<4xf32> : tensor<4xf32>
  %2 = sinter.node "Upsample"(%0, %1) {attrs = {mode = "nearest"}, since = 9 : i64} : (tensor<1x1x1x2xf32>, tensor<4xf32>) -> tensor<1x1x1x4xf32>
  return %2 : tensor<1x1x1x4xf32>
}
