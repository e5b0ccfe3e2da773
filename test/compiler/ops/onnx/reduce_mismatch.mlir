// RUN: not sinter-opt %s --convert-nodes 2>&1 | FileCheck %s
// An axis that the operand does not have.

// CHECK: axis 2 is outside a tensor of rank 2
func.func @main(%x: tensor<2x3xf32> {sinter.name = "x"}) -> (tensor<2xf32> {sinter.name = "y0"}) {
  %0 = sinter.node "ReduceSum"(%x) {attrs = {axes = array<i64: 2>, keepdims = 0 : i64}, since = 11 : i64} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
