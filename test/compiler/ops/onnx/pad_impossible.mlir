// RUN: not sinter-opt %s --split-input-file --convert-nodes 2>&1 | FileCheck %s

// CHECK: mode 'edge' has nothing to repeat: no element of dim 0 is left
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[-3, 2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "edge"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}

// -----

// CHECK: size -1 of dim 0 is negative
func.func @main(%x: tensor<3xf32>) -> !sinter.any {
  %p = sinter.weight dense<[-2, -2]> : tensor<2xi64> : tensor<2xsi64>
  %r = sinter.node "Pad"(%x, %p) {since = 13 : i64, attrs = {mode = "constant"}} : (tensor<3xf32>, tensor<2xsi64>) -> !sinter.any
  return %r : !sinter.any
}
