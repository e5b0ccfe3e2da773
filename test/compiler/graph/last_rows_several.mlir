// RUN: sinter-opt %s --last-rows | FileCheck %s

// Of as many rows as drafts have, which a call of fewer tokens does not have.
// CHECK: %[[FIRST:.*]] = sinter.weight dense<-4>
// CHECK: %[[LAST:.*]] = sinter.node "Slice"(%arg0, %[[FIRST]],
// CHECK: sinter.node "MatMul"(%[[LAST]],
func.func @main(%x: tensor<1x?x8xf32>) -> (!sinter.any {sinter.last_rows = 4 : i64, sinter.name = "logits"}) {
  %w = sinter.weight dense<2.0> : tensor<8x16xf32> : tensor<8x16xf32>
  %p = sinter.node "MatMul"(%x, %w) {since = 13 : i64} : (tensor<1x?x8xf32>, tensor<8x16xf32>) -> !sinter.any
  return %p : !sinter.any
}
