// RUN: sinter-opt %s --convert-nodes | FileCheck %s
// Axes that are run-time data: both the tensor and its fold exist, a flag says which one is read.

// CHECK: %[[AXIS:.*]] = sinter.check_index
// CHECK: %[[FLAG:.*]] = arith.ori
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: arith.select %[[FLAG]]
// CHECK: tensor.collapse_shape
func.func @main(%x: tensor<2x3xf32> {sinter.name = "x"}, %a: tensor<1xsi64> {sinter.name = "a"}) -> (tensor<?xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "ReduceMax"(%x, %a) {attrs = {keepdims = 0 : i64, noop_with_empty_axes = 0 : i64}, since = 20 : i64} : (tensor<2x3xf32>, tensor<1xsi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
