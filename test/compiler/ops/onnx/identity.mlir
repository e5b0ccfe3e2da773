// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// No code.

// CHECK-NOT: linalg
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Identity"(%x) {since = 25 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
