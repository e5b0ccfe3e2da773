// RUN: sinter-opt %s --convert-nodes --interpret -o /dev/null | FileCheck %s
// Round the end where circular.

// CHECK: output 0: tensor<1x1x4x1xf32> [-1.75, -1.75, -1.5, -2]
func.func @main(%p: tensor<1x1x4x1xf32>, %u: tensor<1x1x2x1xf32>) -> !sinter.any {
  %w = sinter.weight dense<[3]> : tensor<1xi64> : tensor<1xsi64>
  %r = sinter.node "TensorScatter"(%p, %u, %w) {since = 24 : i64, attrs = {axis = -2 : i64, mode = "circular"}} : (tensor<1x1x4x1xf32>, tensor<1x1x2x1xf32>, tensor<1xsi64>) -> !sinter.any
  return %r : !sinter.any
}
