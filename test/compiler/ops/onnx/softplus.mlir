// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// log(1 + exp(x)) that does not overflow.

// CHECK: sinter.apply "softplus"
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "Softplus"(%x) {since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
