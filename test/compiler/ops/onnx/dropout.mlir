// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Nothing to do in inference; in training, a draw that the mode of run time decides about.

// CHECK: arith.constant -7046029254386353131
// CHECK: arith.cmpf oge
// CHECK: arith.select
func.func @main(%x: tensor<4xf32> {sinter.name = "x"}, %r: tensor<f32> {sinter.name = "r"}, %t: tensor<i1> {sinter.name = "t"}) -> (tensor<4xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "Dropout"(%x) {attrs = {ratio = 0.5 : f32}, since = 10 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sinter.node "Dropout"(%x, %r, %t) {attrs = {seed = 1 : i64}, since = 22 : i64} : (tensor<4xf32>, tensor<f32>, tensor<i1>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
