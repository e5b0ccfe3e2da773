// RUN: sinter-opt %s --split-input-file --convert-nodes | FileCheck %s
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

// -----

// The others of the family: uniform between two numbers, shapes of other tensors, and the class whose share of the sum a draw falls in.

// CHECK: arith.shrui
// CHECK-NOT: math.log
// CHECK: tensor<2x3xf32>
// CHECK: tensor<4xf32>
// CHECK: math.log
// CHECK: tensor<4xf32>
// CHECK: tensor<1x5x3xf32>
// CHECK: math.log
// CHECK: tensor<1x5xi32>
func.func @main(%p: tensor<4xf32> {sinter.name = "p"}, %c: tensor<1x3xf32> {sinter.name = "c"}) -> (tensor<2x3xf32> {sinter.name = "y0"}, tensor<4xf32> {sinter.name = "y1"}, tensor<4xf32> {sinter.name = "y2"}, tensor<1x5xsi32> {sinter.name = "y3"}) {
  %0 = sinter.node "RandomUniform"() {attrs = {dtype = 1 : i64, low = -1.0 : f32, high = 1.0 : f32, seed = 2.0 : f32, shape = array<i64: 2, 3>}, since = 22 : i64} : () -> tensor<2x3xf32>
  %1 = sinter.node "RandomUniformLike"(%p) {attrs = {low = 0.0 : f32, high = 1.0 : f32, seed = 2.0 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sinter.node "RandomNormalLike"(%p) {attrs = {mean = 0.0 : f32, scale = 1.0 : f32, seed = 2.0 : f32}, since = 22 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sinter.node "Multinomial"(%c) {attrs = {dtype = 6 : i64, sample_size = 5 : i64, seed = 2.0 : f32}, since = 22 : i64} : (tensor<1x3xf32>) -> tensor<1x5xsi32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1x5xsi32>
}
