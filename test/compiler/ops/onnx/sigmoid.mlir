// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Sigmoid is a function of its own; HardSigmoid is clamped to [0, 1].

// CHECK: sinter.apply "sigmoid"
// CHECK: arith.maximumf
// CHECK: arith.minimumf
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}) -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Sigmoid"(%x) {since = 13 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sinter.node "HardSigmoid"(%x) {attrs = {alpha = 0.2 : f32, beta = 0.5 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
