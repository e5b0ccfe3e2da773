// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// One axis cropped, one padded.

// CHECK: output 0: tensor<3x5xf32> [0, -2, -1.75, 0, 0, 0, -1.5, -1.25, 0, 0, 0, -1, -0.75, 0, 0]
func.func @main(%x: tensor<4x2xf32>) -> !sinter.any {
  %s = sinter.weight dense<[3, 5]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "CenterCropPad"(%x, %s) {since = 18 : i64} : (tensor<4x2xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
