// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Draws are a function of the seed and the place.

// CHECK: linalg.index 0
// CHECK: arith.shrui
// CHECK: math.log
// CHECK: math.cos
// CHECK: arith.cmpf olt
func.func @main(%p: tensor<4xf32> {sinter.name = "p"}) -> (tensor<2x3xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}) {
  %0 = sinter.node "RandomNormal"() {attrs = {dtype = 1 : i64, mean = 0.0 : f32, scale = 1.0 : f32, seed = 2.0 : f32, shape = array<i64: 2, 3>}, since = 22 : i64} : () -> tensor<2x3xf32>
  %1 = sinter.node "Bernoulli"(%p) {attrs = {seed = 2.0 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<4xf32>
}
