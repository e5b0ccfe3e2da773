// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Two accumulators, the best element and its index.

// CHECK: linalg.generic
// CHECK: arith.cmpf oge
// CHECK: linalg.index 1
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i64
// CHECK: tensor.expand_shape
func.func @main(%x: tensor<2x3xf32> {sinter.name = "x"}) -> (tensor<2x1xsi64> {sinter.name = "y0"}) {
  %0 = sinter.node "ArgMax"(%x) {attrs = {axis = 1 : i64, keepdims = 1 : i64, select_last_index = 1 : i64}, since = 13 : i64} : (tensor<2x3xf32>) -> tensor<2x1xsi64>
  return %0 : tensor<2x1xsi64>
}
