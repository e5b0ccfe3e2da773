// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Groups of channels are a dim of their own.

// CHECK: tensor.expand_shape {{.*}} into tensor<1x2x2x5xf32>
// CHECK: math.sqrt
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x4x5xf32>
func.func @main(%x: tensor<1x4x5xf32> {sinter.name = "x"}, %s: tensor<4xf32> {sinter.name = "s"}) -> (tensor<1x4x5xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "GroupNormalization"(%x, %s, %s) {attrs = {epsilon = 1.0e-5 : f32, num_groups = 2 : i64, stash_type = 1 : i64}, since = 21 : i64} : (tensor<1x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x5xf32>
  return %0 : tensor<1x4x5xf32>
}
