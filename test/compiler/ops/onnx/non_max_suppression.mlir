// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Capacity from the most boxes per class.

// CHECK: sinter.kernel "non_max_suppression" ins(
// CHECK: tensor<6x3xi64>
func.func @main(%x: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) -> !sinter.any {
  %m = sinter.weight dense<[3]> : tensor<1xi64> : tensor<1xsi64>
  %r = sinter.node "NonMaxSuppression"(%x, %s, %m) {since = 11 : i64, attrs = {center_point_box = 0 : i64}} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<1xsi64>) -> !sinter.any
  return %r : !sinter.any
}
